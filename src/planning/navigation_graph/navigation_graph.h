#pragma once

#include <wend/navigation_graph.h>

// The public header has all of it.
