#pragma once

#include <span>
#include <vector>

#include "planning/disk/contact.h"
#include "planning/disk/portal_tangents.h"

// The straight ways between what a path touches.
namespace wend {

// If it is known, it leads from a post of one gate to a post of the next.
struct Way {
  const PostTangent* tangent = nullptr;
  uint32_t gate = 0;
  uint32_t fromStep() const { return gate + (tangent->beginsBefore ? 0U : 1U); }
  uint32_t toStep() const { return gate + (tangent->endsBehind ? 2U : 1U); }
};

struct WayScratch {
  std::vector<PostTangent> own;  // those that are not known
  std::vector<Way> ways;         // to each contact from the one before; the first is none
};

// Of the gates that the stages of the contacts count: gate i is stage 2 i + 2. Without passes nothing is known.
class WayFinder {
 public:
  // No more than `most` ways are asked for.
  WayFinder(DiskPasses* passes, std::span<const CrossingId> gates, size_t most, std::vector<PostTangent>& own)
      : passes_(passes), gates_(gates), own_(own) {
    own_.clear();
    own_.reserve(most);
  }

  // Stays as long as this.
  Way between(const DiskContact& x, const DiskContact& y) {
    if (passes_ != nullptr && x.side != 0 && y.side != 0) {
      // The first gate that ends at x if the next one ends at y.
      const uint32_t stage = std::max(x.firstStage, y.firstStage - 2);
      const uint32_t gate = stage / 2 - 1;
      if (gate + 1 < gates_.size() && (x.firstStage == stage || isPost(gate, x)) &&
          (y.firstStage == stage + 2 || isPost(gate + 1, y))) {
        const uint32_t id = passes_->find(gates_[gate], gates_[gate + 1]);
        if (id != kNone) return known(id, gate, x.side < 0, y.side < 0);
      }
    }
    const Tangent tangent = tangentBetween(x, y);
    return {&own_.emplace_back(tangent.direction, tangent.length)};
  }

  // From a post of a gate to one of the next, by the pass between them.
  Way known(uint32_t pass, uint32_t gate, bool fromRight, bool toRight) {
    return {&passes_->measured(pass, DiskPass::way(fromRight, toRight), gates_[gate], gates_[gate + 1]), gate};
  }

  // Whether an arc from the end of one way to the begin of the next, around a post on that side, has not to be
  // measured.
  bool isQuiet(const Way& to, const Way& from, bool right) {
    if (!(to.tangent->clear & from.tangent->clear & to.tangent->quietEnd & from.tangent->quietBegin)) return false;
    if (to.gate >= from.gate || to.toStep() > from.fromStep()) return false;
    for (uint32_t gate = to.gate + 1; gate < from.gate; ++gate) {
      if (!passes_->isQuietAt(gates_[gate], !right, gate > to.gate + 1)) return false;
    }
    return true;
  }

 private:
  bool isPost(uint32_t gate, const DiskContact& contact) const {
    return passes_->isPost(gates_[gate], contact.side > 0, contact);
  }

  DiskPasses* passes_;
  std::span<const CrossingId> gates_;
  std::vector<PostTangent>& own_;
};

}  // namespace wend
