#include "crowd/local/orca.h"

#include <array>
#include <cmath>
#include <numbers>

#include "crowd/local/avoid.h"
#include "crowd/local/symmetry.h"

// J. van den Berg, S. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance (2011).
namespace wend {
namespace orca {
namespace {

// The target on a line: the point nearest to `target`, or the farthest along it as a direction.
struct Wish {
  Vec2 target;
  bool asDirection = false;
};

// The best point of lines[i] that the earlier lines and the circle allow; false if they leave none.
bool bestOnLine(std::span<const Line> lines, size_t i, double radius, const Wish& wish, Vec2& best) {
  const Line& line = lines[i];
  const double along = dot(line.point, line.direction);
  const double inside = along * along + radius * radius - dot(line.point, line.point);
  if (inside < 0) return false;
  const double half = std::sqrt(inside);
  double low = -along - half;
  double high = -along + half;
  for (size_t k = 0; k < i; ++k) {
    const double crossing = cross(line.direction, lines[k].direction);
    const double offset = cross(lines[k].direction, line.point - lines[k].point);
    if (std::abs(crossing) <= kParallel) {
      if (offset < 0) return false;
      continue;
    }
    const double t = offset / crossing;
    if (crossing >= 0) {
      high = std::min(high, t);
    } else {
      low = std::max(low, t);
    }
    if (low > high) return false;
  }
  double t = 0;
  if (wish.asDirection) {
    t = dot(wish.target, line.direction) > 0 ? high : low;
  } else {
    t = std::clamp(dot(line.direction, wish.target - line.point), low, high);
  }
  best = line.point + t * line.direction;
  return true;
}

// Returns the number of lines, or the first one that leaves no point; `best` is then that of the lines before.
size_t program(std::span<const Line> lines, double radius, const Wish& wish, Vec2& best) {
  const double square = dot(wish.target, wish.target);
  if (wish.asDirection) {
    best = radius * wish.target;
  } else if (square > radius * radius) {
    best = (radius / std::sqrt(square)) * wish.target;
  } else {
    best = wish.target;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].violation(best) <= 0) continue;
    const Vec2 kept = best;
    if (!bestOnLine(lines, i, radius, wish, best)) {
      best = kept;
      return i;
    }
  }
  return lines.size();
}

// Walls stay; the largest violation of the other lines becomes as small as possible.
void relax(std::span<const Line> lines, uint32_t walls, size_t failed, double radius, Vec2& best) {
  std::array<Line, kMaxLines> bisectors;
  double deepest = 0;
  for (size_t i = failed; i < lines.size(); ++i) {
    if (lines[i].violation(best) <= deepest) continue;
    size_t count = walls;
    std::copy_n(lines.begin(), walls, bisectors.begin());
    for (size_t j = walls; j < i; ++j) {
      const double crossing = cross(lines[i].direction, lines[j].direction);
      Line& line = bisectors[count];
      if (std::abs(crossing) <= kParallel) {
        if (dot(lines[i].direction, lines[j].direction) > 0) continue;
        line.point = 0.5 * (lines[i].point + lines[j].point);
      } else {
        const double t = cross(lines[j].direction, lines[i].point - lines[j].point) / crossing;
        line.point = lines[i].point + t * lines[i].direction;
      }
      const Vec2 between = lines[j].direction - lines[i].direction;
      line.direction = (1 / std::sqrt(dot(between, between))) * between;
      ++count;
    }
    const Vec2 kept = best;
    const std::span<const Line> all(bisectors.data(), count);
    // Fails only by rounding: the point is in the set already.
    if (program(all, radius, {leftOf(lines[i].direction), true}, best) < count) best = kept;
    deepest = lines[i].violation(best);
  }
}

}  // namespace

Solution solve(std::span<const Line> lines, uint32_t walls, Vec2 preferred, double maxSpeed) {
  Solution solution;
  const size_t failed = program(lines, maxSpeed, {preferred}, solution.velocity);
  solution.feasible = failed == lines.size();
  if (!solution.feasible) relax(lines, walls, failed, maxSpeed, solution.velocity);
  return solution;
}

}  // namespace orca

// Half planes between agents that touch lock a ring of them for ever, unless some step back.
constexpr double kStepBack = std::numbers::pi * 5 / 6;

LocalChoice avoidOrca(const LocalView& view) {
  std::array<orca::Line, orca::kMaxLines> lines;
  const orca::LineCount count = orca::linesOf(view, lines);
  // A standing agent gives way too: otherwise the others, which do half, get half the gap.
  const Intent intent = nudgedIntentOf(view, kStepBack);
  const Vec2f preferred = intent.heading * intent.speed;
  const orca::Solution solution = orca::solve(std::span(lines).first(count.all), count.walls,
                                              {static_cast<double>(preferred.x), static_cast<double>(preferred.y)},
                                              static_cast<double>(view.maxSpeed));
  const Vec2f velocity{static_cast<float>(solution.velocity.x), static_cast<float>(solution.velocity.y)};
  return {velocity, sideOf(view.preferred, velocity), true};
}

}  // namespace wend
