#pragma once

#include <span>
#include <vector>

#include "planning/disk/contact.h"
#include "planning/disk/portal_tangents.h"

// The straight parts of a path, between the contacts that it touches.
namespace wend {

// A straight part. If its tangent is one of PortalTangents, it leads from a post of one portal to a post of the next.
struct Way {
  const PostTangent* tangent = nullptr;
  uint32_t portal = 0;  // index on the path
  uint32_t fromStep() const { return portal + (tangent->beginsBefore ? 0U : 1U); }
  uint32_t toStep() const { return portal + (tangent->endsBehind ? 2U : 1U); }
};

struct WayScratch {
  std::vector<PostTangent> own;  // those that are not known
  std::vector<Way> ways;         // to each contact from the one before; the first is none
};

// Gives the straight part between two contacts: a measured tangent of a crossing, or a new one. Portal i of the path is
// stage 2 i + 2 of the contacts. Without `tangents` every tangent is new.
class WayFinder {
 public:
  // `most`: the largest number of calls of between().
  WayFinder(PortalTangents* tangents, std::span<const DirectedPortalId> portals, size_t most,
            std::vector<PostTangent>& own)
      : tangents_(tangents), portals_(portals), own_(own) {
    own_.clear();
    own_.reserve(most);
  }

  // Valid as long as this object.
  Way between(const DiskContact& x, const DiskContact& y) {
    if (tangents_ != nullptr && x.side != 0 && y.side != 0) {
      // The first portal that ends at x if the next one ends at y.
      const uint32_t stage = std::max(x.firstStage, y.firstStage - 2);
      const uint32_t portal = stage / 2 - 1;
      if (portal + 1 < portals_.size() && (x.firstStage == stage || isPost(portal, x)) &&
          (y.firstStage == stage + 2 || isPost(portal + 1, y))) {
        const uint32_t id = tangents_->find(portals_[portal], portals_[portal + 1]);
        if (id != kNone) return known(id, portal, x.side < 0, y.side < 0);
      }
    }
    const Tangent tangent = tangentBetween(x, y);
    return {&own_.emplace_back(tangent.direction, tangent.length)};
  }

  // From a post of a portal to one of the next, by the crossing between them.
  Way known(uint32_t crossing, uint32_t portal, bool fromRight, bool toRight) {
    return {&tangents_->measured(crossing, CrossingTangents::index(fromRight, toRight), portals_[portal],
                                 portals_[portal + 1]),
            portal};
  }

  // True if the arc between two straight parts, around a post on that side, needs no measurement.
  bool isQuiet(const Way& to, const Way& from, bool right) {
    if (!(to.tangent->clear & from.tangent->clear & to.tangent->quietEnd & from.tangent->quietBegin)) return false;
    if (to.portal >= from.portal || to.toStep() > from.fromStep()) return false;
    for (uint32_t portal = to.portal + 1; portal < from.portal; ++portal) {
      if (!tangents_->isQuietAt(portals_[portal], !right, portal > to.portal + 1)) return false;
    }
    return true;
  }

 private:
  bool isPost(uint32_t portal, const DiskContact& contact) const {
    return tangents_->isPost(portals_[portal], contact.side > 0, contact);
  }

  PortalTangents* tangents_;
  std::span<const DirectedPortalId> portals_;
  std::vector<PostTangent>& own_;
};

}  // namespace wend
