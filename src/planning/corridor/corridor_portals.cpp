#include "planning/corridor/corridor_portals.h"

#include <array>
#include <numbers>

namespace wend {

using ecm::ArcCurve;

namespace {

// A disk that goes around an obstacle's vertex follows tangents; this is the angle between two of them.
constexpr double kTurn = std::numbers::pi / 12;
// Halvings of that angle where the axis leaves little space beside the circle. What is left is less than 1e-9 of the
// radius.
constexpr int kMaxHalvings = 12;

class PortalWriter {
 public:
  PortalWriter(const CorridorGraph& graph, double c, double deviation, PortalScratch& scratch,
               std::vector<CorridorPortal>& out)
      : graph_(graph), c_(c), deviation_(deviation), steps_(scratch.steps), out_(out) {}

  void add(const CorridorPiece& piece) {
    const ArcCurve curve = graph_.curve(piece.arc >> 1);
    piece_ = piece.arc;
    curve_ = &curve;
    const CorridorMap& map = graph_.map();
    pointLeft_ = map.sites[graph_.leftSite(piece.arc)].kind == CorridorMap::SiteKind::kPoint;
    pointRight_ = map.sites[graph_.rightSite(piece.arc)].kind == CorridorMap::SiteKind::kPoint;
    at(piece.from, c_);
    // The parts between the places where the axis is exactly as wide as preferred.
    const double low = std::min(piece.from, piece.to);
    const double high = std::max(piece.from, piece.to);
    const ArcCurve::Crossings crossings = curve.parametersOf(c_);
    std::array<double, 4> cut{};
    size_t cuts = 0;
    cut[cuts++] = low;
    for (int i = 0; i < crossings.count; ++i) {
      const double u = crossings.at[static_cast<size_t>(i)];
      if (u > low && u < high) cut[cuts++] = u;
    }
    cut[cuts++] = high;
    const bool backwards = piece.from > piece.to;
    for (size_t i = 0; i + 1 < cuts; ++i) {
      const double a = backwards ? cut[cuts - 1 - i] : cut[i];
      const double b = backwards ? cut[cuts - 2 - i] : cut[i + 1];
      part(a, b);
      at(b, c_);
    }
  }

 private:
  // From a to b, in the direction of travel; both ends are written by the caller.
  void part(double a, double b) {
    if (curve_->kind() == ArcCurve::Kind::kSegments) return;
    if (curve_->clearance(0.5 * (a + b)) > c_) {
      if (c_ > 0) around(angleOf(a), angleOf(b), 0);
    } else if (curve_->kind() == ArcCurve::Kind::kParabola) {
      followParabola(a, b);
    }
  }

  // The direction of the annotation at a point site.
  double angleOf(double u) const {
    const double size = sizeOf();
    return curve_->kind() == ArcCurve::Kind::kParabola ? 2 * std::atan(u / size) : std::atan(u / size);
  }
  double parameterOf(double angle) const {
    const double size = sizeOf();
    return curve_->kind() == ArcCurve::Kind::kParabola ? size * std::tan(0.5 * angle) : size * std::tan(angle);
  }
  double sizeOf() const {
    return curve_->kind() == ArcCurve::Kind::kParabola ? 2 * curve_->clearance(0) : curve_->clearance(0);
  }

  // Tangents at both ends meet in the middle, at c / cos(half the angle): halve until the axis is not nearer than that.
  void around(double from, double to, int halvings) {
    const double turn = std::abs(to - from);
    const double middle = 0.5 * (from + to);
    const double u = parameterOf(middle);
    const double outer = c_ / std::cos(0.5 * turn);
    if (turn > kTurn || (curve_->clearance(u) < outer && halvings < kMaxHalvings)) {
      around(from, middle, turn > kTurn ? halvings : halvings + 1);
      around(middle, to, turn > kTurn ? halvings : halvings + 1);
      return;
    }
    at(u, outer);
  }

  // Chords of a parabola come nearer to the point than the parabola does, which matters beside its apex: there the
  // tangent replaces it, which keeps the distance of the apex from both sites.
  void followParabola(double a, double b) {
    const double h = sizeOf();
    const double step = std::sqrt(8 * h * deviation_);
    const double flat = 0.5 * step;
    // A chord from x to 3 x is nowhere nearer to the point than at x.
    constexpr double kGrowth = 3;
    // So close to the apex that its clearance differs by less than rounding.
    constexpr double kApex = 1e-3;
    steps_.clear();
    const auto climb = [&](double low, double high, double sign) {
      double x = low;
      if (x < kApex) {
        x = std::min(flat, 0.5 * high);
        steps_.push_back({sign * x, true});
      }
      while (x < high) {
        x = std::min(x + step, kGrowth * x);
        if (x < high) steps_.push_back({sign * x, false});
      }
    };
    const double low = std::min(a, b);
    const double high = std::max(a, b);
    if (low < 0) {
      const double nearest = std::max(0.0, -high);
      if (-low - nearest > kApex) climb(nearest, -low, -1);
      std::reverse(steps_.begin(), steps_.end());
    }
    if (high > 0) {
      const double nearest = std::max(0.0, low);
      if (high - nearest > kApex) climb(nearest, high, 1);
    }
    if (a > b) std::reverse(steps_.begin(), steps_.end());
    for (const PortalScratch::Step& s : steps_) {
      CorridorMap::BendingPoint point = annotated(graph_, piece_, *curve_, s.u);
      if (s.flat) {
        const Vec2 apex = curve_->position(0);
        const Vec2 along = 0.5 * (curve_->position(1) - curve_->position(-1));
        point.p = apex + s.u * along;
        point.clearance = curve_->clearance(0);
      }
      push({point.p, point.p, point.p, point.clearance, piece_ >> 1});
    }
  }

  // A portal whose point sites keep `outer`, and whose segments keep c.
  void at(double u, double outer) {
    const CorridorMap::BendingPoint b = annotated(graph_, piece_, *curve_, u);
    CorridorPortal portal{b.p, b.p, b.p, b.clearance, piece_ >> 1};
    const double left = pointLeft_ ? outer : c_;
    const double right = pointRight_ ? outer : c_;
    if (b.clearance > left) portal.left = between(b.l, b.p, left / b.clearance);
    if (b.clearance > right) portal.right = between(b.r, b.p, right / b.clearance);
    push(portal);
  }

  void push(const CorridorPortal& portal) {
    if (!out_.empty()) {
      const CorridorPortal& last = out_.back();
      if (last.left == portal.left && last.right == portal.right && last.axis == portal.axis) return;
    }
    out_.push_back(portal);
  }

  const CorridorGraph& graph_;
  double c_;
  double deviation_;
  std::vector<PortalScratch::Step>& steps_;
  std::vector<CorridorPortal>& out_;
  DirectedArc piece_ = kNone;
  const ArcCurve* curve_ = nullptr;
  bool pointLeft_ = false;
  bool pointRight_ = false;
};

}  // namespace

CorridorMap::BendingPoint annotated(const CorridorGraph& graph, DirectedArc arc, const ArcCurve& curve, double u) {
  const bool backwards = arc & 1;
  if (u <= curve.begin()) return backwards ? graph.to(arc) : graph.from(arc);
  if (u >= curve.end()) return backwards ? graph.from(arc) : graph.to(arc);
  const CorridorMap& map = graph.map();
  const CorridorMap::BendingPoint from = graph.from(arc);
  CorridorMap::BendingPoint b;
  b.p = curve.position(u);
  b.clearance = curve.clearance(u);
  b.l = ecm::nearestOn(map.sites[graph.leftSite(arc)], b.p);
  b.r = ecm::nearestOn(map.sites[graph.rightSite(arc)], b.p);
  b.layer = from.layer;
  b.layerL = map.sites[graph.leftSite(arc)].layer;
  b.layerR = map.sites[graph.rightSite(arc)].layer;
  return b;
}

void collectPieces(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, const CorridorPath& path,
                   std::vector<CorridorPiece>& out) {
  out.clear();
  for (size_t i = 0; i < path.halfEdges.size(); ++i) {
    const uint32_t halfEdge = path.halfEdges[i];
    const bool first = i == 0;
    const bool last = i + 1 == path.halfEdges.size();
    const uint32_t reversed = halfEdge & 1;
    DirectedArc d = first ? 2 * start.arc + reversed : graph.firstArc(halfEdge);
    for (; d != kNone; d = graph.onward(d)) {
      const ArcCurve curve = graph.curve(d >> 1);
      CorridorPiece piece{d, reversed ? curve.end() : curve.begin(), reversed ? curve.begin() : curve.end()};
      if (first && d >> 1 == start.arc) piece.from = start.u;
      const bool end = last && d >> 1 == goal.arc;
      if (end) piece.to = goal.u;
      out.push_back(piece);
      if (end) break;
    }
  }
}

void collectPortals(const CorridorGraph& graph, const std::vector<CorridorPiece>& pieces, double c, double deviation,
                    PortalScratch& scratch, std::vector<CorridorPortal>& out) {
  out.clear();
  PortalWriter writer(graph, c, deviation, scratch, out);
  for (const CorridorPiece& piece : pieces) writer.add(piece);
}

}  // namespace wend
