#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <wend/extract.h>

// What extraction makes on its way to an environment, kept to be shown.
namespace wend::extraction {

// What became of a piece of free space.
enum class Fate : uint8_t {
  kKept,
  kLeftOut,  // its component is too small, detached or out of reach of the seed points; or a riser that joins nothing
  kInside,   // inside a closed solid
};

struct Record {
  // Of each triangle of the scene: its facet (a plane floor, or a riser), or kNone.
  std::vector<uint32_t> facetOf;
  // The free part of the facets: what an agent can stand on with head room. Triangles in metres, on their facets; the
  // voxel method gives runs of pixels, two triangles each.
  std::vector<std::array<Vec3, 3>> free;
  std::vector<uint32_t> piece;  // of each triangle of `free`: its patch, or its fragment of pixels
  std::vector<Fate> fate;       // of each triangle of `free`
  // The borders of the patches; none for pixels.
  std::vector<std::array<Vec3, 2>> borders;
};

// extract() that fills a record too, as far as it came if it fails. Facets of scenes with `boxes` are not recorded:
// their triangles are others. The environment is the same.
Result<Extraction> extractWithRecord(const Scene& scene, const ExtractSettings& settings, const Context& context,
                                     Record& record);

}  // namespace wend::extraction
