#include "planning/point/funnel.h"

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

// The left chain, the apex and the right chain lie in one array, the apex in the middle. Seen from the apex, the left
// chain turns left and the right chain turns right.
class Funnel {
 public:
  Funnel(Vec2 start, size_t portals, FunnelScratch& scratch, SearchPath& path) : chain_(scratch.chain), path_(path) {
    // Each portal adds at most one element at each end.
    if (chain_.size() < 2 * portals + 3) chain_.resize(2 * portals + 3);
    left_ = right_ = apex_ = portals + 1;
    chain_[apex_] = {start, kNone};
  }

  void addRight(Bend bend) {
    if (bend.place == chain_[right_].place) return;
    while (right_ > apex_ && orient(chain_[right_ - 1].place, chain_[right_].place, bend.place) >= 0) --right_;
    while (right_ == apex_ && left_ < apex_ && isPast(chain_[apex_ - 1].place, bend.place, 1)) {
      path_.bends.push_back(chain_[--apex_]);
      right_ = apex_;
    }
    if (bend.place != chain_[right_].place) chain_[++right_] = bend;
  }

  void addLeft(Bend bend) {
    if (bend.place == chain_[left_].place) return;
    while (left_ < apex_ && orient(chain_[left_ + 1].place, chain_[left_].place, bend.place) <= 0) ++left_;
    while (left_ == apex_ && right_ > apex_ && isPast(chain_[apex_ + 1].place, bend.place, -1)) {
      path_.bends.push_back(chain_[++apex_]);
      left_ = apex_;
    }
    if (bend.place != chain_[left_].place) chain_[--left_] = bend;
  }

  // The goal is the last right end: the path follows the chain to it.
  void finish(Vec2 goal) {
    addRight({goal, kNone});
    for (size_t i = apex_ + 1; i <= right_; ++i) {
      if (i < right_ || chain_[i].place != goal) path_.bends.push_back(chain_[i]);
    }
  }

 private:
  // Whether the way from the apex to p must go around `first`, the first element of the opposite chain.
  bool isPast(Vec2 first, Vec2 p, int side) const {
    const Vec2 apex = chain_[apex_].place;
    const int sign = orient(apex, first, p);
    return sign == side || (sign == 0 && isBetween(apex, first, p));
  }

  std::vector<Bend>& chain_;
  SearchPath& path_;
  size_t left_, right_, apex_;
};

}  // namespace

void pullString(std::span<const StringPortal> portals, Vec2 start, Vec2 goal, FunnelScratch& scratch,
                SearchPath& path) {
  path.bends.clear();
  Funnel funnel(start, portals.size(), scratch, path);
  for (size_t i = 0; i < portals.size(); ++i) {
    funnel.addRight({portals[i].right, static_cast<VertexId>(i)});
    funnel.addLeft({portals[i].left, static_cast<VertexId>(i)});
  }
  funnel.finish(goal);
}

void pullString(const NavMesh& mesh, Vec2 start, Vec2 goal, FunnelScratch& scratch, SearchPath& path) {
  path.bends.clear();
  Funnel funnel(start, path.entries.size(), scratch, path);
  for (const SideId entry : path.entries) {
    const VertexId left = mesh.startVertex(entry);
    const VertexId right = mesh.endVertex(entry);
    funnel.addRight({mesh.vertex(right), right});
    funnel.addLeft({mesh.vertex(left), left});
  }
  funnel.finish(goal);
}

}  // namespace wend
