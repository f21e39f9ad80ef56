#pragma once

// Everything, for a program that does not care.
#include <wend/analysis.h>
#include <wend/context.h>
#include <wend/corridor_map.h>
#include <wend/draw.h>
#include <wend/environment.h>
#include <wend/environment_file.h>
#include <wend/extract.h>
#include <wend/file.h>
#include <wend/generate.h>
#include <wend/lattice.h>
#include <wend/local_clearance.h>
#include <wend/make.h>
#include <wend/make_scene.h>
#include <wend/mesh_file.h>
#include <wend/metrics.h>
#include <wend/navmesh.h>
#include <wend/plan.h>
#include <wend/polygon.h>
#include <wend/recording.h>
#include <wend/result.h>
#include <wend/scenario.h>
#include <wend/scene.h>
#include <wend/simulate.h>
