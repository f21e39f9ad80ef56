#include "environment/io/fill_rule.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "geometry/area.h"
#include "geometry/overlay.h"
#include "geometry/polygon_check.h"

namespace wend {
namespace {

// On the lattice, without repeated points; nothing if a point does not fit, which buildEnvironment() reports.
std::optional<std::vector<Ring>> snapped(const Loops& loops, const Lattice& lattice) {
  std::vector<Ring> rings;
  for (const std::vector<Vec2>& loop : loops) {
    Ring ring;
    for (const Vec2 metres : loop) {
      const Result<Point> p = lattice.snap(metres);
      if (!p.ok()) return std::nullopt;
      if (ring.empty() || ring.back() != *p) ring.push_back(*p);
    }
    while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    if (ring.size() >= 3) rings.push_back(std::move(ring));
  }
  return rings;
}

// Whether the loops are an outline and holes as they should be, in any direction.
bool isPlain(const std::vector<Ring>& rings) {
  Polygon polygon;
  polygon.outer = rings[0];
  if (doubledArea(polygon.outer) < 0) std::reverse(polygon.outer.begin(), polygon.outer.end());
  for (size_t i = 1; i < rings.size(); ++i) {
    polygon.holes.push_back(rings[i]);
    if (doubledArea(rings[i]) > 0) std::reverse(polygon.holes.back().begin(), polygon.holes.back().end());
  }
  return findPolygonFaults(std::array{polygon}, 1).empty();
}

class Filler {
 public:
  Filler(const Lattice& lattice, FillRule rule, const Context& context)
      : lattice_(lattice), rule_(rule), context_(context) {}

  Status apply(std::vector<Loops>& polygons, int32_t layer, const char* list) {
    std::vector<Loops> filled;
    filled.reserve(polygons.size());
    for (size_t i = 0; i < polygons.size(); ++i) {
      Result<std::optional<std::vector<Polygon>>> other = otherFill(polygons[i], layer, list, i);
      if (!other.ok()) return other.error();
      if (other->has_value()) {
        for (const Polygon& polygon : **other) filled.push_back(loopsOf(polygon));
      } else {
        filled.push_back(std::move(polygons[i]));
      }
    }
    polygons = std::move(filled);
    return Done{};
  }

 private:
  // What takes the place of a polygon; nothing if it stays.
  Result<std::optional<std::vector<Polygon>>> otherFill(const Loops& loops, int32_t layer, const char* list,
                                                        size_t index) const {
    using Other = std::optional<std::vector<Polygon>>;
    const auto rings = snapped(loops, lattice_);
    if (!rings || rings->empty() || isPlain(*rings)) return Other();
    if (context_.cancelled()) return Error{ErrorCode::kCancelled, "reading was stopped"};
    const std::array shape{Shape{0, *rings}};
    const auto evenOdd = overlay(
        shape, [](uint32_t groups) { return groups != 0; }, context_);
    if (!evenOdd.ok()) return evenOdd.error();
    auto nonzero = fillNonzero(*rings, context_);
    if (!nonzero.ok()) return nonzero.error();
    const auto more = subtract(*evenOdd, *nonzero);
    if (!more.ok()) return more.error();
    const auto less = subtract(*nonzero, *evenOdd);
    if (!less.ok()) return less.error();
    if (more->empty() && less->empty()) return Other();
    note(more->empty() ? *less : *more, !more->empty(), fmt::format("layer {}, {} polygon {}", layer, list, index));
    return rule_ == FillRule::kNonzero ? Other(std::move(*nonzero)) : Other();
  }

  void note(const std::vector<Polygon>& doubt, bool evenOddHasIt, const std::string& where) const {
    const auto largest = std::max_element(
        doubt.begin(), doubt.end(), [](const Polygon& a, const Polygon& b) { return doubledArea(a) < doubledArea(b); });
    const Box box = boundingBox(largest->outer);
    const Vec2 low = lattice_.toMetres(toVec2(box.min));
    const Vec2 high = lattice_.toMetres(toVec2(box.max));
    const bool isInside = evenOddHasIt == (rule_ == FillRule::kEvenOdd);
    context_.note(fmt::format(
        "{}: its loops cross, repeat or lie in each other around ({:.3f}, {:.3f}); {:.4g} m2 are {} by the even-odd "
        "rule and {} by the nonzero rule, and were taken as {} (--fill {})",
        where, (low.x + high.x) / 2, (low.y + high.y) / 2, polygonArea(doubt, lattice_),
        evenOddHasIt ? "inside" : "outside", evenOddHasIt ? "outside" : "inside", isInside ? "inside" : "outside",
        rule_ == FillRule::kEvenOdd ? "evenodd" : "nonzero"));
  }

  Loops loopsOf(const Polygon& polygon) const {
    Loops loops{metres(polygon.outer)};
    for (const Ring& hole : polygon.holes) loops.push_back(metres(hole));
    return loops;
  }
  std::vector<Vec2> metres(const Ring& ring) const {
    std::vector<Vec2> loop;
    for (const Point p : ring) loop.push_back(lattice_.toMetres(toVec2(p)));
    return loop;
  }

  const Lattice& lattice_;
  FillRule rule_;
  const Context& context_;
};

}  // namespace

Status applyFillRule(EnvironmentDraft& draft, FillRule rule, const Context& context) {
  Filler filler(draft.lattice, rule, context);
  for (LayerDraft& layer : draft.layers) {
    if (Status s = filler.apply(layer.walkable, layer.id, "walkable"); !s.ok()) return s;
    if (Status s = filler.apply(layer.obstacles, layer.id, "obstacle"); !s.ok()) return s;
    if (Status s = filler.apply(layer.openings, layer.id, "opening"); !s.ok()) return s;
    for (RegionDraft& region : layer.regions) {
      if (Status s = filler.apply(region.area, layer.id, "region"); !s.ok()) return s;
    }
  }
  return Done{};
}

}  // namespace wend
