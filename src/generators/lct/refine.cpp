#include "generators/lct/refine.h"

#include <algorithm>
#include <tuple>

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

}  // namespace

Refinement refine(TriangleNet& net, const Context& context) {
  Refinement done;
  const size_t limit = 1000 + 8 * net.triangles().size();
  for (int round = 0; round < kMaxRounds && done.splits < limit; ++round) {
    DisturbanceSearch search(net);
    std::vector<Candidate> candidates;
    size_t visited = 0;
    for (const Corner corner : disturbingCorners(net)) {
      if ((++visited & 0xfffU) == 0 && context.cancelled()) return done;
      if (const auto found = search.find(corner)) candidates.push_back({found->width, corner});
    }
    done.unrefined = search.withoutPlace();
    if (candidates.empty()) return done;
    std::sort(candidates.begin(), candidates.end());
    // A split changes triangles, so a candidate counts only if its corner still sees the same; the rest waits for the
    // next round.
    size_t splits = 0;
    for (const Candidate& candidate : candidates) {
      const auto found = search.find(candidate.corner);
      if (!found || found->width != candidate.width) continue;
      net.split(found->wall, found->split);
      ++splits;
    }
    done.splits += splits;
    if (splits == 0) return done;
  }
  return done;
}

}  // namespace wend::lct
