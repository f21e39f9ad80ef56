#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include <wend/metrics.h>
#include <wend/route.h>

#include "mesh/cell_geometry.h"
#include "metrics/hale_graph.h"
#include "metrics/random_places.h"
#include "planning/point/point_planner.h"

namespace wend {
namespace {

// A pixel of one layer; its place is its middle.
struct Pixel {
  uint32_t column, row;
  LayerId layer;
  Vec2 units;
  CellId truth;  // cell of the truth that holds the middle
};

class DistanceMap {
 public:
  DistanceMap(const NavMesh& mesh, const NavMesh& truth, const DistanceMapSettings& settings, const Context& context)
      : mesh_(mesh),
        truth_(truth),
        settings_(settings),
        context_(context),
        graph_(mesh),
        cells_(mesh),
        planner_(truth) {}

  DistanceMapMetrics run() {
    layOut();
    if (pixels_.empty()) return result_;
    const uint32_t middle = middlePixel();
    const std::vector<double> known =
        settings_.reference == DistanceReference::kGrid ? gridDistances(middle) : geodesics(middle);
    const CellId goal = cellUnder(pixels_[middle]);
    std::vector<double> lengths(mesh_.cellCount(), HUGE_VAL);
    if (goal != kNone) graph_.lengths(goal, {}, lengths);
    double plain = 0;
    double offset = 0;
    for (uint32_t i = 0; i < pixels_.size(); ++i) {
      if (!std::isfinite(known[i])) continue;
      const CellId cell = cellUnder(pixels_[i]);
      if (cell == kNone || !std::isfinite(lengths[cell])) {
        ++result_.missed;
        continue;
      }
      ++result_.navigable;
      const double found = lengths[cell] / result_.pixel;
      const double ends = toCentroid(pixels_[i], cell) + toCentroid(pixels_[middle], goal);
      plain += (found - known[i]) * (found - known[i]);
      offset += (found + ends - known[i]) * (found + ends - known[i]);
    }
    result_.error = plain / static_cast<double>(result_.pixels);
    result_.offsetError = offset / static_cast<double>(result_.pixels);
    if (result_.navigable > 0) result_.navigableError = plain / static_cast<double>(result_.navigable);
    return result_;
  }

 private:
  void layOut() {
    Vec2 low{HUGE_VAL, HUGE_VAL};
    Vec2 high{-HUGE_VAL, -HUGE_VAL};
    for (const Vec2 p : truth_.views().vertices) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (truth_.empty()) return;
    const double size = std::max(high.x - low.x, high.y - low.y) / settings_.pixels;
    result_.pixel = size * truth_.lattice().unit;
    const auto count = [&](double extent) {
      return static_cast<uint32_t>(std::max(1.0, std::ceil(extent / size - 1e-9)));
    };
    columns_ = count(high.x - low.x);
    rows_ = count(high.y - low.y);
    result_.pixels = uint64_t{columns_} * rows_ * truth_.layerCount();
    at_.assign(result_.pixels, kNone);
    CellId found = kNone;
    for (LayerId layer = 0; layer < truth_.layerCount(); ++layer) {
      for (uint32_t row = 0; row < rows_; ++row) {
        for (uint32_t column = 0; column < columns_; ++column) {
          const Vec2 units{low.x + (column + 0.5) * size, low.y + (row + 0.5) * size};
          if (planner_.locator().locateAll(units, layer, {&found, 1}) == 0) continue;
          at_[index(column, row, layer)] = static_cast<uint32_t>(pixels_.size());
          pixels_.push_back({column, row, layer, units, found});
        }
      }
    }
  }

  size_t index(uint32_t column, uint32_t row, LayerId layer) const {
    return (static_cast<size_t>(layer) * rows_ + row) * columns_ + column;
  }

  // The navigable pixel nearest to the middle of the image, the first of equals.
  uint32_t middlePixel() const {
    uint32_t best = 0;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < pixels_.size(); ++i) {
      const double distance = std::hypot(pixels_[i].column - (columns_ - 1) / 2.0, pixels_[i].row - (rows_ - 1) / 2.0);
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }

  // The cell of the truth at the end of a straight step, or kNone if a wall is in the way.
  CellId step(CellId cell, Vec2 from, Vec2 to) const {
    SideId entry = kNone;
    for (uint32_t guard = 0; guard < 10000 && !contains(truth_, cell, to); ++guard) {
      SideId out = kNone;
      for (SideId s = truth_.firstSide(cell); s < truth_.endSide(cell); ++s) {
        if (s == entry) continue;
        const Vec2 a = startPoint(truth_, s);
        const Vec2 b = endPoint(truth_, s);
        const bool leaves = orient(a, b, to) < 0 && orient(from, to, a) <= 0 && orient(from, to, b) >= 0;
        if (!leaves) continue;
        out = s;
        if (!truth_.isWall(s)) break;
      }
      if (out == kNone || truth_.isWall(out)) return kNone;
      entry = truth_.twin(out);
      cell = truth_.neighbour(out);
    }
    return cell;
  }

  // Shortest ways over the 8 neighbours, in pixels.
  std::vector<double> gridDistances(uint32_t middle) const {
    std::vector<double> distance(pixels_.size(), HUGE_VAL);
    using Item = std::pair<double, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    distance[middle] = 0;
    open.emplace(0.0, middle);
    while (!open.empty()) {
      const auto [way, i] = open.top();
      open.pop();
      if (way > distance[i]) continue;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const uint32_t other = neighbour(i, dx, dy);
          if (other == kNone || other == i) continue;
          // No cutting of corners: both straight steps must be there too.
          if (dx != 0 && dy != 0 && (neighbour(i, dx, 0) == kNone || neighbour(i, 0, dy) == kNone)) continue;
          const double further = way + std::hypot(dx, dy);
          if (further >= distance[other]) continue;
          distance[other] = further;
          open.emplace(further, other);
        }
      }
    }
    return distance;
  }

  // The pixel one step away, on whatever layer the way leads to.
  uint32_t neighbour(uint32_t i, int dx, int dy) const {
    const Pixel& pixel = pixels_[i];
    const int64_t column = int64_t{pixel.column} + dx;
    const int64_t row = int64_t{pixel.row} + dy;
    if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return kNone;
    const double size = result_.pixel / truth_.lattice().unit;
    const Vec2 to{pixel.units.x + dx * size, pixel.units.y + dy * size};
    const CellId cell = step(pixel.truth, pixel.units, to);
    if (cell == kNone) return kNone;
    return at_[index(static_cast<uint32_t>(column), static_cast<uint32_t>(row), truth_.layerOf(cell))];
  }

  Vec3 place(const Pixel& pixel) const {
    const Vec2 p = truth_.lattice().toMetres(pixel.units);
    return {p.x, p.y, planner_.locator().height(p, pixel.layer)};
  }

  // True shortest ways, in pixels.
  std::vector<double> geodesics(uint32_t middle) const {
    std::vector<double> distance(pixels_.size(), HUGE_VAL);
    PlanScratch scratch;
    Route route;
    for (uint32_t i = 0; i < pixels_.size() && !context_.cancelled(); ++i) {
      context_.report("distances", static_cast<double>(i) / static_cast<double>(pixels_.size()));
      PathQuery query;
      query.from = place(pixels_[middle]);
      query.to = place(pixels_[i]);
      if (planner_.plan(query, scratch, route) == PathStatus::kFound) distance[i] = route.length / result_.pixel;
    }
    return distance;
  }

  CellId cellUnder(const Pixel& pixel) const {
    CellId cell = kNone;
    return cells_.locateAll(pixel.units, pixel.layer, {&cell, 1}) > 0 ? cell : kNone;
  }
  double toCentroid(const Pixel& pixel, CellId cell) const {
    const Vec2 p = mesh_.lattice().toMetres(pixel.units);
    const Vec2 c = graph_.centroid(cell);
    return std::hypot(c.x - p.x, c.y - p.y) / result_.pixel;
  }

  const NavMesh& mesh_;
  const NavMesh& truth_;
  const DistanceMapSettings& settings_;
  const Context& context_;
  RegionGraph graph_;
  Locator cells_;
  PointPlanner planner_;
  uint32_t columns_ = 0;
  uint32_t rows_ = 0;
  std::vector<Pixel> pixels_;
  std::vector<uint32_t> at_;  // pixel of each place of the image, or kNone
  DistanceMapMetrics result_;
};

}  // namespace

Result<DistanceMapMetrics> measureDistanceMap(const NavMesh& mesh, const NavMesh& truth,
                                              const DistanceMapSettings& settings, const Context& context) {
  if (settings.pixels < 2 || settings.pixels > 2048) {
    return Error{ErrorCode::kInvalidSettings, "a distance map has 2 to 2048 pixels along its longer side"};
  }
  if (const Status status = checkTruth(mesh, truth); !status.ok()) return status.error();
  const DistanceMapMetrics metrics = DistanceMap(mesh, truth, settings, context).run();
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "measuring was cancelled"};
  return metrics;
}

}  // namespace wend
