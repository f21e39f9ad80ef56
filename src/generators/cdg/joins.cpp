#include "generators/cdg/joins.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace wend::cdg {
namespace {

// Lattice units: what is nearer to a connection is the connection itself.
constexpr double kOnConnection = 1e-3;

struct Join {
  uint32_t one;
  uint32_t two;
  bool upwards;  // two lies above one, otherwise right of it
};

// The way from a sample to a connection, along the line through the sample's row (or column: then all is transposed).
struct Approach {
  LayerId layer;
  bool transposed;
  int32_t row;
  double low;
  double high;
  uint32_t join;
};

auto place(const Approach& approach) {
  return std::tie(approach.layer, approach.transposed, approach.row);
}

// Rows of squares, or columns.
class Lines {
 public:
  Lines(const SquareRaster& raster, bool transposed)
      : side_(static_cast<double>(raster.side)),
        origin_{static_cast<double>(raster.origin.x), static_cast<double>(raster.origin.y)} {
    if (transposed) std::swap(origin_.x, origin_.y);
  }
  double centre(int32_t row) const { return origin_.y + (row + 0.5) * side_; }
  double middle(int32_t column) const { return origin_.x + (column + 0.5) * side_; }
  // The last column whose middle is not beyond x.
  int32_t columnBefore(double x) const { return static_cast<int32_t>(std::floor((x - origin_.x) / side_ - 0.5)); }

  // Calls visit(row, x) where a segment that runs upwards crosses centre lines from row to row.
  template <typename Visit>
  void forEachCrossing(Point a, Point b, int32_t firstRow, int32_t lastRow, Visit&& visit) const {
    if (a.y == b.y) return;
    const auto low = static_cast<int32_t>(std::floor((a.y - origin_.y) / side_ - 0.5));
    const auto high = static_cast<int32_t>(std::ceil((b.y - origin_.y) / side_ - 0.5));
    for (int32_t row = std::max(low, firstRow); row <= std::min(high, lastRow); ++row) {
      const double y = centre(row);
      if (y < a.y || y >= b.y) continue;
      visit(row, a.x + (y - a.y) / (static_cast<double>(b.y) - a.y) * (static_cast<double>(b.x) - a.x));
    }
  }

 private:
  double side_;
  Vec2 origin_;
};

struct Joins {
  std::vector<Join> joins;
  std::vector<Approach> approaches;
};

// Centres of neighbouring squares on both sides of one segment of a connection.
void addJoins(Point a, Point b, LayerId left, LayerId right, bool transposed, const SquareRaster& raster,
              std::span<const RowIndex> layers, Joins& out) {
  if (transposed) {
    std::swap(a.x, a.y);
    std::swap(b.x, b.y);
    std::swap(left, right);
  }
  // With the segment running upwards its left side has the smaller x.
  if (a.y > b.y) {
    std::swap(a, b);
    std::swap(left, right);
  }
  const Lines lines(raster, transposed);
  lines.forEachCrossing(a, b, INT32_MIN, INT32_MAX, [&](int32_t row, double x) {
    const int32_t column = lines.columnBefore(x);
    const auto at = [&](LayerId layer, int32_t c) {
      return transposed ? layers[layer].find(c, row) : layers[layer].find(row, c);
    };
    const uint32_t one = at(left, column);
    const uint32_t two = at(right, column + 1);
    if (one == kNone || two == kNone) return;
    const auto join = static_cast<uint32_t>(out.joins.size());
    out.joins.push_back({one, two, transposed});
    out.approaches.push_back({left, transposed, row, lines.middle(column), x, join});
    out.approaches.push_back({right, transposed, row, x, lines.middle(column + 1), join});
  });
}

// Drops the joins whose approaches in one layer, sorted by row, are crossed by walls.
void blockJoins(const Layer& layer, std::span<const Approach> approaches, const SquareRaster& raster,
                std::vector<uint8_t>& blocked) {
  const bool transposed = approaches.front().transposed;
  const Lines lines(raster, transposed);
  const auto look = [&](Point a, Point b) {
    if (transposed) {
      std::swap(a.x, a.y);
      std::swap(b.x, b.y);
    }
    if (a.y > b.y) std::swap(a, b);
    lines.forEachCrossing(a, b, approaches.front().row, approaches.back().row, [&](int32_t row, double x) {
      auto approach = std::lower_bound(approaches.begin(), approaches.end(), row,
                                       [](const Approach& p, int32_t r) { return p.row < r; });
      for (; approach != approaches.end() && approach->row == row; ++approach) {
        if (x > approach->low + kOnConnection && x < approach->high - kOnConnection) blocked[approach->join] = 1;
      }
    });
  };
  const auto lookAt = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) look(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]);
  };
  for (const Polygon& polygon : layer.free) {
    lookAt(polygon.outer);
    for (const Ring& hole : polygon.holes) lookAt(hole);
  }
}

}  // namespace

void joinLayers(const Environment& environment, const SquareRaster& raster, std::span<const RowIndex> layers,
                Sides& sides) {
  Joins all;
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      for (const bool transposed : {false, true}) {
        addJoins(connection.line[i], connection.line[i + 1], connection.layerA, connection.layerB, transposed, raster,
                 layers, all);
      }
    }
  }
  std::vector<Approach>& approaches = all.approaches;
  std::stable_sort(approaches.begin(), approaches.end(),
                   [](const Approach& a, const Approach& b) { return place(a) < place(b); });
  std::vector<uint8_t> blocked(all.joins.size(), 0);
  for (size_t first = 0, last = 0; first < approaches.size(); first = last) {
    while (last < approaches.size() && approaches[last].layer == approaches[first].layer &&
           approaches[last].transposed == approaches[first].transposed) {
      ++last;
    }
    blockJoins(environment.layers[approaches[first].layer], std::span(approaches).subspan(first, last - first), raster,
               blocked);
  }
  for (uint32_t i = 0; i < all.joins.size(); ++i) {
    const Join& join = all.joins[i];
    const size_t way = join.upwards ? 1 : 0;
    if (blocked[i] != 0 || sides[join.one][way] != kNone || sides[join.two][way + 2] != kNone) continue;
    sides[join.one][way] = join.two;
    sides[join.two][way + 2] = join.one;
  }
}

}  // namespace wend::cdg
