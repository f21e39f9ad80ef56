#pragma once

#include <memory>
#include <string>

#include <wend/extract.h>
#include <wend/navigator.h>
#include <wend/scene.h>
#include <wend/world.h>

#include "environment/extract/record.h"

// The nouns as arrays that a graphics card takes: see BlobWriter. Coordinates are metres relative to `origin`, so that
// single precision keeps the millimetre in worlds far from 0, 0.
namespace wend::serve {

using Bytes = std::shared_ptr<const std::string>;

// Beyond this many triangles the page gets the first ones only, and `meta.left` says how many are left out.
inline constexpr size_t kMaxDrawnTriangles = 3'000'000;

// The middle of a world in whole metres.
Vec3 originOf(const Environment& environment);
Vec3 originOf(const Scene& scene);

// positions f32 (3 per corner), kind u8 per triangle (0 floor, 1 steep, 2 wall, 3 faces down), facet u32 per triangle
// (kNone: none), label u16 per triangle; defects f32 (3 each), defectKind u8.
// Free space: free f32 (9 per triangle), freePiece u32 and freeFate u8 (extraction::Fate) per triangle; freeBorders f32
// (6 per segment).
Bytes sceneBlob(const Scene& scene, const extraction::Record& record, Vec3 origin, const ExtractSettings& settings);

// By layer, so that the page can move layers apart; `…Begin` arrays hold where each layer begins.
//   floor f32 (9 per triangle), floorCell u32 per triangle, floorBegin
//   portals, walls, connections f32 (6 per segment), portalsBegin, wallsBegin
//   cellColour u8, cellComponent u32, cellLayer u8
Bytes meshBlob(const World& world, Vec3 origin);

// axis f32 (6 per segment), axisClearance f32 (least clearance of the arc, per segment), axisLayer u8 per segment;
// bends f32 (9 per bending point: p, l, r), bendLayer u8; disks f32 (x, y, z, radius), diskLayer u8. Empty without an
// axis.
Bytes axisBlob(const World& world, Vec3 origin);

// Where something is wrong or was lost. places f32 (3 each), kind u8 (index into meta.kinds); meta.marks[i] the
// sentence.
Bytes marksBlob(const World& world, const ExtractReport* extraction, Vec3 origin);

}  // namespace wend::serve
