#include "environment/ring_edits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "geometry/predicates.h"

namespace wend {
namespace {

struct Insertion {
  uint32_t edge;
  int64_t along;  // grows from the start of the edge to its end
  Point point;
  auto operator<=>(const Insertion&) const = default;
};

int64_t along(Point start, Point p) {
  return std::max(std::abs(static_cast<int64_t>(p.x) - start.x), std::abs(static_cast<int64_t>(p.y) - start.y));
}

void addInsertions(const Boundary& boundary, const RingEdit& edit, std::vector<Insertion>& insertions) {
  uint32_t e = edit.from.edge;
  for (const Point p : edit.points) {
    while (!onSegment(boundary.start(e), boundary.end(e), p) && e != edit.to.edge) e = boundary.next(e);
    // At the end of this edge means at the start of the next.
    if (p == boundary.start(e) || p == boundary.end(e)) continue;
    insertions.push_back({e, along(boundary.start(e), p), p});
  }
}

Ring withInsertions(const Boundary& boundary, const Boundary::Ring& ring, std::vector<Insertion> insertions) {
  std::sort(insertions.begin(), insertions.end());
  insertions.erase(std::unique(insertions.begin(), insertions.end()), insertions.end());
  Ring result;
  result.reserve(ring.end - ring.begin + insertions.size());
  auto it = insertions.begin();
  for (uint32_t e = ring.begin; e < ring.end; ++e) {
    result.push_back(boundary.start(e));
    for (; it != insertions.end() && it->edge == e; ++it) result.push_back(it->point);
  }
  return result;
}

// An edit in ring coordinates: the edge's rank from a common origin, plus the fraction along it.
struct Interval {
  double from, to;
  const RingEdit* edit;
};

class Replacement {
 public:
  Replacement(const Boundary& boundary, const Boundary::Ring& ring, std::span<const RingEdit* const> edits)
      : boundary_(boundary), ring_(ring), count_(ring.end - ring.begin) {
    origin_ = (*std::min_element(edits.begin(), edits.end(), [](const RingEdit* a, const RingEdit* b) {
                return a->from < b->from;
              }))->from;
    for (const RingEdit* edit : edits) {
      const double from = coordinate(edit->from);
      double to = coordinate(edit->to);
      if (to <= from) to += count_;
      intervals_.push_back({from, to, edit});
    }
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& a, const Interval& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }

  // Two segments of one line may meet a little apart, where its point lies off the boundary; anything else that
  // overlaps is a conflict.
  bool disjoint(uint32_t& overlapA, uint32_t& overlapB) {
    for (size_t i = 0; i < intervals_.size(); ++i) {
      const bool last = i + 1 == intervals_.size();
      Interval& next = intervals_[last ? 0 : i + 1];
      const double limit = last ? next.from + count_ : next.from;
      if (intervals_[i].to <= limit) continue;
      const RingEdit& a = *intervals_[i].edit;
      const RingEdit& b = *next.edit;
      if (a.connection == b.connection && !last && a.points.back() == b.points.front() && intervals_[i].to < next.to) {
        next.from = intervals_[i].to;
        continue;
      }
      overlapA = a.connection;
      overlapB = b.connection;
      return false;
    }
    return true;
  }

  Ring ring() const {
    Ring result;
    const auto add = [&](Point p) {
      if (result.empty() || result.back() != p) result.push_back(p);
    };
    for (size_t i = 0; i < intervals_.size(); ++i) {
      for (const Point p : intervals_[i].edit->points) add(p);
      const double until = i + 1 == intervals_.size() ? intervals_[0].from + count_ : intervals_[i + 1].from;
      for (double v = std::floor(intervals_[i].to) + 1; v < until; ++v) add(vertex(v));
    }
    while (result.size() > 1 && result.front() == result.back()) result.pop_back();
    return result;
  }

 private:
  double coordinate(Spot spot) const {
    const double at = static_cast<double>((spot.edge + count_ - origin_.edge) % count_) + spot.t;
    return at < origin_.t ? at + count_ : at;
  }
  Point vertex(double coordinate) const {
    const auto rank = static_cast<uint32_t>(static_cast<uint64_t>(coordinate) % count_);
    return boundary_.start(ring_.begin + (origin_.edge - ring_.begin + rank) % count_);
  }

  const Boundary& boundary_;
  const Boundary::Ring& ring_;
  uint32_t count_;
  Spot origin_;
  std::vector<Interval> intervals_;
};

Ring& ringOf(std::vector<Layer>& layers, const Boundary::Ring& ring) {
  Polygon& polygon = layers[ring.layer].free[ring.place];
  return ring.hole == 0 ? polygon.outer : polygon.holes[ring.hole - 1];
}

}  // namespace

RingEdits applyEdits(std::vector<Layer>& layers, const Boundary& boundary, std::span<const RingEdit> edits) {
  RingEdits result;
  result.moved.assign(layers.size(), false);
  std::vector<const RingEdit*> sorted;
  for (const RingEdit& edit : edits) sorted.push_back(&edit);
  const auto ringBegin = [&](const RingEdit* edit) { return boundary.ring(edit->from.edge).begin; };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const RingEdit* a, const RingEdit* b) { return ringBegin(a) < ringBegin(b); });

  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && ringBegin(sorted[end]) == ringBegin(sorted[begin])) ++end;
    const std::span<const RingEdit* const> group = std::span(sorted).subspan(begin, end - begin);
    const Boundary::Ring& ring = boundary.ring(group[0]->from.edge);
    if (std::all_of(group.begin(), group.end(), [](const RingEdit* edit) { return edit->exact; })) {
      std::vector<Insertion> insertions;
      for (const RingEdit* edit : group) addInsertions(boundary, *edit, insertions);
      ringOf(layers, ring) = withInsertions(boundary, ring, std::move(insertions));
      continue;
    }
    Replacement replacement(boundary, ring, group);
    if (!replacement.disjoint(result.overlapA, result.overlapB)) return result;
    ringOf(layers, ring) = replacement.ring();
    result.moved[ring.layer] = true;
  }
  return result;
}

}  // namespace wend
