#include "crowd/neighbours/neighbours.h"

#include <algorithm>

namespace wend {
namespace {

// How many there should be in a whole circle, over pi, for enough ahead.
constexpr double kExpected = 2 * 15 / 3.14159265;
// Of more than can be ranked these are kept, since walls may hide some.
constexpr uint32_t kKept = 32;
// The farthest in view may walk away until the next step.
constexpr float kReachFactor = 1.05F;
constexpr float kReachMargin = 0.1F;  // metres

}  // namespace

struct Neighbours::Search {
  Lookout from;
  float contactRange = 0;
  float range = 0;                   // metres searched
  bool early = false;                // test sight at once: hidden agents must not fill the list
  std::array<SlotRange, 32> ranges;  // to be searched, together at most Candidates::kCapacity slots
  uint32_t rangeCount = 0;
  uint32_t collected = 0;
  Candidates view;
  Candidates contacts;
};

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
  bool layered = false;
  if (!isFlat_) {
    layered = ground_.isNearConnection(a.cell) || ground_.isNearConnection(b.cell);
    const bool joined = ground_.isNearConnection(a.cell) && ground_.isNearConnection(b.cell);
    if (!joined && ground_.mesh().layerOf(a.cell) != ground_.mesh().layerOf(b.cell)) return false;
  }
  // Far from connections nothing of the own layer can lie over or under an empty disk.
  if (!layered) {
    const float free = std::max(a.free, b.free);
    if (squaredDistance < free * free) return true;
    if (isIn(agents_.open[i], b.at) || isIn(agents_.open[j], a.at)) return true;
  }
  if (strip_.period > 0 && 2 * std::abs(static_cast<int64_t>(b.at.x) - a.at.x) > strip_.period) return true;
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

// Drops the candidates from that one on that lie beyond the border of the period.
void Neighbours::dropBeyondBorder(Candidates& candidates, uint32_t from, int32_t x) const {
  uint32_t kept = from;
  for (uint32_t n = from; n < candidates.count; ++n) {
    const uint32_t slot = candidates.slots[n];
    if (2 * std::abs(static_cast<int64_t>(agents_.startX[slot]) - x) > strip_.period) continue;
    candidates.squares[kept] = candidates.squares[n];
    candidates.slots[kept++] = slot;
  }
  candidates.count = kept;
}

void Neighbours::dropHidden(uint32_t i, Candidates& candidates, uint32_t from) const {
  uint32_t kept = from;
  for (uint32_t n = from; n < candidates.count; ++n) {
    const uint32_t slot = candidates.slots[n];
    const float square = candidates.squares[n];
    if (!see(i, slot, square)) continue;
    candidates.squares[kept] = square;
    candidates.slots[kept++] = slot;
  }
  candidates.count = kept;
}

// The order is exact also where distances are equal: then by id.
void Neighbours::order(Candidates& candidates, std::array<uint8_t, Candidates::kCapacity>& order) const {
  if (lanes_.rank(candidates, order)) return;
  for (uint32_t n = 0; n < candidates.count; ++n) order[n] = static_cast<uint8_t>(n);
  std::sort(order.begin(), order.begin() + candidates.count, [&](uint8_t a, uint8_t b) {
    const float first = candidates.squares[a];
    const float second = candidates.squares[b];
    return first != second ? first < second : agents_.id[candidates.slots[a]] < agents_.id[candidates.slots[b]];
  });
}

// Keeps the nearest `most` candidates. A dropped one is not among the nearest few of all either.
void Neighbours::keepNearest(Candidates& candidates, uint32_t most) const {
  if (candidates.count <= most) return;
  struct Other {
    float square;
    AgentId id;
    uint32_t slot;
  };
  std::array<Other, 2 * Candidates::kCapacity> others;
  for (uint32_t n = 0; n < candidates.count; ++n) {
    others[n] = {candidates.squares[n], agents_.id[candidates.slots[n]], candidates.slots[n]};
  }
  std::nth_element(
      others.begin(), others.begin() + kKept, others.begin() + candidates.count,
      [](const Other& a, const Other& b) { return a.square != b.square ? a.square < b.square : a.id < b.id; });
  candidates.cut = true;
  candidates.count = kKept;
  for (uint32_t n = 0; n < kKept; ++n) {
    candidates.squares[n] = others[n].square;
    candidates.slots[n] = others[n].slot;
  }
}

// Looks at what was collected.
void Neighbours::look(Search& search) const {
  const uint32_t inView = search.view.count;
  const uint32_t inContact = search.contacts.count;
  lanes_.look(search.from, {agents_.startX.data(), agents_.startY.data(), agents_.startRadius.data()},
              std::span(search.ranges).first(search.rangeCount), search.view, search.contacts);
  search.rangeCount = search.collected = 0;
  if (strip_.period > 0) {
    dropBeyondBorder(search.view, inView, search.from.x);
    dropBeyondBorder(search.contacts, inContact, search.from.x);
  }
  if (search.early) {
    dropHidden(search.from.self, search.view, inView);
    dropHidden(search.from.self, search.contacts, inContact);
  }
  keepNearest(search.view, Candidates::kCapacity);
  keepNearest(search.contacts, Candidates::kCapacity);
}

void Neighbours::scan(Search& search, int32_t x) const {
  search.from.x = x;
  const Vec2f facing = search.from.facing;
  const NeighbourGrid::Facing half{facing.x, facing.y, std::max(search.contactRange, -kBehind) / unit_};
  const float range = std::max(search.range, search.contactRange) / unit_;
  grid_.disk(x, search.from.y, range, half, [&](uint32_t begin, uint32_t end) {
    while (begin < end) {
      const uint32_t n = std::min(Candidates::kCapacity - search.collected, end - begin);
      search.ranges[search.rangeCount++] = {begin, begin + n};
      search.collected += n;
      begin += n;
      if (search.collected == Candidates::kCapacity || search.rangeCount == search.ranges.size()) look(search);
    }
  });
  if (search.rangeCount > 0) look(search);
}

// The nearest of the candidates in sight. False if dropped ones may belong to them.
bool Neighbours::choose(uint32_t i, bool early, Candidates& candidates, std::span<uint32_t> slots,
                        uint32_t& count) const {
  if (candidates.cut) keepNearest(candidates, kKept);
  std::array<uint8_t, Candidates::kCapacity> nearest;
  order(candidates, nearest);
  count = 0;
  for (uint32_t n = 0; n < candidates.count && count < slots.size(); ++n) {
    const uint32_t slot = candidates.slots[nearest[n]];
    if (early || see(i, slot, candidates.squares[nearest[n]])) slots[count++] = slot;
  }
  return count == slots.size() || !candidates.cut || early;
}

// A radius around an agent within which there should be enough people ahead, judged by how many are near.
float Neighbours::guess(uint32_t i) const {
  const double side = static_cast<double>(grid_.sideUnits()) * unit_;
  const double perArea = (grid_.countAround(agents_.startX[i], agents_.startY[i]) + 0.5) / (9 * side * side);
  return std::min(kViewRange, static_cast<float>(std::sqrt(kExpected / perArea)));
}

void Neighbours::find(uint32_t i, float& reach, NeighbourList& view, ContactList& contacts) const {
  const Motion& motion = agents_.motion[i];
  Search search;
  search.from.self = i;
  search.from.y = agents_.startY[i];
  search.from.unit = unit_;
  search.from.facing = motion.looksAround ? Vec2f{} : direction(motion.preferred, {});
  search.from.behind = kBehind;
  search.from.radius = agents_.startRadius[i];
  search.from.contactReach = contactReach_;
  search.contactRange = search.from.radius + largestRadius_ + contactReach_;
  search.range = reach > 0 ? std::min(reach, kViewRange) : guess(i);
  while (true) {
    search.view.count = search.contacts.count = 0;
    search.view.cut = search.contacts.cut = false;
    search.from.limit = search.range * search.range;
    const int32_t x = agents_.startX[i];
    scan(search, x);
    if (strip_.period > 0) {
      const auto range = static_cast<int64_t>(kViewRange / unit_);
      if (x - strip_.from < range) scan(search, static_cast<int32_t>(x + strip_.period));
      if (strip_.from + strip_.period - x < range) scan(search, static_cast<int32_t>(x - strip_.period));
    }
    const bool all = choose(i, search.early, search.view, view.slots, view.count) &&
                     choose(i, search.early, search.contacts, contacts.slots, contacts.count);
    if (!all) {
      search.early = true;
    } else if (view.count < kAvoidNeighbours && search.range < kViewRange) {
      search.range = std::min(kViewRange, 1.6F * search.range);
    } else {
      break;
    }
  }
  reach = kViewRange;
  if (view.count < kAvoidNeighbours) return;
  const Vec2f last = between(i, view.slots[view.count - 1]);
  reach = std::min(kViewRange, kReachFactor * length(last) + kReachMargin);
}

}  // namespace wend
