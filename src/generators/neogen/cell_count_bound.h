#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <wend/polygon.h>

#include "geometry/predicates.h"

// A lower bound on the number of convex cells, from the notches that one portal can resolve together.
//
// A resolved notch has a portal at most 180 degrees after its leaving wall and one at most 180 degrees before its
// arriving wall; they are the same if it lies in the area of interest. Give each notch two prices, one for each of the
// two, such that no possible portal is charged more than 1 in all. Then there are at least as many portals as the
// prices add up to. The best prices come from a linear program. Portals that cross are not excluded, so the bound can
// be too low, never too high.
namespace wend {

class CellCountBound {
 public:
  explicit CellCountBound(const Polygon& polygon) : holes_(static_cast<int64_t>(polygon.holes.size())) {
    addRing(polygon.outer);
    for (const Ring& hole : polygon.holes) addRing(hole);
    for (size_t i = 0; i < notches_.size(); ++i) addLimit({2 * i, 2 * i + 1});  // a portal to some wall
    for (size_t i = 0; i < notches_.size(); ++i) {
      for (size_t j = i + 1; j < notches_.size(); ++j) addPortal(i, j);
    }
  }

  // C = P + 1 - holes.
  int64_t cells() const {
    const double portals = std::ceil(bestPrices() - 1e-6);
    return std::max<int64_t>(1, static_cast<int64_t>(portals) + 1 - holes_);
  }

 private:
  struct Notch {
    Point before, at, after;
    bool isFirst(Point p) const { return orient(at, after, p) >= 0; }
    bool isLast(Point p) const { return orient(before, at, p) >= 0; }
    // Whether the way to p begins inside free space.
    bool opens(Point p) const { return orient(at, after, p) > 0 || orient(before, at, p) > 0; }
  };

  void addRing(const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Notch corner{ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]};
      walls_.emplace_back(corner.before, corner.at);
      if (orient(corner.before, corner.at, corner.after) < 0) notches_.push_back(corner);
    }
  }

  void addPortal(size_t i, size_t j) {
    const Notch& a = notches_[i];
    const Notch& b = notches_[j];
    if (a.at == b.at || !a.opens(b.at) || !b.opens(a.at)) return;
    const bool hidden = std::any_of(walls_.begin(), walls_.end(), [&](const auto& wall) {
      return meet(a.at, b.at, wall.first, wall.second) == Meeting::kCross;
    });
    if (hidden) return;
    std::vector<size_t> charged;
    if (a.isFirst(b.at)) charged.push_back(2 * i);
    if (a.isLast(b.at)) charged.push_back(2 * i + 1);
    if (b.isFirst(a.at)) charged.push_back(2 * j);
    if (b.isLast(a.at)) charged.push_back(2 * j + 1);
    addLimit(charged);
  }
  void addLimit(const std::vector<size_t>& charged) {
    std::vector<double> row(2 * notches_.size() + 1, 0);
    for (const size_t price : charged) row[price] = 1;
    row.back() = 1;
    limits_.push_back(std::move(row));
  }

  // The simplex method from prices of zero. Rows hold the basis in terms of the others, so that pivots are in place.
  // The steepest price enters first; after many steps that gained nothing, the lowest index, which cannot cycle.
  double bestPrices() const {
    std::vector<std::vector<double>> rows = limits_;
    const size_t columns = 2 * notches_.size();
    std::vector<double> gain(columns + 1, 1);
    gain.back() = 0;
    std::vector<size_t> out(columns);
    std::vector<size_t> in(rows.size());
    for (size_t i = 0; i < columns; ++i) out[i] = i;
    for (size_t i = 0; i < rows.size(); ++i) in[i] = columns + i;
    for (int idle = 0;;) {
      size_t enter = columns;
      for (size_t i = 0; i < columns; ++i) {
        if (gain[i] <= 1e-9) continue;
        if (enter == columns || (idle < 100 ? gain[i] > gain[enter] : out[i] < out[enter])) enter = i;
      }
      if (enter == columns) return -gain.back();
      size_t leave = rows.size();
      for (size_t r = 0; r < rows.size(); ++r) {
        if (rows[r][enter] <= 1e-9) continue;
        if (leave == rows.size()) {
          leave = r;
          continue;
        }
        const double difference = rows[r].back() * rows[leave][enter] - rows[leave].back() * rows[r][enter];
        if (difference < -1e-12 || (difference <= 1e-12 && in[r] < in[leave])) leave = r;
      }
      const double before = gain.back();
      pivot(rows, gain, leave, enter);
      idle = gain.back() < before - 1e-9 ? 0 : idle + 1;
      std::swap(out[enter], in[leave]);
    }
  }
  static void pivot(std::vector<std::vector<double>>& rows, std::vector<double>& gain, size_t leave, size_t enter) {
    std::vector<double>& row = rows[leave];
    const double scale = 1 / row[enter];
    row[enter] = 1;
    for (double& x : row) x *= scale;
    const auto subtract = [&](std::vector<double>& other) {
      const double factor = std::exchange(other[enter], 0.0);
      if (factor == 0) return;
      for (size_t i = 0; i < row.size(); ++i) other[i] -= factor * row[i];
    };
    for (size_t r = 0; r < rows.size(); ++r) {
      if (r != leave) subtract(rows[r]);
    }
    subtract(gain);
  }

  int64_t holes_;
  std::vector<std::pair<Point, Point>> walls_;
  std::vector<Notch> notches_;
  std::vector<std::vector<double>> limits_;
};

}  // namespace wend
