#pragma once

#include <span>

#include "generators/cdg/disks.h"
#include "mesh/mesh_builder.h"

// Cells of disks: inscribed polygons, cut along gates and connections.
namespace wend::cdg {

void addCells(std::span<const Disk> disks, std::span<const Gate> gates, const Crossings& crossings,
              MeshBuilder& builder);

}  // namespace wend::cdg
