#include "volume/vasfv/free_space.h"

#include <algorithm>

#include <fmt/format.h>

namespace wend::vasfv {
namespace {

// Few enough to cut them out one after the other.
constexpr size_t kFewObstacles = 12;

struct Part {
  Box3 box;
  std::vector<uint32_t> obstacles;
};

// A coordinate that halves the obstacles of a part; nothing if no plane separates any.
std::optional<std::pair<int, int32_t>> halvingPlane(const Part& part, std::span<const Piece> obstacles) {
  std::optional<std::pair<int, int32_t>> best;
  size_t bestLarger = part.obstacles.size();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<int32_t> ends;
    for (const uint32_t i : part.obstacles) {
      for (const Point3& p : {obstacles[i].box.low, obstacles[i].box.high}) {
        const int32_t value = coordinate(p, axis);
        if (value > coordinate(part.box.low, axis) && value < coordinate(part.box.high, axis)) ends.push_back(value);
      }
    }
    if (ends.empty()) continue;
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2), ends.end());
    const int32_t middle = ends[ends.size() / 2];
    size_t low = 0;
    size_t high = 0;
    for (const uint32_t i : part.obstacles) {
      if (coordinate(obstacles[i].box.low, axis) < middle) ++low;
      if (coordinate(obstacles[i].box.high, axis) > middle) ++high;
    }
    if (std::max(low, high) >= bestLarger) continue;
    bestLarger = std::max(low, high);
    best = {axis, middle};
  }
  return best;
}

Part halfOf(const Part& part, const Box3& box, std::span<const Piece> obstacles) {
  Part half{box, {}};
  for (const uint32_t i : part.obstacles) {
    if (obstacles[i].box.overlaps(box)) half.obstacles.push_back(i);
  }
  return half;
}

void subtractAll(std::vector<Polyhedron>& pieces, const Piece& obstacle) {
  std::vector<Polyhedron> rest;
  for (Polyhedron& piece : pieces) {
    if (auto parts = without(piece, obstacle.solid)) {
      std::move(parts->begin(), parts->end(), std::back_inserter(rest));
    } else {
      rest.push_back(std::move(piece));
    }
  }
  pieces = std::move(rest);
}

}  // namespace

std::optional<std::vector<Polyhedron>> without(const Polyhedron& piece, const Polyhedron& other) {
  for (const Polyhedron::Face& face : other.faces) {
    if (isBeyond(piece, face.plane)) return std::nullopt;
  }
  for (const Polyhedron::Face& face : piece.faces) {
    if (isBeyond(other, face.plane)) return std::nullopt;
  }
  std::vector<Polyhedron> parts;
  Polyhedron rest = piece;
  // Axis-aligned planes first: they give the rounder parts.
  for (const bool aligned : {true, false}) {
    for (const Polyhedron::Face& face : other.faces) {
      if (face.plane.axisAligned() != aligned) continue;
      Halves halves = split(rest, face.plane);
      if (!halves.outside.empty()) parts.push_back(std::move(halves.outside));
      rest = std::move(halves.inside);
      if (rest.empty()) return std::nullopt;  // they only touch, or an edge lies before an edge
    }
  }
  return parts;
}

Result<std::vector<Polyhedron>> freePieces(const Box3& bounds, std::span<const Piece> obstacles, size_t limit) {
  std::vector<Polyhedron> free;
  Part whole{bounds, {}};
  for (uint32_t i = 0; i < obstacles.size(); ++i) whole.obstacles.push_back(i);
  std::vector<Part> stack{std::move(whole)};
  while (!stack.empty()) {
    const Part part = std::move(stack.back());
    stack.pop_back();
    const auto plane = part.obstacles.size() > kFewObstacles ? halvingPlane(part, obstacles) : std::nullopt;
    if (plane) {
      Box3 low = part.box;
      Box3 high = part.box;
      coordinate(low.high, plane->first) = plane->second;
      coordinate(high.low, plane->first) = plane->second;
      stack.push_back(halfOf(part, high, obstacles));
      stack.push_back(halfOf(part, low, obstacles));
      continue;
    }
    std::vector<Polyhedron> pieces{makeBox(part.box)};
    for (const uint32_t i : part.obstacles) {
      subtractAll(pieces, obstacles[i]);
      if (free.size() + pieces.size() > limit) {
        return Error{ErrorCode::kLimit, fmt::format("the free space falls into more than {} convex pieces: simplify "
                                                    "the scene or raise the limit",
                                                    limit)};
      }
    }
    std::move(pieces.begin(), pieces.end(), std::back_inserter(free));
  }
  return free;
}

FreeSpace::FreeSpace(const Box3& bounds, std::vector<Polyhedron> pieces, bool lowestFirst)
    : lowestFirst_(lowestFirst), grid_(bounds, pieces.size()) {
  for (Polyhedron& piece : pieces) insert(std::move(piece));
}

FreeSpace::Key FreeSpace::keyOf(uint32_t id) const {
  const Entry& entry = pieces_[id];
  return {lowestFirst_ ? entry.box.low.z : 0, -volumeOf(entry.solid), id};
}

void FreeSpace::insert(Polyhedron solid) {
  const Box3 box = boundsOf(solid);
  uint32_t id = static_cast<uint32_t>(pieces_.size());
  if (unused_.empty()) {
    pieces_.push_back({std::move(solid), box});
  } else {
    id = unused_.back();
    unused_.pop_back();
    pieces_[id] = {std::move(solid), box};
  }
  grid_.add(id, box);
  order_.insert(keyOf(id));
}

void FreeSpace::subtract(const Polyhedron& solid, const Box3& box) {
  std::vector<uint32_t> touched;
  grid_.visit(box, [&](uint32_t id) {
    if (pieces_[id].box.overlaps(box)) touched.push_back(id);
  });
  std::sort(touched.begin(), touched.end());
  for (const uint32_t id : touched) {
    auto parts = without(pieces_[id].solid, solid);
    if (!parts) continue;
    order_.erase(keyOf(id));
    grid_.remove(id, pieces_[id].box);
    pieces_[id] = {};
    unused_.push_back(id);
    for (Polyhedron& part : *parts) insert(std::move(part));
  }
}

}  // namespace wend::vasfv
