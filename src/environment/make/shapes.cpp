#include "environment/make/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wend::make {

namespace {
constexpr double kTurn = 2 * std::numbers::pi;
}

Shape turned(const Shape& shape, double radians) {
  const double c = std::cos(radians);
  const double s = std::sin(radians);
  Shape result;
  result.reserve(shape.size());
  for (const Vec2 p : shape) result.push_back({c * p.x - s * p.y, s * p.x + c * p.y});
  return result;
}

double areaOf(const Shape& shape) {
  double sum = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    const Vec2 a = shape[i];
    const Vec2 b = shape[i + 1 == shape.size() ? 0 : i + 1];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum / 2;
}

Ring placed(const Shape& shape, Vec2 centreMetres, double scale) {
  Ring ring;
  ring.reserve(shape.size());
  for (const Vec2 p : shape) ring.push_back(point(centreMetres.x + scale * p.x, centreMetres.y + scale * p.y));
  return ring;
}

Shape regular(int vertices, double radius, double phase) {
  Shape shape;
  for (int i = 0; i < vertices; ++i) {
    const double angle = phase + kTurn * i / vertices;
    shape.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return shape;
}

Shape rock(int vertices, double halfWidth, double halfDepth, double roughness, Random& random) {
  Shape shape;
  const double phase = random.real();
  for (int i = 0; i < vertices; ++i) {
    // Neighbours keep at least 0.4 of the mean angle between them, and less than half a turn for three vertices.
    const double angle = kTurn * (i + phase + 0.3 * random.real(-1, 1)) / vertices;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    // Between a circle and a square, to fill the box better.
    const double reach = std::pow(std::max(std::abs(c), std::abs(s)), -0.7);
    const double radius = reach * (1 - roughness * random.real());
    shape.push_back({halfWidth * radius * c, halfDepth * radius * s});
  }
  return shape;
}

Shape gear(int vertices, double radius, double tooth) {
  Shape shape;
  for (int i = 0; i < vertices; ++i) {
    const double angle = kTurn * i / vertices;
    const double r = radius - (i % 2 == 1 ? tooth : 0);
    shape.push_back({r * std::cos(angle), r * std::sin(angle)});
  }
  return shape;
}

namespace {

// The levels and breaks of one side of a building: `parts` stretches whose levels alternate between shallow and deep.
struct Profile {
  std::vector<double> breaks;  // parts + 1 positions from 0 to 1
  std::vector<double> levels;
};

Profile profile(int parts, Random& random) {
  Profile result;
  const bool deepFirst = parts > 1 && random.chance(0.5);
  for (int i = 0; i <= parts; ++i) {
    const bool inner = i > 0 && i < parts;
    result.breaks.push_back((i + (inner ? 0.25 * random.real(-1, 1) : 0.0)) / parts);
  }
  for (int i = 0; i < parts; ++i) {
    const bool deep = (i % 2 == 1) != deepFirst;
    result.levels.push_back(deep && parts > 1 ? random.real(0.12, 0.30) : random.real(0.0, 0.05));
  }
  return result;
}

}  // namespace

Shape building(int vertices, double width, double depth, Random& random) {
  const int sides = vertices / 2;
  const int below = 1 + static_cast<int>(random.below(static_cast<uint64_t>(std::max(1, sides - 1))));
  const Profile bottom = profile(below, random);
  const Profile top = profile(sides - below, random);
  const auto x = [&](double t) { return (t - 0.5) * width; };
  Shape shape;
  for (size_t i = 0; i < bottom.levels.size(); ++i) {
    const double y = (bottom.levels[i] - 0.5) * depth;
    shape.push_back({x(bottom.breaks[i]), y});
    shape.push_back({x(bottom.breaks[i + 1]), y});
  }
  for (size_t i = top.levels.size(); i-- > 0;) {
    const double y = (0.5 - top.levels[i]) * depth;
    shape.push_back({x(top.breaks[i + 1]), y});
    shape.push_back({x(top.breaks[i]), y});
  }
  return shape;
}

Shape dented(int corners, int dents, double halfWidth, double halfDepth) {
  Shape shape;
  const auto corner = [&](int i) {
    const double angle = kTurn * (i + 0.5) / corners;
    return Vec2{halfWidth * std::cos(angle), halfDepth * std::sin(angle)};
  };
  for (int i = 0; i < corners; ++i) {
    const Vec2 a = corner(i);
    const Vec2 b = corner(i + 1);
    shape.push_back(a);
    // Bresenham's deal: the dents are spread evenly over the sides.
    const int64_t from = static_cast<int64_t>(i) * dents / corners;
    const int64_t to = static_cast<int64_t>(i + 1) * dents / corners;
    for (int64_t k = 1; k <= to - from; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(to - from + 1);
      // A parabola of height 0.1 of the side: it meets the side at 22 degrees, so even a triangle keeps its corners.
      const double depth = 0.4 * t * (1 - t);
      shape.push_back({a.x + t * (b.x - a.x) - depth * (b.y - a.y), a.y + t * (b.y - a.y) + depth * (b.x - a.x)});
    }
  }
  return shape;
}

Shape roundedBox(int vertices, double width, double depth, double radius) {
  Shape shape;
  for (int corner = 0; corner < 4; ++corner) {
    const int count = vertices / 4 + (corner < vertices % 4 ? 1 : 0);
    const double sx = corner == 0 || corner == 3 ? 1 : -1;
    const double sy = corner < 2 ? 1 : -1;
    if (count == 1) {
      shape.push_back({sx * width / 2, sy * depth / 2});
      continue;
    }
    for (int k = 0; k < count; ++k) {
      const double angle = kTurn / 4 * (corner + static_cast<double>(k) / (count - 1));
      shape.push_back(
          {sx * (width / 2 - radius) + radius * std::cos(angle), sy * (depth / 2 - radius) + radius * std::sin(angle)});
    }
  }
  return shape;
}

Figure figure(int arms, int convex, int concave, double body, double reach, Random& random) {
  Figure result;
  const double half = kTurn / 2 / arms;
  // The control point of a valley lies a fifth of the tip's radius inside the arm's flank, so that the end of a tip
  // turns left and every valley vertex turns right.
  const double radius = body * std::sin(half) / 0.8;
  result.tipRadius = radius;
  for (int i = 0; i < arms; ++i) {
    const double angle = 2 * half * i;
    const double length = reach * random.real(0.7, 1.0);
    result.tips.push_back({length * std::cos(angle), length * std::sin(angle)});
  }
  const auto flank = [&](int i, double side) {
    const double angle = 2 * half * i + side * kTurn / 4;
    const Vec2 tip = result.tips[static_cast<size_t>(i % arms)];
    return Vec2{tip.x + radius * std::cos(angle), tip.y + radius * std::sin(angle)};
  };
  for (int i = 0; i < arms; ++i) {
    const int tipCount = static_cast<int>((i + 1LL) * convex / arms - static_cast<int64_t>(i) * convex / arms);
    for (int k = 0; k < tipCount; ++k) {
      const double angle = 2 * half * i + kTurn / 4 * (2.0 * k / (tipCount - 1) - 1);
      const Vec2 tip = result.tips[static_cast<size_t>(i)];
      result.shape.push_back({tip.x + radius * std::cos(angle), tip.y + radius * std::sin(angle)});
    }
    const int count = static_cast<int>((i + 1LL) * concave / arms - static_cast<int64_t>(i) * concave / arms);
    const double middle = 2 * half * (i + 0.5);
    const Vec2 control{body * std::cos(middle), body * std::sin(middle)};
    if (count == 1) result.shape.push_back(control);
    if (count < 2) continue;
    const Vec2 a = flank(i, 1);
    const Vec2 b = flank(i + 1, -1);
    const auto towards = [&](Vec2 p) { return Vec2{0.4 * p.x + 0.6 * control.x, 0.4 * p.y + 0.6 * control.y}; };
    const Vec2 from = towards(a);
    const Vec2 to = towards(b);
    for (int k = 0; k < count; ++k) {
      const double t = static_cast<double>(k) / (count - 1);
      const double u = 1 - t;
      result.shape.push_back({u * u * from.x + 2 * u * t * control.x + t * t * to.x,
                              u * u * from.y + 2 * u * t * control.y + t * t * to.y});
    }
  }
  return result;
}

std::vector<int> distribute(int64_t total, size_t count, int least, int most, Random& random, int step) {
  std::vector<int> parts(count, least);
  std::vector<uint32_t> open(most >= least + step ? count : 0);
  for (size_t i = 0; i < open.size(); ++i) open[i] = static_cast<uint32_t>(i);
  int64_t left = (total - static_cast<int64_t>(count) * least) / step;
  // Whole rounds first, so that the sum is reached in linear time and no part runs away.
  if (!open.empty()) {
    const int64_t rounds = std::min<int64_t>(left / static_cast<int64_t>(2 * count), (most - least) / (2 * step));
    if (rounds > 0) {
      for (int& part : parts) part += static_cast<int>(rounds) * step;
      left -= rounds * static_cast<int64_t>(count);
    }
  }
  while (left > 0 && !open.empty()) {
    const size_t slot = random.below(open.size());
    int& part = parts[open[slot]];
    if (part + step > most) {
      open[slot] = open.back();
      open.pop_back();
      continue;
    }
    part += step;
    --left;
  }
  return parts;
}

}  // namespace wend::make
