#include "planning/disk/circle_funnel.h"

namespace wend {
namespace {

// True if a path bends around a contact on that side, between two directions, or passes it. A way straight back is no
// bend: both contacts lie along one wall, and the second should have come first.
inline bool bends(Vec2 first, Vec2 second, double side) {
  constexpr double kBack = 1e-6;
  const double turn = side * cross(first, second);
  if (dot(first, second) >= 0) return turn >= 0;
  return turn > 0 && turn * turn >= kBack * kBack * dot(first, first) * dot(second, second);
}
// How the path from the apex to p, `way`, lies to `first`, the first contact of the other chain. Where p lies beyond
// the tangent to that and behind it, the path must go around it. (In front of the circle p is in reach without a
// turn; only a turn of more than 180 degrees would lead around.) Where p lies beyond the tangent, too, but in front
// of `first` and nearer, the path must turn at p to pass `first` on the right side.
enum class Overtake : uint8_t { kNone, kAround, kBefore };
[[gnu::always_inline]] inline Overtake overtakeOf(const CircleFunnel::Link& apex, const CircleFunnel::Link& first,
                                                  Vec2 way, const DiskContact& p, double side) {
  const double beyond = side * cross(first.in, way);
  if (beyond < 0) return Overtake::kNone;
  if (side * cross(first.in, heading(first.contact, p)) > 0) return Overtake::kAround;
  const bool isBefore = beyond > 0 && p.side != 0 && dot(first.in, p.centre - apex.contact.centre) > 0 &&
                        dot(first.in, first.contact.centre - p.centre) > 0;
  return isBefore ? Overtake::kBefore : Overtake::kNone;
}

}  // namespace

CircleFunnel::CircleFunnel(size_t contacts, std::vector<Link>& chain, std::vector<DiskContact>& taut)
    : chain_(chain), taut_(taut) {
  if (chain_.size() < 2 * contacts + 3) chain_.resize(2 * contacts + 3);
  left_ = right_ = apex_ = contacts + 1;
  chain_[apex_].contact = taut_.back();
}

void CircleFunnel::addPortal(const DiskContact& left, const DiskContact& right) {
  if (isSame(chain_[left_].contact, left)) {
    extend(left_, left);
    addRight(right);
    return;
  }
  Vec2 way = heading(chain_[left_].contact, left);
  size_t link = left_;
  while (link < apex_ && !bends(chain_[link].in, way, 1)) way = heading(chain_[++link].contact, left);
  bool rightFirst = false;
  if (link == apex_ && right_ > apex_ &&
      overtakeOf(chain_[apex_], chain_[apex_ + 1], way, left, -1) == Overtake::kAround) {
    const Vec2 other = heading(chain_[apex_].contact, right);
    rightFirst = overtakeOf(chain_[apex_], {right, other}, way, left, -1) != Overtake::kBefore;
  } else if (link == apex_ && left_ < apex_) {
    const Vec2 other = heading(chain_[apex_].contact, right);
    rightFirst = overtakeOf(chain_[apex_], {left, way}, other, right, 1) == Overtake::kBefore;
  }
  if (rightFirst) {
    addRight(right);
    addLeft(left);
  } else {
    left_ = link;
    addLeft(left, way);
    addRight(right);
  }
}

void CircleFunnel::finish(const DiskContact& end) {
  if (end.side > 0) {
    addLeft(end);
    for (size_t i = apex_; i-- > left_;) taut_.push_back(chain_[i].contact);
  } else {
    addRight(end);
    for (size_t i = apex_ + 1; i <= right_; ++i) taut_.push_back(chain_[i].contact);
  }
  if (taut_.back().radius != end.radius || taut_.back().centre != end.centre) taut_.push_back(end);
  taut_.back().side = end.side;
}

void CircleFunnel::addRight(const DiskContact& p) {
  if (isSame(chain_[right_].contact, p)) {
    extend(right_, p);
    return;
  }
  Vec2 way = heading(chain_[right_].contact, p);
  while (right_ > apex_ && !bends(chain_[right_].in, way, -1)) way = heading(chain_[--right_].contact, p);
  while (right_ == apex_ && left_ < apex_) {
    const Overtake overtake = overtakeOf(chain_[apex_], chain_[apex_ - 1], way, p, 1);
    if (overtake == Overtake::kNone) break;
    if (overtake == Overtake::kBefore) {
      turnFirst(p, chain_[apex_ - 1]);
      return;
    }
    --apex_;
    taut_.push_back(chain_[apex_].contact);
    right_ = apex_;
    way = heading(chain_[apex_].contact, p);
  }
  if (!isSame(chain_[right_].contact, p)) {
    chain_[++right_] = {p, way};
  } else {
    extend(right_, p);
  }
}

void CircleFunnel::addLeft(const DiskContact& p) {
  if (isSame(chain_[left_].contact, p)) {
    extend(left_, p);
    return;
  }
  Vec2 way = heading(chain_[left_].contact, p);
  while (left_ < apex_ && !bends(chain_[left_].in, way, 1)) way = heading(chain_[++left_].contact, p);
  addLeft(p, way);
}

void CircleFunnel::addLeft(const DiskContact& p, Vec2 way) {
  while (left_ == apex_ && right_ > apex_) {
    const Overtake overtake = overtakeOf(chain_[apex_], chain_[apex_ + 1], way, p, -1);
    if (overtake == Overtake::kNone) break;
    if (overtake == Overtake::kBefore) {
      turnFirst(p, chain_[apex_ + 1]);
      return;
    }
    ++apex_;
    taut_.push_back(chain_[apex_].contact);
    left_ = apex_;
    way = heading(chain_[apex_].contact, p);
  }
  if (!isSame(chain_[left_].contact, p)) {
    chain_[--left_] = {p, way};
  } else {
    extend(left_, p);
  }
}

void CircleFunnel::turnFirst(const DiskContact& p, Link& first) {
  chain_[apex_].contact = p;
  first.in = heading(p, first.contact);
  taut_.push_back(p);
}

}  // namespace wend
