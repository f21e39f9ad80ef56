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

  bool isFull() const { return count == kRoom; }
  float limit() const { return count < kRoom ? HUGE_VALF : squares[kRoom - 1]; }
  void add(float square, uint32_t slot, const std::vector<AgentId>& ids) {
    const auto comesBefore = [&](uint32_t at) {
      return square != squares[at] ? square < squares[at] : ids[slot] < ids[slots[at]];
    };
    uint32_t at = count;
    if (count == kRoom) {
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
// How many there should be in a whole circle, over pi, for enough ahead.
constexpr double kExpected = 2 * 15 / 3.14159265;
constexpr uint32_t kContactRoom = 20;
// Agents looked at in one go; so many distances stay in registers and the first cache.
constexpr uint32_t kChunk = 64;

}  // namespace

struct Neighbours::Search {
  uint32_t self = 0;
  Vec2f facing;
  float radius = 0;
  float contactRange = 0;
  float range = 0;     // metres looked at
  bool early = false;  // look at walls at once: what is hidden must not take the room
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

bool Neighbours::isIn(const OpenDisk& disk, Point p) const {
  if (!(disk.radius > 0)) return false;
  const float dx = static_cast<float>(static_cast<int64_t>(p.x) - disk.centre.x) * unit_;
  const float dy = static_cast<float>(static_cast<int64_t>(p.y) - disk.centre.y) * unit_;
  return dx * dx + dy * dy < disk.radius * disk.radius;
}

bool Neighbours::see(uint32_t i, uint32_t j, float squaredDistance) const {
  const Glance& a = agents_.glance[i];
  const Glance& b = agents_.glance[j];
  if (a.cell == b.cell && ground_.isOpen(a.cell)) return true;
  const bool layered = ground_.isNearConnection(a.cell) || ground_.isNearConnection(b.cell);
  const bool joined = ground_.isNearConnection(a.cell) && ground_.isNearConnection(b.cell);
  if (!joined && ground_.mesh().layerOf(a.cell) != ground_.mesh().layerOf(b.cell)) return false;
  // Far from connections nothing of the own layer can lie over or under an empty disk.
  if (!layered) {
    const float free = std::max(a.free, b.free);
    if (squaredDistance < free * free) return true;
    if (isIn(agents_.open[i], b.at) || isIn(agents_.open[j], a.at)) return true;
  }
  if (seam_.period > 0 && 2 * std::abs(static_cast<int64_t>(b.at.x) - a.at.x) > seam_.period) return true;
  // Always from the same end, so that both come to the same answer.
  const Glance& from = a.id < b.id ? a : b;
  const Glance& to = a.id < b.id ? b : a;
  const GroundTrace trace = ground_.trace(from.cell, toVec2(from.at), toVec2(to.at));
  if (trace.blocked) return false;
  if (trace.cell == to.cell) return true;
  if (ground_.mesh().layerOf(trace.cell) == ground_.mesh().layerOf(to.cell) && ground_.holds(trace.cell, to.at)) {
    return true;
  }
  // On a border between cells the walk may end on either side.
  for (const Ground::Side* s = ground_.firstSide(trace.cell); s != ground_.endSide(trace.cell); ++s) {
    if (s->neighbour == to.cell) return true;
  }
  return false;
}

// Looks at the agents in slots begin to end from a place with that x: distances first, without branches, then the few
// that are near enough.
void Neighbours::look(Search& search, int32_t x, uint32_t begin, uint32_t end) const {
  const uint32_t i = search.self;
  const int32_t y = agents_.y[i];
  const int32_t* xs = agents_.x.data();
  const int32_t* ys = agents_.y.data();
  const float contactSquare = search.contactRange * search.contactRange;
  std::array<float, kChunk> squares;
  std::array<float, kChunk> ahead;
  std::array<uint32_t, kChunk> kept;
  for (uint32_t first = begin; first < end; first += kChunk) {
    const uint32_t n = std::min(kChunk, end - first);
    for (uint32_t k = 0; k < n; ++k) {
      const float wx = static_cast<float>(xs[first + k] - x) * unit_;
      const float wy = static_cast<float>(ys[first + k] - y) * unit_;
      squares[k] = wx * wx + wy * wy;
      ahead[k] = wx * search.facing.x + wy * search.facing.y;
    }
    const float limit = std::min(search.view.limit(), search.range * search.range);
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; ++k) {
      kept[count] = k;
      // Without branches: half of them would be guessed wrong.
      const auto inView = static_cast<uint32_t>(squares[k] <= limit) & static_cast<uint32_t>(ahead[k] > kBehind);
      count += inView | static_cast<uint32_t>(squares[k] < contactSquare);
    }
    for (uint32_t m = 0; m < count; ++m) {
      const uint32_t j = first + kept[m];
      if (j != i) consider(search, x, j, squares[kept[m]], ahead[kept[m]]);
    }
  }
}

void Neighbours::consider(Search& search, int32_t x, uint32_t j, float square, float ahead) const {
  if (seam_.period > 0 && 2 * std::abs(static_cast<int64_t>(agents_.x[j]) - x) > seam_.period) return;
  if (search.early && !see(search.self, j, square)) return;
  const float range = std::min(search.view.limit(), search.range * search.range);
  if (square < search.contactRange * search.contactRange) {
    const float sum = search.radius + agents_.glance[j].radius;
    const float reach = sum + contactReach_;
    if (square < reach * reach) search.contacts.add(square, j, agents_.id);
    if (square <= range && (ahead > kBehind || square < sum * sum)) search.view.add(square, j, agents_.id);
  } else if (square <= range) {
    search.view.add(square, j, agents_.id);
  }
}

void Neighbours::scan(Search& search, int32_t x) const {
  const NeighbourGrid::Facing facing{search.facing.x, search.facing.y, std::max(search.contactRange, -kBehind) / unit_};
  const auto side = static_cast<float>(grid_.sideUnits()) * unit_;
  const auto rings = static_cast<int64_t>(std::ceil(std::max(search.range, search.contactRange) / side));
  grid_.square(x, agents_.y[search.self], rings, facing,
               [&](uint32_t begin, uint32_t end) { look(search, x, begin, end); });
}

// A radius around an agent within which there should be enough people ahead, judged by how many are near.
float Neighbours::guess(uint32_t i) const {
  const double side = static_cast<double>(grid_.sideUnits()) * unit_;
  const double perArea = (grid_.countAround(agents_.x[i], agents_.y[i]) + 0.5) / (9 * side * side);
  return std::min(kViewRange, static_cast<float>(std::sqrt(kExpected / perArea)));
}

void Neighbours::find(uint32_t i, NeighbourList& view, ContactList& contacts) const {
  const Body& body = agents_.body[i];
  Search search;
  search.self = i;
  search.facing = body.looksAround ? Vec2f{} : direction(body.preferred, {});
  search.radius = agents_.radius[i];
  search.contactRange = search.radius + largestRadius_ + contactReach_;
  search.range = guess(i);
  while (true) {
    search.view.count = search.contacts.count = 0;
    scan(search, agents_.x[i]);
    if (seam_.period > 0) {
      const auto range = static_cast<int64_t>(kViewRange / unit_);
      const int64_t x = agents_.x[i];
      if (x - seam_.from < range) scan(search, static_cast<int32_t>(x + seam_.period));
      if (seam_.from + seam_.period - x < range) scan(search, static_cast<int32_t>(x - seam_.period));
    }
    view.count = contacts.count = 0;
    for (uint32_t n = 0; n < search.view.count && view.count < kAvoidNeighbours; ++n) {
      if (search.early || see(i, search.view.slots[n], search.view.squares[n])) {
        view.slots[view.count++] = search.view.slots[n];
      }
    }
    for (uint32_t n = 0; n < search.contacts.count && contacts.count < kMaxContacts; ++n) {
      if (search.early || see(i, search.contacts.slots[n], search.contacts.squares[n])) {
        contacts.slots[contacts.count++] = search.contacts.slots[n];
      }
    }
    const bool crowded = (view.count < kAvoidNeighbours && search.view.isFull()) ||
                         (contacts.count < kMaxContacts && search.contacts.isFull());
    if (crowded && !search.early) {
      search.early = true;
    } else if (view.count < kAvoidNeighbours && search.range < kViewRange) {
      search.range = std::min(kViewRange, 1.6F * search.range);
    } else {
      return;
    }
  }
}

}  // namespace wend
