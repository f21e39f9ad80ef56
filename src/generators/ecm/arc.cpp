#include "generators/ecm/arc.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

Vec2 at(Vec2 origin, Vec2 direction, double t) {
  return {origin.x + direction.x * t, origin.y + direction.y * t};
}
// Of length 1; {1, 0} if there is no direction.
Vec2 unit(Vec2 v) {
  const double length = std::hypot(v.x, v.y);
  return length > 0 ? Vec2{v.x / length, v.y / length} : Vec2{1, 0};
}

// The integral of sqrt(1 + x^2) from a to b. The closed form loses digits where both ends are far from 0 and near each
// other; there, the integrand is so smooth that Gauss's rule with 8 points is exact to the last digits.
double unitParabolaLength(double a, double b) {
  const double middle = 0.5 * (a + b);
  const double half = 0.5 * (b - a);
  if (half > 0.25 * std::sqrt(1 + middle * middle)) {
    const auto integral = [](double v) { return 0.5 * (v * std::sqrt(1 + v * v) + std::asinh(v)); };
    return integral(b) - integral(a);
  }
  constexpr std::array<double, 4> kNodes{0.1834346424956498049394761, 0.5255324099163289858177390,
                                         0.7966664774136267395915539, 0.9602898564975362316835609};
  constexpr std::array<double, 4> kWeights{0.3626837833783619829651504, 0.3137066458778872873379622,
                                           0.2223810344533744705443560, 0.1012285362903762591525314};
  double sum = 0;
  for (size_t i = 0; i < kNodes.size(); ++i) {
    const double low = middle - half * kNodes[i];
    const double high = middle + half * kNodes[i];
    sum += kWeights[i] * (std::sqrt(1 + low * low) + std::sqrt(1 + high * high));
  }
  return sum * half;
}

}  // namespace

ArcCurve::ArcCurve(const CorridorMap::Site& left, const CorridorMap::Site& right, Vec2 from, Vec2 to,
                   double fromClearance, double toClearance)
    : beginClearance_(fromClearance), endClearance_(toClearance) {
  using SiteKind = CorridorMap::SiteKind;
  const bool leftPoint = left.kind == SiteKind::kPoint;
  const bool rightPoint = right.kind == SiteKind::kPoint;
  if (leftPoint && rightPoint) {
    kind_ = Kind::kPoints;
    const Vec2 a = toVec2(left.a);
    const Vec2 b = toVec2(right.a);
    size_ = 0.5 * std::hypot(b.x - a.x, b.y - a.y);
    origin_ = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    direction_ = unit(size_ > 0 ? Vec2{a.y - b.y, b.x - a.x} : to - from);
    if (dot(direction_, to - from) < 0) direction_ = {-direction_.x, -direction_.y};
  } else if (leftPoint != rightPoint) {
    const CorridorMap::Site& segment = leftPoint ? right : left;
    const Vec2 focus = toVec2(leftPoint ? left.a : right.a);
    const Vec2 a = toVec2(segment.a);
    const Vec2 along = unit(toVec2(segment.b) - a);
    const double above = cross(along, focus - a);
    if (above != 0) {
      kind_ = Kind::kParabola;
      size_ = std::abs(above);
      normal_ = above > 0 ? Vec2{-along.y, along.x} : Vec2{along.y, -along.x};
      origin_ = at(focus, normal_, -size_);
      direction_ = dot(along, to - from) < 0 ? Vec2{-along.x, -along.y} : along;
    }
  }
  if (kind_ == Kind::kSegments) {
    origin_ = from;
    direction_ = unit(to - from);
  }
  begin_ = dot(from - origin_, direction_);
  end_ = std::max(begin_, dot(to - origin_, direction_));
}

Vec2 ArcCurve::position(double u) const {
  const Vec2 p = at(origin_, direction_, u);
  return kind_ == Kind::kParabola ? at(p, normal_, clearance(u)) : p;
}

double ArcCurve::clearance(double u) const {
  switch (kind_) {
    case Kind::kPoints:
      return std::hypot(size_, u);
    case Kind::kParabola:
      return 0.5 * (u * (u / size_) + size_);
    default:
      break;
  }
  if (!(end_ > begin_)) return std::min(beginClearance_, endClearance_);
  const double t = std::clamp((u - begin_) / (end_ - begin_), 0.0, 1.0);
  return beginClearance_ + (endClearance_ - beginClearance_) * t;
}

double ArcCurve::parameter(Vec2 p) const {
  return std::clamp(dot(p - origin_, direction_), begin_, end_);
}

double ArcCurve::lengthBetween(double u, double v) const {
  if (!(v > u)) return 0;
  if (kind_ != Kind::kParabola) return v - u;
  return size_ * unitParabolaLength(u / size_, v / size_);
}

double ArcCurve::parameterAtLength(double length) const {
  if (!(length > 0)) return begin_;
  if (kind_ != Kind::kParabola) return std::min(end_, begin_ + length);
  double low = begin_;
  double high = std::min(end_, begin_ + length);  // the curve is at least as long as its parameter
  if (lengthBetween(begin_, high) <= length) return high;
  // Newton's steps, kept inside a bracket that at least halves when they leave it.
  double u = 0.5 * (low + high);
  for (int i = 0; i < 64 && low < high; ++i) {
    const double off = lengthBetween(begin_, u) - length;
    (off > 0 ? high : low) = u;
    const double slope = std::hypot(1.0, u / size_);
    double next = u - off / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == u) break;
    u = next;
  }
  return u;
}

double ArcCurve::narrowestBetween(double u, double v) const {
  if (kind_ == Kind::kSegments) return clearance(u) <= clearance(v) ? u : v;
  return std::clamp(0.0, u, std::max(u, v));
}

double ArcCurve::minClearance() const {
  const double ends = std::min(beginClearance_, endClearance_);
  if (kind_ == Kind::kSegments || begin_ >= 0 || end_ <= 0) return ends;
  return kind_ == Kind::kPoints ? size_ : 0.5 * size_;
}

ArcCurve::Crossings ArcCurve::parametersOf(double c) const {
  Crossings out;
  const auto add = [&](double u) {
    if (u >= begin_ && u <= end_ && (out.count == 0 || u > out.at[0])) out.at[static_cast<size_t>(out.count++)] = u;
  };
  if (kind_ == Kind::kSegments) {
    const double slope = endClearance_ - beginClearance_;
    if (slope == 0 || !(c >= std::min(beginClearance_, endClearance_)) ||
        !(c <= std::max(beginClearance_, endClearance_))) {
      return out;
    }
    add(begin_ + (end_ - begin_) * ((c - beginClearance_) / slope));
    return out;
  }
  const double smallest = kind_ == Kind::kPoints ? size_ : 0.5 * size_;
  if (!(c >= smallest)) return out;
  // The same as sqrt(c^2 - w^2) and sqrt(2 h c - h^2), without losing digits where c is close to the smallest.
  const double root =
      kind_ == Kind::kPoints ? std::sqrt((c - size_) * (c + size_)) : std::sqrt(2 * size_ * (c - smallest));
  add(-root);
  add(root);
  return out;
}

ArcCurve::Crossings ArcCurve::crossingsWith(Vec2 a, Vec2 b) const {
  const Vec2 along = unit(b - a);
  const Vec2 across{-along.y, along.x};
  const double length = dot(b - a, along);
  Crossings out;
  const auto add = [&](double u) {
    if (!(u >= begin_ && u <= end_)) return;
    const double position = dot(this->position(u) - a, along);
    if (position >= 0 && position <= length) out.at[static_cast<size_t>(out.count++)] = u;
  };
  // The distance from the line is c + b u + a u^2.
  const double linear = dot(across, direction_);
  double constant = dot(across, origin_ - a);
  if (kind_ != Kind::kParabola) {
    if (linear != 0) add(-constant / linear);
    return out;
  }
  const double square = dot(across, normal_) / (2 * size_);
  constant += 0.5 * size_ * dot(across, normal_);
  const double discriminant = linear * linear - 4 * square * constant;
  if (discriminant < 0) return out;
  const double q = -0.5 * (linear + std::copysign(std::sqrt(discriminant), linear));
  if (q == 0) {
    if (square != 0) add(0);
    return out;
  }
  const double first = constant / q;
  if (square == 0) {
    add(first);
    return out;
  }
  add(std::min(first, q / square));
  if (discriminant > 0) add(std::max(first, q / square));
  return out;
}

double ArcCurve::slopeAcross(Vec2 a, Vec2 b, double u) const {
  const Vec2 along = unit(b - a);
  const Vec2 across{-along.y, along.x};
  const double slope = dot(across, direction_);
  return kind_ == Kind::kParabola ? slope + dot(across, normal_) * (u / size_) : slope;
}

Vec2 ArcCurve::bend() const {
  const Vec2 middle = at(origin_, direction_, 0.5 * (begin_ + end_));
  return kind_ == Kind::kParabola ? at(middle, normal_, 0.5 * (begin_ * (end_ / size_) + size_)) : middle;
}

Vec2 nearestOn(const CorridorMap::Site& site, Vec2 p) {
  const Vec2 a = toVec2(site.a);
  if (site.kind == CorridorMap::SiteKind::kPoint) return a;
  const Vec2 along = toVec2(site.b) - a;
  const double squared = dot(along, along);
  if (!(squared > 0)) return a;
  const double t = dot(p - a, along) / squared;
  if (t <= 0) return a;
  if (t >= 1) return toVec2(site.b);
  return at(a, along, t);
}

}  // namespace wend::ecm
