#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "environment/extract/exact/drawing/patch_borders.h"

// A filled crack ends where it meets a third patch, or other filled cracks. Its short end leads on there: otherwise a
// hole as wide as the crack would narrow the passage.
namespace wend::exact {
namespace {

double lengthOf(Point a, Point b) {
  return std::hypot(double(b.x) - a.x, double(b.y) - a.y);
}

bool isOneOf(const std::vector<Point>& sorted, Point p) {
  return std::binary_search(sorted.begin(), sorted.end(), p);
}

// How far a walk turns to the left from (a, b) to (b, c), radians. Back to where it came from is the sharpest turn to
// the right.
double turnOf(Point a, Point b, Point c) {
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  const double u = double(c.x) - b.x;
  const double v = double(c.y) - b.y;
  const double turn = std::atan2(x * v - y * u, x * u + y * v);
  return turn > std::numbers::pi - 1e-9 ? -turn : turn;
}

// Whether the triangles from the first corner to all sides are counter-clockwise.
bool isFan(const CrackFilling& filling) {
  for (uint32_t i = 1; i + 1 < filling.count; ++i) {
    if (orient(filling.p[0], filling.p[i], filling.p[i + 1]) <= 0) return false;
  }
  return true;
}

void rotate(CrackFilling& filling) {
  const auto turn = [&](auto& list) { std::rotate(list.begin(), list.begin() + 1, list.begin() + filling.count); };
  turn(filling.p);
  turn(filling.z);
  turn(filling.partner);
}

}  // namespace

void PatchBorders::joinEnds(const Facets& facets) {
  std::vector<Opening> openings;
  for (uint32_t i = 0; i < fillings_.size(); ++i) addEnds(i, openings);
  const size_t ofFillings = openings.size();
  if (ofFillings == 0) return;
  std::vector<Point> ends;
  for (const Opening& opening : openings) ends.insert(ends.end(), {opening.a, opening.b});
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  addLeftOvers(facets, ends, openings);

  std::vector<uint32_t> byStart(openings.size());
  for (uint32_t i = 0; i < byStart.size(); ++i) byStart[i] = i;
  std::sort(byStart.begin(), byStart.end(), [&](uint32_t i, uint32_t k) {
    return openings[i].a != openings[k].a ? openings[i].a < openings[k].a : i < k;
  });
  std::vector<uint8_t> used(openings.size(), 0);
  // Of those that begin where one ends, the next around what is left open on its right.
  const auto nextOf = [&](const Opening& from) {
    auto it = std::lower_bound(byStart.begin(), byStart.end(), from.b,
                               [&](uint32_t i, Point p) { return openings[i].a < p; });
    uint32_t best = kNone;
    double least = 0;
    for (; it != byStart.end() && openings[*it].a == from.b; ++it) {
      const double turn = turnOf(from.a, from.b, openings[*it].b);
      if (used[*it] != 0 || (best != kNone && turn >= least)) continue;
      best = *it;
      least = turn;
    }
    return best;
  };
  std::vector<uint32_t> around;
  for (uint32_t first = 0; first < ofFillings; ++first) {
    if (used[first] != 0) continue;
    around.assign(1, first);
    bool closed = false;
    while (!closed && around.size() < CrackFilling::kMostCorners) {
      const uint32_t next = nextOf(openings[around.back()]);
      if (next == kNone || std::find(around.begin(), around.end(), next) != around.end()) break;
      around.push_back(next);
      closed = openings[next].b == openings[first].a;
    }
    if (!closed || !joinAround(openings, around)) continue;
    for (const uint32_t i : around) used[i] = 1;
  }
  std::sort(endLinks_.begin(), endLinks_.end());
}

void PatchBorders::addEnds(uint32_t filling, std::vector<Opening>& openings) const {
  const CrackFilling& f = fillings_[filling];
  for (uint32_t i = 1; i < f.count; ++i) {
    if (f.partner[i] != kNone) continue;
    const uint32_t next = i + 1 == f.count ? 0 : i + 1;
    openings.push_back({f.p[i], f.p[next], firstFilling() + filling, i, f.z[i], f.z[next], f.layer, f.label});
  }
}

// What lies between two links of a patch and begins and ends with fillings.
void PatchBorders::addLeftOvers(const Facets& facets, const std::vector<Point>& ends,
                                std::vector<Opening>& openings) const {
  std::bitset<4096> known;
  const auto slotOf = [](Point p) { return static_cast<size_t>(orderOf(p) * 0x9e3779b97f4a7c15ULL >> 52); };
  for (const Point p : ends) known.set(slotOf(p));
  const auto isEnd = [&](Point p) { return known.test(slotOf(p)) && isOneOf(ends, p); };
  std::vector<BorderSegment> own;
  std::vector<uint32_t> begin;
  for (uint32_t patch = 0; patch < patches_.count(); ++patch) {
    if (selection_.component[patch] == kNone) continue;
    own.clear();
    begin.clear();
    of(patch, own, &begin);
    const Facet& facet = facets.list[patches_.facet[patch]];
    for (size_t r = 0; r + 1 < begin.size(); ++r) {
      const auto ring = std::span(own).subspan(begin[r], begin[r + 1] - begin[r]);
      for (size_t i = 0; i < ring.size(); ++i) {
        if (ring[i].partner != kNone || !isEnd(ring[i].a)) continue;
        const size_t last = endOfRest(ring, i);
        if (last == ring.size() || !isEnd(ring[last].b)) continue;
        const Point from = ring[i].a;
        const Point to = ring[last].b;
        openings.push_back({from, to, patch, 0, facet.plane.at(from), facet.plane.at(to), ring[i].layer, facet.label});
        i = last;
      }
    }
  }
}

// The last of the segments from one on that lead nowhere, between two that do; the number of all if they are no
// straight line, or go on beyond the first of all. Rounding leaves corners on it.
size_t PatchBorders::endOfRest(std::span<const BorderSegment> ring, size_t first) const {
  const size_t n = ring.size();
  if (ring[first == 0 ? n - 1 : first - 1].partner == kNone) return n;
  size_t last = first;
  while (last + 1 < n && ring[last + 1].partner == kNone) ++last;
  if (ring[last + 1 == n ? 0 : last + 1].partner == kNone) return n;
  for (size_t i = first; i < last; ++i) {
    if (!liesOn(ring[first].a, ring[last].b, ring[i].b, overlap_)) return n;
  }
  return last;
}

void PatchBorders::setPartner(const Opening& opening, uint32_t partner) {
  if (opening.patch >= firstFilling()) {
    fillings_[opening.patch - firstFilling()].partner[opening.corner] = partner;
  } else {
    endLinks_.push_back({opening.patch, opening.a, opening.b, partner});
  }
}

// Joins two ends that are the same line, or fills what lies between more of them. False if that is no passage.
bool PatchBorders::joinAround(std::span<const Opening> openings, std::span<const uint32_t> around) {
  double low = openings[around[0]].za;
  double high = low;
  for (const uint32_t i : around) {
    const Opening& o = openings[i];
    low = std::min({low, o.za, o.zb});
    high = std::max({high, o.za, o.zb});
    if (lengthOf(o.a, o.b) > reach_) return false;
  }
  if (high - low > climb_) return false;
  if (around.size() == 2) {
    setPartner(openings[around[0]], openings[around[1]].patch);
    setPartner(openings[around[1]], openings[around[0]].patch);
    return true;
  }
  const Opening& first = openings[around[0]];
  CrackFilling filling;
  filling.layer = first.layer;
  filling.label = first.label;
  for (size_t k = around.size(); k-- > 0;) {
    const Opening& o = openings[around[k]];
    filling.add(o.b, o.zb);
    filling.partner[filling.count - 1] = o.patch;
  }
  for (uint32_t tries = 0; tries < filling.count && !isFan(filling); ++tries) rotate(filling);
  if (!isFan(filling)) return false;
  const auto id = static_cast<uint32_t>(firstFilling() + fillings_.size());
  for (const uint32_t i : around) setPartner(openings[i], id);
  fillings_.push_back(filling);
  return true;
}

}  // namespace wend::exact
