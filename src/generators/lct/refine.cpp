#include "generators/lct/refine.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "generators/lct/disturbance.h"

namespace wend::lct {
namespace {

// Each round removes what the one before has made visible; random worlds need two to five.
constexpr int kMaxRounds = 100;

struct Candidate {
  double width;
  Corner corner;
  bool operator<(const Candidate& other) const {
    return std::tie(width, corner.triangle, corner.corner) <
           std::tie(other.width, other.corner.triangle, other.corner.corner);
  }
};

// What the last search from a corner found.
struct Memory {
  uint32_t found = kNone;  // among the disturbances
  uint32_t withoutPlace = 0;
  uint32_t at = kNone;  // splits that there had been; kNone if it is not to be relied on
  uint32_t begin = 0;   // of the triangles looked at
  uint32_t end = 0;
};

// Searches from corners, and only again if a triangle that mattered has changed.
class Searches {
 public:
  explicit Searches(const TriangleNet& net) : net_(net), search_(net) {}

  const Memory& from(Corner corner) {
    memories_.resize(std::max<size_t>(memories_.size(), 3 * net_.triangles().size()));
    Memory& memory = memories_[3 * size_t{corner.triangle} + corner.corner];
    if (!isValid(memory)) memory = searched(corner);
    return memory;
  }
  const Disturbance& disturbance(uint32_t found) const { return disturbances_[found]; }

 private:
  // A corner that looks at more is searched anew every time: memory stays linear.
  static constexpr size_t kMostTriangles = 64;

  bool isValid(const Memory& memory) const {
    if (memory.at == kNone) return false;
    for (uint32_t i = memory.begin; i < memory.end; ++i) {
      if (net_.lastChange(looked_[i]) > memory.at) return false;
    }
    return true;
  }

  Memory searched(Corner corner) {
    Memory memory;
    const size_t begin = looked_.size();
    if (const auto found = search_.find(corner, looked_)) {
      memory.found = static_cast<uint32_t>(disturbances_.size());
      disturbances_.push_back(*found);
    }
    memory.withoutPlace = search_.withoutPlace();
    if (looked_.size() - begin > kMostTriangles || looked_.size() >= kNone) {
      looked_.resize(begin);
      return memory;
    }
    memory.at = net_.splits();
    memory.begin = static_cast<uint32_t>(begin);
    memory.end = static_cast<uint32_t>(looked_.size());
    return memory;
  }

  const TriangleNet& net_;
  DisturbanceSearch search_;
  std::vector<Memory> memories_;  // by triangle and corner
  std::vector<Disturbance> disturbances_;
  std::vector<uint32_t> looked_;
};

}  // namespace

Refinement refine(TriangleNet& net, const Context& context) {
  Refinement done;
  const size_t limit = 1000 + 8 * net.triangles().size();
  Searches searches(net);
  for (int round = 0; round < kMaxRounds && done.splits < limit; ++round) {
    std::vector<Candidate> candidates;
    size_t visited = 0;
    done.unrefined = 0;
    for (const Corner corner : disturbingCorners(net)) {
      if ((++visited & 0xfffU) == 0 && context.cancelled()) return done;
      const Memory& found = searches.from(corner);
      done.unrefined += found.withoutPlace;
      if (found.found != kNone) candidates.push_back({searches.disturbance(found.found).width, corner});
    }
    if (candidates.empty()) return done;
    std::sort(candidates.begin(), candidates.end());
    // A split changes triangles, so a candidate counts only if its corner still sees the same; the rest waits for the
    // next round.
    size_t splits = 0;
    for (const Candidate& candidate : candidates) {
      const uint32_t found = searches.from(candidate.corner).found;
      if (found == kNone || searches.disturbance(found).width != candidate.width) continue;
      net.split(searches.disturbance(found).wall, searches.disturbance(found).split);
      ++splits;
    }
    done.splits += splits;
    if (splits == 0) return done;
  }
  return done;
}

}  // namespace wend::lct
