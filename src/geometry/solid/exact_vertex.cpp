#include "geometry/solid/exact_vertex.h"

#include <numeric>

#include <boost/multiprecision/cpp_int.hpp>

namespace wend {

using Wide = boost::multiprecision::int256_t;

struct ExactPoint {
  Wide x;
  Wide y;
  Wide z;
  Wide w;  // above 0
  const Wide& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

namespace {

Wide wide(Int128 value) {
  const bool negative = value < 0;
  __extension__ using Unsigned = unsigned __int128;
  const Unsigned size = negative ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value);
  Wide result = static_cast<uint64_t>(size >> 64);
  result <<= 64;
  result += static_cast<uint64_t>(size);
  return negative ? Wide(-result) : result;
}

struct Vector128 {
  Int128 x;
  Int128 y;
  Int128 z;
};

Vector128 crossOf(const HalfSpace& p, const HalfSpace& q) {
  return {Int128{p.b} * q.c - Int128{p.c} * q.b, Int128{p.c} * q.a - Int128{p.a} * q.c,
          Int128{p.a} * q.b - Int128{p.b} * q.a};
}

bool fits(Int128 a, double bound) {
  return std::abs(static_cast<double>(a)) < bound;
}

// numerator / denominator rounded; both may be far beyond the range of 64 bits.
double quotient(const Wide& numerator, const Wide& denominator) {
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

uint64_t multiply(uint64_t a, uint64_t b, uint64_t prime) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Unsigned>(a) * b % prime);
}

uint64_t power(uint64_t base, uint64_t exponent, uint64_t prime) {
  uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, base, prime);
    base = multiply(base, base, prime);
  }
  return result;
}

uint64_t remainder(const Wide& value, uint64_t prime) {
  const bool negative = value < 0;
  const Wide size = negative ? Wide(-value) : value;
  const auto rest = static_cast<uint64_t>(size % prime);
  return negative && rest != 0 ? prime - rest : rest;
}

uint64_t remainder(int64_t value, uint64_t prime) {
  const auto modulus = static_cast<int64_t>(prime);
  return static_cast<uint64_t>((value % modulus + modulus) % modulus);
}

}  // namespace

HalfSpace reduced(HalfSpace plane) {
  int64_t divisor = std::gcd(std::gcd(plane.a, plane.b), std::gcd(plane.c, plane.d));
  if (divisor > 1) {
    plane.a /= divisor;
    plane.b /= divisor;
    plane.c /= divisor;
    plane.d /= divisor;
  }
  return plane;
}

std::optional<HalfSpace> planeThrough(Point3 a, Point3 b, Point3 c) {
  const int64_t ux = int64_t{b.x} - a.x;
  const int64_t uy = int64_t{b.y} - a.y;
  const int64_t uz = int64_t{b.z} - a.z;
  const int64_t vx = int64_t{c.x} - a.x;
  const int64_t vy = int64_t{c.y} - a.y;
  const int64_t vz = int64_t{c.z} - a.z;
  HalfSpace plane{uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, 0};
  const int64_t divisor = std::gcd(std::gcd(plane.a, plane.b), plane.c);
  if (divisor == 0) return std::nullopt;
  plane.a /= divisor;
  plane.b /= divisor;
  plane.c /= divisor;
  plane.d = plane.a * a.x + plane.b * a.y + plane.c * a.z;
  return plane;
}

HalfSpace axisPlane(int axis, int sign, int32_t limit) {
  HalfSpace plane;
  (axis == 0 ? plane.a : axis == 1 ? plane.b : plane.c) = sign;
  plane.d = int64_t{sign} * limit;
  return plane;
}

std::optional<ExactVertex> meet(const HalfSpace& p, const HalfSpace& q, const HalfSpace& r) {
  const Vector128 qr = crossOf(q, r);
  const Int128 w = p.a * qr.x + p.b * qr.y + p.c * qr.z;
  if (w == 0) return std::nullopt;
  const Vector128 rp = crossOf(r, p);
  const Vector128 pq = crossOf(p, q);
  // Three products of an offset and a component: in 128 bits if each is below 2^125.
  const double offset = std::max({std::abs(static_cast<double>(p.d)), std::abs(static_cast<double>(q.d)),
                                  std::abs(static_cast<double>(r.d)), 1.0});
  const double bound = 0x1.0p125 / offset;
  const bool narrow = fits(qr.x, bound) && fits(qr.y, bound) && fits(qr.z, bound) && fits(rp.x, bound) &&
                      fits(rp.y, bound) && fits(rp.z, bound) && fits(pq.x, bound) && fits(pq.y, bound) &&
                      fits(pq.z, bound);
  ExactVertex vertex;
  ExactPoint point;
  if (narrow) {
    Int128 x = p.d * qr.x + q.d * rp.x + r.d * pq.x;
    Int128 y = p.d * qr.y + q.d * rp.y + r.d * pq.y;
    Int128 z = p.d * qr.z + q.d * rp.z + r.d * pq.z;
    if (x % w == 0 && y % w == 0 && z % w == 0) {
      vertex.x = static_cast<double>(x / w);
      vertex.y = static_cast<double>(y / w);
      vertex.z = static_cast<double>(z / w);
      return vertex;
    }
    point = {wide(x), wide(y), wide(z), wide(w)};
  } else {
    const auto sum = [&](Int128 a, Int128 b, Int128 c) -> Wide {
      return wide(a) * p.d + wide(b) * q.d + wide(c) * r.d;
    };
    point = {sum(qr.x, rp.x, pq.x), sum(qr.y, rp.y, pq.y), sum(qr.z, rp.z, pq.z), wide(w)};
    if (point.x % point.w == 0 && point.y % point.w == 0 && point.z % point.w == 0) {
      vertex.x = static_cast<double>(Wide(point.x / point.w));
      vertex.y = static_cast<double>(Wide(point.y / point.w));
      vertex.z = static_cast<double>(Wide(point.z / point.w));
      return vertex;
    }
  }
  if (point.w < 0) {
    point.x = -point.x;
    point.y = -point.y;
    point.z = -point.z;
    point.w = -point.w;
  }
  vertex.x = quotient(point.x, point.w);
  vertex.y = quotient(point.y, point.w);
  vertex.z = quotient(point.z, point.w);
  vertex.fraction = std::make_shared<const ExactPoint>(std::move(point));
  return vertex;
}

int sideExact(const HalfSpace& plane, const ExactVertex& v) {
  const ExactPoint& p = *v.fraction;
  const Wide value = p.x * plane.a + p.y * plane.b + p.z * plane.c - p.w * plane.d;
  return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0);
}

Floor floorOf(const ExactVertex& vertex, int axis) {
  if (vertex.whole()) return {static_cast<int32_t>(vertex[axis]), true};
  const Wide& x = (*vertex.fraction)[axis];
  const Wide& w = vertex.fraction->w;
  const Wide quotient = x / w;  // rounds toward zero
  const bool exact = quotient * w == x;
  auto value = static_cast<int32_t>(quotient);
  if (!exact && x < 0) --value;
  return {value, exact};
}

int32_t ceilingOf(const ExactVertex& vertex, int axis) {
  const Floor floor = floorOf(vertex, axis);
  return floor.value + (floor.exact ? 0 : 1);
}

std::optional<uint64_t> residue(const ExactVertex& vertex, int axis, uint64_t prime) {
  if (vertex.whole()) return remainder(static_cast<int64_t>(vertex[axis]), prime);
  const uint64_t w = remainder(vertex.fraction->w, prime);
  if (w == 0) return std::nullopt;
  return multiply(remainder((*vertex.fraction)[axis], prime), power(w, prime - 2, prime), prime);
}

bool equal(const ExactVertex& u, const ExactVertex& v) {
  if (u.whole() || v.whole()) return u.whole() && v.whole() && u.x == v.x && u.y == v.y && u.z == v.z;
  // Rounded copies of one point may differ by their error.
  constexpr double kSlack = 0x1.0p-30;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(u[axis] - v[axis]) > kSlack) return false;
  }
  using Wider = boost::multiprecision::int512_t;
  const Wider uw(u.fraction->w);
  const Wider vw(v.fraction->w);
  for (int axis = 0; axis < 3; ++axis) {
    if (Wider((*u.fraction)[axis]) * vw != Wider((*v.fraction)[axis]) * uw) return false;
  }
  return true;
}

}  // namespace wend
