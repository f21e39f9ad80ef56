#include "geometry/growth/merge_convex.h"

#include <queue>
#include <unordered_map>

#include "base/hash.h"

namespace wend::growth {
namespace {

struct SideKey {
  Corner a;
  Corner b;
  bool operator==(const SideKey&) const = default;
};

struct SideHash {
  size_t operator()(const SideKey& key) const {
    Hash hash;
    for (const Corner& corner : {key.a, key.b}) {
      hash.add(static_cast<uint64_t>(corner.x));
      hash.add(static_cast<uint64_t>(corner.y));
      hash.add(static_cast<uint64_t>(corner.denominator));
    }
    return static_cast<size_t>(hash.value());
  }
};

Int128 turn(const OutlineEdge& a, const OutlineEdge& b) {
  return Int128{a.dx} * b.dy - Int128{a.dy} * b.dx;
}

bool isStraight(const OutlineEdge& a, const OutlineEdge& b) {
  return turn(a, b) == 0 && Int128{a.dx} * b.dx + Int128{a.dy} * b.dy > 0;
}

bool isConvex(const OutlineEdge& a, const OutlineEdge& b) {
  return turn(a, b) > 0 || isStraight(a, b);
}

Outline withoutStraightCorners(const Outline& edges) {
  Outline out;
  for (size_t i = 0; i < edges.size(); ++i) {
    const OutlineEdge& before = edges[(i + edges.size() - 1) % edges.size()];
    if (!isStraight(before, edges[i])) out.push_back(edges[i]);
  }
  return out;
}

struct Pair {
  double area = 0;  // of the union
  uint32_t a = 0;
  uint32_t b = 0;
  bool operator<(const Pair& other) const {
    if (area != other.area) return area < other.area;
    if (a != other.a) return a > other.a;
    return b > other.b;
  }
};

class Merge {
 public:
  explicit Merge(std::vector<Outline>& cells) : cells_(cells) {}

  void run() {
    for (Outline& cell : cells_) {
      cell = withoutStraightCorners(cell);
      areas_.push_back(areaOf(cell));
    }
    for (uint32_t id = 0; id < cells_.size(); ++id) enter(id);
    while (!pairs_.empty()) {
      const Pair pair = pairs_.top();
      pairs_.pop();
      if (!cells_[pair.a].empty() && !cells_[pair.b].empty()) join(pair.a, pair.b);
    }
    std::erase_if(cells_, [](const Outline& cell) { return cell.empty(); });
  }

 private:
  const Corner& endOf(const Outline& cell, size_t i) const { return cell[(i + 1) % cell.size()].start; }

  void enter(uint32_t id) {
    const Outline& cell = cells_[id];
    for (size_t i = 0; i < cell.size(); ++i) {
      if (cell[i].wall != kNone) continue;
      sides_[{cell[i].start, endOf(cell, i)}] = id;
      const auto found = sides_.find({endOf(cell, i), cell[i].start});
      if (found == sides_.end()) continue;
      const uint32_t other = found->second;
      if (cells_[other].empty() || !canJoin(id, i, other)) continue;
      pairs_.push({areas_[id] + areas_[other], std::min(id, other), std::max(id, other)});
    }
  }

  size_t sideOf(uint32_t id, const Corner& start, const Corner& end) const {
    const Outline& cell = cells_[id];
    for (size_t i = 0; i < cell.size(); ++i) {
      if (cell[i].start == start && endOf(cell, i) == end) return i;
    }
    return cell.size();
  }

  bool canJoin(uint32_t a, size_t i, uint32_t b) const {
    const Outline& first = cells_[a];
    const Outline& second = cells_[b];
    const size_t j = sideOf(b, endOf(first, i), first[i].start);
    if (j == second.size()) return false;
    const auto at = [](const Outline& cell, size_t k) -> const OutlineEdge& { return cell[k % cell.size()]; };
    return isConvex(at(first, i + first.size() - 1), at(second, j + 1)) &&
           isConvex(at(second, j + second.size() - 1), at(first, i + 1));
  }

  void join(uint32_t a, uint32_t b) {
    const Outline first = cells_[a];
    const Outline second = cells_[b];
    for (size_t i = 0; i < first.size(); ++i) {
      const size_t j = sideOf(b, endOf(first, i), first[i].start);
      if (j == second.size()) continue;
      Outline edges;
      for (size_t k = 1; k < first.size(); ++k) edges.push_back(first[(i + k) % first.size()]);
      for (size_t k = 1; k < second.size(); ++k) edges.push_back(second[(j + k) % second.size()]);
      for (const uint32_t old : {a, b}) {
        for (size_t k = 0; k < cells_[old].size(); ++k) sides_.erase({cells_[old][k].start, endOf(cells_[old], k)});
      }
      cells_[a] = withoutStraightCorners(edges);
      cells_[b].clear();
      areas_[a] += areas_[b];
      enter(a);
      return;
    }
  }

  std::vector<Outline>& cells_;
  std::vector<double> areas_;
  std::unordered_map<SideKey, uint32_t, SideHash> sides_;
  std::priority_queue<Pair> pairs_;
};

}  // namespace

void mergeConvex(std::vector<Outline>& cells) {
  Merge(cells).run();
}

}  // namespace wend::growth
