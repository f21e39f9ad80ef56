#include "volume/find_gateways.h"

#include <algorithm>

namespace wend {
namespace {

struct FaceEntry {
  HalfSpace key;  // the plane, with a positive first coefficient
  bool flipped;
  uint32_t cell;
  uint32_t face;
};

HalfSpace keyOf(const HalfSpace& plane, bool& flipped) {
  flipped = plane.a < 0 || (plane.a == 0 && (plane.b < 0 || (plane.b == 0 && plane.c < 0)));
  return flipped ? plane.opposite() : plane;
}

// The axis along which to sweep a plane: one in which its faces extend.
int sweepAxis(const HalfSpace& plane) {
  return plane.b == 0 && plane.c == 0 ? 1 : 0;
}

// Pairs of front and back faces in one plane whose bounds touch.
void pairsInPlane(std::span<const FaceEntry> group, std::span<const Box3> boxes, std::vector<FaceContact>& out) {
  const int axis = sweepAxis(group.front().key);
  std::vector<FaceEntry> front;
  std::vector<FaceEntry> back;
  for (const FaceEntry& entry : group) (entry.flipped ? back : front).push_back(entry);
  if (front.empty() || back.empty()) return;
  const auto low = [&](const FaceEntry& e) { return coordinate(boxes[e.cell].low, axis); };
  const auto high = [&](const FaceEntry& e) { return coordinate(boxes[e.cell].high, axis); };
  const auto byLow = [&](const FaceEntry& a, const FaceEntry& b) {
    return std::pair{low(a), a.cell} < std::pair{low(b), b.cell};
  };
  std::sort(front.begin(), front.end(), byLow);
  std::sort(back.begin(), back.end(), byLow);
  std::vector<FaceEntry> active;
  size_t next = 0;
  for (const FaceEntry& f : front) {
    for (; next < back.size() && low(back[next]) <= high(f); ++next) active.push_back(back[next]);
    // Fronts come in ascending order: what ends before this one begins is met by none after it.
    std::erase_if(active, [&](const FaceEntry& b) { return high(b) < low(f); });
    for (const FaceEntry& b : active) {
      if (b.cell == f.cell || !boxes[b.cell].touches(boxes[f.cell])) continue;
      const FaceEntry& first = f.cell < b.cell ? f : b;
      const FaceEntry& second = f.cell < b.cell ? b : f;
      out.push_back({first.cell, second.cell, first.face, second.face});
    }
  }
}

}  // namespace

std::vector<ExactVertex> contactPolygon(const Polyhedron& a, uint32_t faceA, const Polyhedron& b, uint32_t faceB) {
  const HalfSpace plane = a.faces[faceA].plane;
  Polyhedron part = a;
  for (uint32_t f = 0; f < b.faces.size(); ++f) {
    if (f != faceB && clip(part, b.faces[f].plane) == CutResult::kOutside) return {};
  }
  for (const Polyhedron::Face& face : part.faces) {
    if (!(face.plane == plane)) continue;
    std::vector<ExactVertex> loop;
    for (const uint32_t v : face.loop) loop.push_back(part.vertices[v]);
    return loop;
  }
  return {};
}

std::vector<FaceContact> facingPairs(std::span<const Polyhedron> cells, std::span<const Box3> boxes) {
  std::vector<FaceEntry> entries;
  for (uint32_t c = 0; c < cells.size(); ++c) {
    for (uint32_t f = 0; f < cells[c].faces.size(); ++f) {
      bool flipped = false;
      const HalfSpace key = keyOf(cells[c].faces[f].plane, flipped);
      entries.push_back({key, flipped, c, f});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const FaceEntry& a, const FaceEntry& b) {
    return std::tie(a.key, a.cell, a.face) < std::tie(b.key, b.cell, b.face);
  });
  std::vector<FaceContact> pairs;
  for (size_t begin = 0; begin < entries.size();) {
    size_t end = begin;
    while (end < entries.size() && entries[end].key == entries[begin].key) ++end;
    pairsInPlane(std::span(entries).subspan(begin, end - begin), boxes, pairs);
    begin = end;
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace wend
