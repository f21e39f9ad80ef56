#include "geometry/ring_sweep.h"

#include <algorithm>
#include <functional>

#include "geometry/predicates.h"

namespace wend {
namespace {

// A level and a chain as one number, in the order of levels.
uint64_t eventOf(int32_t y, uint32_t chain) {
  return uint64_t{static_cast<uint32_t>(y) ^ 0x80000000U} << 32 | chain;
}
int32_t levelOf(uint64_t event) {
  return static_cast<int32_t>(static_cast<uint32_t>(event >> 32) ^ 0x80000000U);
}

}  // namespace

RingSweep::RingSweep(std::span<const Segment> sides, std::span<const uint32_t> ringBegin)
    : sides_(sides), active_(Order{this}) {
  upwards_.reserve(sides.size());
  for (size_t r = 0; r + 1 < ringBegin.size(); ++r) addChains(ringBegin[r], ringBegin[r + 1]);
  std::sort(starts_.begin(), starts_.end(), std::greater<>());
  std::sort(ends_.begin(), ends_.end(), std::greater<>());
  place_.resize(at_.size());
}

// Level sides are left out: no level just above a vertex passes through them.
void RingSweep::addChains(uint32_t begin, uint32_t end) {
  const auto goesUp = [&](uint32_t side) { return sides_[side].a.y < sides_[side].b.y; };
  uint32_t side = begin;
  for (uint32_t i = begin; i < end; ++i) {
    if (sides_[i].a.y < sides_[side].a.y) side = i;
  }
  auto first = static_cast<uint32_t>(upwards_.size());
  for (uint32_t i = begin; i < end; ++i, side = side + 1 == end ? begin : side + 1) {
    if (sides_[side].a.y == sides_[side].b.y) continue;
    if (first < upwards_.size() && goesUp(side) != goesUp(upwards_.back())) {
      addChain(first);
      first = static_cast<uint32_t>(upwards_.size());
    }
    upwards_.push_back(side);
  }
  if (first < upwards_.size()) addChain(first);
}

void RingSweep::addChain(uint32_t begin) {
  if (sides_[upwards_[begin]].a.y > sides_[upwards_[begin]].b.y) {
    std::reverse(upwards_.begin() + begin, upwards_.end());
  }
  const auto chain = static_cast<uint32_t>(at_.size());
  at_.push_back(begin);
  starts_.push_back(eventOf(low(upwards_[begin]).y, chain));
  ends_.push_back(eventOf(high(upwards_.back()).y, chain));
}

uint32_t RingSweep::leftOf(Point p) {
  climbTo(p.y);
  const auto after = active_.lower_bound(p);
  return after == active_.begin() ? kNone : sideOf(*std::prev(after));
}

// Levels pass in order, and each takes chains out before it puts others in.
void RingSweep::climbTo(int32_t y) {
  while (!starts_.empty() && levelOf(starts_.back()) <= y) {
    removeBelow(levelOf(starts_.back()));
    // Two chains begin in each lowest vertex, side by side.
    auto beside = active_.end();
    for (; !starts_.empty() && levelOf(starts_.back()) == level_; starts_.pop_back()) {
      const auto chain = static_cast<uint32_t>(starts_.back());
      beside = place_[chain] = active_.insert(beside, chain);
    }
  }
  removeBelow(y);
}

void RingSweep::removeBelow(int32_t y) {
  level_ = y;
  for (; !ends_.empty() && levelOf(ends_.back()) <= y; ends_.pop_back()) {
    active_.erase(place_[static_cast<uint32_t>(ends_.back())]);
  }
}

bool RingSweep::Order::operator()(uint32_t p, uint32_t q) const {
  if (p == q) return false;
  const uint32_t s = sweep->sideOf(p);
  const uint32_t t = sweep->sideOf(q);
  const Point lowS = sweep->low(s);
  const Point lowT = sweep->low(t);
  if (lowS.y >= lowT.y) {
    const int turn = orient(lowT, sweep->high(t), lowS);
    return turn != 0 ? turn > 0 : orient(lowT, sweep->high(t), sweep->high(s)) > 0;
  }
  const int turn = orient(lowS, sweep->high(s), lowT);
  return turn != 0 ? turn < 0 : orient(lowS, sweep->high(s), sweep->high(t)) < 0;
}

bool RingSweep::Order::operator()(uint32_t chain, Point p) const {
  const uint32_t side = sweep->sideOf(chain);
  return orient(sweep->low(side), sweep->high(side), p) < 0;
}

bool RingSweep::Order::operator()(Point p, uint32_t chain) const {
  const uint32_t side = sweep->sideOf(chain);
  return orient(sweep->low(side), sweep->high(side), p) > 0;
}

}  // namespace wend
