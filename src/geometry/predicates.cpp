#include "geometry/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wend {
namespace {

template <typename T>
int sign(T value) {
  return (value > 0) - (value < 0);
}

// --- Expansion arithmetic: a number as a sum of doubles of growing size, without rounding (Shewchuk 1997). ----------

struct Pair {
  double high;
  double low;
};

Pair twoSum(double a, double b) {
  const double sum = a + b;
  const double bb = sum - a;
  return {sum, (a - (sum - bb)) + (b - bb)};
}

Pair twoProduct(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// Adds terms one by one; enough for the 16 terms of orient.
class Expansion {
 public:
  void add(double value) {
    double carry = value;
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i) {
      const Pair s = twoSum(carry, terms_[i]);
      if (s.low != 0) terms_[kept++] = s.low;
      carry = s.high;
    }
    if (carry != 0) terms_[kept++] = carry;
    size_ = kept;
  }
  void addProduct(double a, double b) {
    const Pair p = twoProduct(a, b);
    add(p.low);
    add(p.high);
  }
  int sign() const { return size_ == 0 ? 0 : wend::sign(terms_[size_ - 1]); }

 private:
  std::array<double, 24> terms_{};
  size_t size_ = 0;
};

}  // namespace

int orientExact(Vec2 a, Vec2 b, Vec2 c) {
  // Differences of coordinates near each other are exact, and then two products decide.
  const auto difference = [](double p, double q) { return twoSum(p, -q); };
  const Pair ax = difference(a.x, c.x);
  const Pair ay = difference(a.y, c.y);
  const Pair bx = difference(b.x, c.x);
  const Pair by = difference(b.y, c.y);
  if (ax.low == 0 && ay.low == 0 && bx.low == 0 && by.low == 0) {
    const Pair left = twoProduct(ax.high, by.high);
    const Pair right = twoProduct(ay.high, bx.high);
    return left.high != right.high ? sign(left.high - right.high) : sign(left.low - right.low);
  }
  // ax by - ay bx + bx cy - by cx + cx ay - cy ax, every product exact.
  Expansion e;
  e.addProduct(a.x, b.y);
  e.addProduct(-a.y, b.x);
  e.addProduct(b.x, c.y);
  e.addProduct(-b.y, c.x);
  e.addProduct(c.x, a.y);
  e.addProduct(-c.y, a.x);
  return e.sign();
}

int inCircleExact(Point a, Point b, Point c, Point d) {
  // All points lie in a box of side 2^31: squares summed are at most 2^63, a 2x2 minor is twice a triangle's area in
  // the box, at most 2^62, so the three products stay below 2^125 each and their sum fits 128 bits.
  const auto x = [&](Point p) { return static_cast<Int128>(p.x) - d.x; };
  const auto y = [&](Point p) { return static_cast<Int128>(p.y) - d.y; };
  const Int128 ax = x(a);
  const Int128 ay = y(a);
  const Int128 bx = x(b);
  const Int128 by = y(b);
  const Int128 cx = x(c);
  const Int128 cy = y(c);
  return sign((ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
              (cx * cx + cy * cy) * (ax * by - ay * bx));
}

bool onSegment(Point a, Point b, Point p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y) && orient(a, b, p) == 0;
}

Meeting meet(Point a, Point b, Point c, Point d) {
  if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
    return Meeting::kNone;
  }
  const int abc = orient(a, b, c);
  const int abd = orient(a, b, d);
  const int cda = orient(c, d, a);
  const int cdb = orient(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return Meeting::kCross;
  if (a == b) return onSegment(c, d, a) ? Meeting::kTouch : Meeting::kNone;
  if (c == d) return onSegment(a, b, c) ? Meeting::kTouch : Meeting::kNone;
  if (abc == 0 && abd == 0) {
    // Collinear, and the boxes meet: compare the intervals along the line by the lexicographic order.
    const Point low = std::max(std::min(a, b), std::min(c, d));
    const Point high = std::min(std::max(a, b), std::max(c, d));
    if (low < high) return Meeting::kOverlap;
    return low == high ? Meeting::kTouch : Meeting::kNone;
  }
  if (onSegment(a, b, c) || onSegment(a, b, d) || onSegment(c, d, a) || onSegment(c, d, b)) return Meeting::kTouch;
  return Meeting::kNone;
}

}  // namespace wend
