#include "planning/region/region_field.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Where the boundary of an area crosses the line y, ascending: inside lies between each two.
void crossingsOf(const std::vector<Polygon>& area, double y, std::vector<double>& out) {
  out.clear();
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Vec2 a = toVec2(ring[i]);
      const Vec2 b = toVec2(ring[i + 1 == ring.size() ? 0 : i + 1]);
      if ((a.y <= y) == (b.y <= y)) continue;
      out.push_back(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
    }
  };
  for (const Polygon& polygon : area) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  std::sort(out.begin(), out.end());
}

}  // namespace

RegionField::RegionField(const Environment& environment, double size) : labels_{"default"} {
  for (const Layer& layer : environment.layers) layers_.push_back(rasterOf(environment.lattice, layer, size));
}

RegionField::Label RegionField::labelOf(const std::string& name) {
  const auto known = std::find(labels_.begin(), labels_.end(), name);
  if (known != labels_.end()) return static_cast<Label>(known - labels_.begin());
  if (labels_.size() > UINT16_MAX) return 0;
  labels_.push_back(name);
  return static_cast<Label>(labels_.size() - 1);
}

RegionField::Raster RegionField::rasterOf(const Lattice& lattice, const Layer& layer, double size) {
  Raster raster;
  Box box;
  for (const Region& region : layer.regions) box.add(boundingBox(region.area));
  if (box.empty()) return raster;
  const Vec2 low = lattice.toMetres(box.min);
  const Vec2 high = lattice.toMetres(box.max);
  while (std::ceil((high.x - low.x) / size + 1) * std::ceil((high.y - low.y) / size + 1) >
         static_cast<double>(kMostSquares)) {
    size *= 2;
  }
  // Squares of all layers lie on one grid, so that routes over connections find no gap.
  raster.size = size;
  raster.min = {std::floor(low.x / size) * size, std::floor(low.y / size) * size};
  raster.width = static_cast<uint32_t>(std::floor((high.x - raster.min.x) / size)) + 1;
  raster.height = static_cast<uint32_t>(std::floor((high.y - raster.min.y) / size)) + 1;
  raster.squares.assign(size_t{raster.width} * raster.height, 0);
  std::vector<double> crossings;
  for (const Region& region : layer.regions) {
    const Label label = labelOf(region.label);
    for (uint32_t row = 0; row < raster.height; ++row) {
      crossingsOf(region.area, (raster.min.y + (row + 0.5) * size) / lattice.unit, crossings);
      for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
        // Squares whose centre lies between the crossings.
        const double first = std::ceil((crossings[i] * lattice.unit - raster.min.x) / size - 0.5);
        const double last = std::floor((crossings[i + 1] * lattice.unit - raster.min.x) / size - 0.5);
        for (double column = std::max(0.0, first); column <= std::min(last, raster.width - 1.0); ++column) {
          raster.squares[size_t{row} * raster.width + static_cast<size_t>(column)] = label;
        }
      }
    }
  }
  return raster;
}

RegionField::Label RegionField::at(Vec2 metres, LayerId layer) const {
  if (layer >= layers_.size() || layers_[layer].squares.empty()) return 0;
  const Raster& r = layers_[layer];
  const double column = std::floor((metres.x - r.min.x) / r.size);
  const double row = std::floor((metres.y - r.min.y) / r.size);
  if (!(column >= 0 && column < r.width && row >= 0 && row < r.height)) return 0;
  return r.squares[static_cast<size_t>(row) * r.width + static_cast<size_t>(column)];
}

template <typename Visit>
void RegionField::along(LayerId layer, Vec2 a, Vec2 b, const Visit& visit) const {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return;
  if (layer >= layers_.size() || layers_[layer].squares.empty()) {
    visit(Label{0}, length);
    return;
  }
  const Raster& r = layers_[layer];
  // Fractions of the segment at which it enters the next column and the next row.
  struct Axis {
    double step;
    double next;
  };
  const auto axis = [&](double from, double to, double min) -> Axis {
    if (from == to) return {HUGE_VAL, HUGE_VAL};
    const double at = (from - min) / r.size;
    const double first = to > from ? std::floor(at) + 1 - at : at - std::ceil(at) + 1;
    const double step = r.size / std::abs(to - from);
    return {step, first * step};
  };
  Axis x = axis(a.x, b.x, r.min.x);
  Axis y = axis(a.y, b.y, r.min.y);
  for (double t = 0; t < 1;) {
    Axis& nearer = x.next <= y.next ? x : y;
    const double until = std::min(1.0, nearer.next);
    const double middle = 0.5 * (t + until);
    if (until > t) visit(at({a.x + middle * (b.x - a.x), a.y + middle * (b.y - a.y)}, layer), (until - t) * length);
    t = std::max(t, until);
    nearer.next += nearer.step;
  }
}

RegionCosts::RegionCosts(std::shared_ptr<const RegionField> field, const std::map<std::string, double>& costs)
    : field_(std::move(field)), costs_(field_->labels().size(), 1) {
  for (size_t i = 0; i < costs_.size(); ++i) {
    const auto named = costs.find(field_->labels()[i]);
    if (named != costs.end()) costs_[i] = named->second;
  }
  least_ = *std::min_element(costs_.begin(), costs_.end());
  most_ = *std::max_element(costs_.begin(), costs_.end());
  uniform_ = least_ == most_;
}

double RegionCosts::along(LayerId layer, Vec2 a, Vec2 b) const {
  double sum = 0;
  field_->along(layer, a, b, [&](RegionField::Label label, double metres) { sum += costs_[label] * metres; });
  return sum;
}

}  // namespace wend
