#pragma once

#include <span>

#include <wend/mesh_builder.h>

#include "generators/cdg/disks.h"

// Cells of disks: inscribed polygons, cut along portals and connections.
namespace wend::cdg {

void addCells(std::span<const Disk> disks, std::span<const Portal> portals, const Crossings& crossings,
              MeshBuilder& builder);

}  // namespace wend::cdg
