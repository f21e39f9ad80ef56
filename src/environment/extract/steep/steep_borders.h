#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>

#include "environment/extract/steep/steep_faces.h"

// What a gradient line may come to across a crack, where it leaves a steep triangle over a side that no other shares.
namespace wend::extraction {

class SteepBorders {
 public:
  // What lies beyond the given steep triangles is looked up now, the rest when somebody asks. The tree is
  // walkableTree().
  SteepBorders(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces, const BoxTree& walkable,
               const Tolerances& tolerances, std::span<const uint32_t> triangles, const Context& context);

  // Floors and steep triangles, each once: at least all that a line over an open side may go on to. May lie in
  // `scratch`.
  std::span<const uint32_t> beyond(uint32_t place, uint32_t side, std::vector<uint32_t>& scratch) const {
    const size_t at = 3 * size_t{place} + side;
    const std::span<const uint32_t> near = std::span(near_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
    if (near.size() != 1 || near[0] < kLater) return near;
    return near[0] == kNone ? beyondSide(place, side, scratch) : later(near[0]);
  }
  // Looks up what lies beyond the open sides of more triangles, for later calls, unless that takes too
  // much space. Only while no other thread calls them.
  void lookUp(std::span<const uint32_t> places, const Context& context);
  // The same for a line up (sign 1) or down (-1) that leaves a steep triangle at a corner. What an open side that ends
  // there gives holds all of it.
  std::span<const uint32_t> beyondCorner(uint32_t triangle, const Point3& corner, double sign,
                                         std::vector<uint32_t>& scratch) const {
    scratch.clear();
    find(triangle, corner, corner, sign, scratch);
    return scratch;
  }

 private:
  std::span<const uint32_t> beyondSide(uint32_t place, uint32_t side, std::vector<uint32_t>& scratch) const;
  void find(uint32_t triangle, const Point3& a, const Point3& b, double sign, std::vector<uint32_t>& near) const;
  void findAtSide(uint32_t place, uint32_t side, std::vector<uint32_t>& near) const;
  bool isBeside(const Triangle& triangle, const Point3& a, const Point3& b) const;
  bool mayEnter(uint32_t triangle, const Point3& a, const Point3& b, double sign, const Box& around) const;

  // Numbers from here on name what was looked up later, or nothing.
  static constexpr uint32_t kLater = uint32_t{1} << 31;
  std::span<const uint32_t> later(uint32_t name) const {
    const uint32_t i = name - kLater;
    return std::span(laterNear_).subspan(laterBegin_[i], laterBegin_[i + 1] - laterBegin_[i]);
  }

  bool isKnown(size_t at) const { return begin_[at + 1] - begin_[at] != 1 || near_[begin_[at]] != kNone; }

  const Soup& soup_;
  const TriangleNeighbours& neighbours_;
  const SteepFaces& faces_;
  const BoxTree& tree_;
  double contact_;
  double limit_;
  double back_;
  int32_t margin_;
  std::vector<uint32_t> begin_;  // of each side, three to a place
  std::vector<uint32_t> near_;   // kNone stands for what is not kept
  std::vector<uint32_t> laterBegin_{0};
  std::vector<uint32_t> laterNear_;
};

}  // namespace wend::extraction
