#include "crowd/neighbours.h"

#include <algorithm>

namespace wend {
namespace {

// The nearest few by (distance, id). Keeps more than are wanted in the end, since walls may hide some.
template <uint32_t kRoom>
struct NearestFew {
  uint32_t count = 0;
  std::array<float, kRoom> squares;
  std::array<uint32_t, kRoom> slots;
  bool overflow = false;

  float limit() const { return count < kRoom ? HUGE_VALF : squares[kRoom - 1]; }
  void add(float square, uint32_t slot, const std::vector<AgentId>& ids) {
    const auto comesBefore = [&](uint32_t at) {
      return square != squares[at] ? square < squares[at] : ids[slot] < ids[slots[at]];
    };
    uint32_t at = count;
    if (count == kRoom) {
      overflow = true;
      if (!comesBefore(kRoom - 1)) return;
      at = kRoom - 1;
    } else {
      ++count;
    }
    for (; at > 0 && comesBefore(at - 1); --at) {
      squares[at] = squares[at - 1];
      slots[at] = slots[at - 1];
    }
    squares[at] = square;
    slots[at] = slot;
  }
};

constexpr uint32_t kViewRoom = 20;
constexpr uint32_t kContactRoom = 24;

}  // namespace

struct Neighbours::Search {
  uint32_t self;
  Vec2f facing;
  float radius;
  bool early;  // look at walls at once: what is hidden must not take the room
  NearestFew<kViewRoom> view;
  NearestFew<kContactRoom> contacts;
};

Vec2f Neighbours::between(uint32_t i, uint32_t j) const {
  int64_t dx = static_cast<int64_t>(agents_.x[j]) - agents_.x[i];
  if (seam_.period > 0) {
    if (2 * dx > seam_.period) dx -= seam_.period;
    if (2 * dx < -seam_.period) dx += seam_.period;
  }
  const int64_t dy = static_cast<int64_t>(agents_.y[j]) - agents_.y[i];
  return {static_cast<float>(dx) * unit_, static_cast<float>(dy) * unit_};
}

bool Neighbours::see(uint32_t i, uint32_t j, float squaredDistance) const {
  const CellId a = agents_.cell[i];
  const CellId b = agents_.cell[j];
  if (a == b && ground_.isOpen(a)) return true;
  if (!ground_.isNearConnection(a) || !ground_.isNearConnection(b)) {
    if (ground_.mesh().layerOf(a) != ground_.mesh().layerOf(b)) return false;
    // Here nothing of the own layer can lie over or under the empty disk around an agent.
    const float free = std::max(agents_.body[i].free, agents_.body[j].free);
    if (squaredDistance < free * free) return true;
  }
  if (seam_.period > 0) {
    const int64_t dx = static_cast<int64_t>(agents_.x[j]) - agents_.x[i];
    if (2 * std::abs(dx) > seam_.period) return true;
  }
  // Always from the same end, so that both come to the same answer.
  const bool forwards = agents_.id[i] < agents_.id[j];
  const uint32_t from = forwards ? i : j;
  const uint32_t to = forwards ? j : i;
  const GroundTrace trace = ground_.trace(agents_.cell[from], toVec2(agents_.at(from)), toVec2(agents_.at(to)));
  if (trace.blocked) return false;
  const CellId end = agents_.cell[to];
  if (trace.cell == end) return true;
  if (ground_.mesh().layerOf(trace.cell) == ground_.mesh().layerOf(end) && ground_.holds(trace.cell, agents_.at(to))) {
    return true;
  }
  // On a border between cells the walk may end on either side.
  for (const Ground::Side* s = ground_.firstSide(trace.cell); s != ground_.endSide(trace.cell); ++s) {
    if (s->neighbour == end) return true;
  }
  return false;
}

void Neighbours::scan(Search& search, int32_t x) const {
  const uint32_t i = search.self;
  const int32_t y = agents_.y[i];
  const float contactRange = search.radius + largestRadius_ + contactReach_;
  const int32_t* xs = agents_.x.data();
  const int32_t* ys = agents_.y.data();
  const auto visit = [&](uint32_t begin, uint32_t end) {
    for (uint32_t j = begin; j < end; ++j) {
      const Vec2f w{static_cast<float>(xs[j] - x) * unit_, static_cast<float>(ys[j] - y) * unit_};
      const float square = dot(w, w);
      const bool near = square < contactRange * contactRange;
      if (!near && (square > search.view.limit() || dot(w, search.facing) <= kBehind)) continue;
      if (j == i || square > kViewRange * kViewRange) continue;
      if (seam_.period > 0 && 2 * std::abs(static_cast<int64_t>(xs[j]) - x) > seam_.period) continue;
      if (search.early && !see(i, j, square)) continue;
      const float sum = search.radius + agents_.radius[j];
      if (near) {
        const float reach = sum + contactReach_;
        if (square < reach * reach) search.contacts.add(square, j, agents_.id);
      }
      if (square <= search.view.limit() && (dot(w, search.facing) > kBehind || square < sum * sum)) {
        search.view.add(square, j, agents_.id);
      }
    }
  };
  const auto done = [&](double units) {
    const float distance = static_cast<float>(units) * unit_;
    return distance >= contactRange && (distance >= kViewRange || distance * distance > search.view.limit());
  };
  grid_.around(x, y, visit, done);
}

void Neighbours::find(uint32_t i, NeighbourList& view, ContactList& contacts) const {
  const Body& body = agents_.body[i];
  const Vec2f facing = body.looksAround ? Vec2f{} : direction(body.preferred, {});
  Search search{i, facing, agents_.radius[i], false, {}, {}};
  for (const bool early : {false, true}) {
    search.early = early;
    search.view.count = search.contacts.count = 0;
    search.view.overflow = search.contacts.overflow = false;
    scan(search, agents_.x[i]);
    if (seam_.period > 0) {
      const auto range = static_cast<int64_t>(kViewRange / unit_);
      const int64_t x = agents_.x[i];
      if (x - seam_.from < range) scan(search, static_cast<int32_t>(x + seam_.period));
      if (seam_.from + seam_.period - x < range) scan(search, static_cast<int32_t>(x - seam_.period));
    }
    view.count = contacts.count = 0;
    for (uint32_t n = 0; n < search.view.count && view.count < kAvoidNeighbours; ++n) {
      if (early || see(i, search.view.slots[n], search.view.squares[n])) {
        view.slots[view.count++] = search.view.slots[n];
      }
    }
    for (uint32_t n = 0; n < search.contacts.count && contacts.count < kMaxContacts; ++n) {
      if (early || see(i, search.contacts.slots[n], search.contacts.squares[n])) {
        contacts.slots[contacts.count++] = search.contacts.slots[n];
      }
    }
    const bool enough = (view.count == kAvoidNeighbours || !search.view.overflow) &&
                        (contacts.count == kMaxContacts || !search.contacts.overflow);
    if (enough) return;
  }
}

}  // namespace wend
