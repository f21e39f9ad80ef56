#include "crowd/local/orca.h"

#include <gtest/gtest.h>

#include "crowd/local/avoid.h"
#include "tests/crowd/local/views.h"

namespace wend {
namespace {

using orca::Line;
using test::addNeighbour;
using test::addWall;

Line randomLine(Random& random) {
  const double angle = random.real(0, 6.28);
  return {{random.real(-1, 1), random.real(-1, 1)}, {std::cos(angle), std::sin(angle)}};
}

double deepest(std::span<const Line> lines, Vec2 v) {
  double most = -1e30;
  for (const Line& line : lines) most = std::max(most, line.violation(v));
  return most;
}

// The optimum is the target, a foot of it on a line or on the circle, or a corner of two of these.
bool obviousProgram(std::span<const Line> lines, Vec2 target, double radius, Vec2& best) {
  std::vector<Vec2> candidates{target};
  if (length(target) > 0) candidates.push_back((radius / length(target)) * target);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& a = lines[i];
    candidates.push_back(a.point + dot(target - a.point, a.direction) * a.direction);
    const double along = dot(a.point, a.direction);
    const double inside = along * along + radius * radius - dot(a.point, a.point);
    if (inside >= 0) {
      candidates.push_back(a.point + (-along - std::sqrt(inside)) * a.direction);
      candidates.push_back(a.point + (-along + std::sqrt(inside)) * a.direction);
    }
    for (size_t j = 0; j < i; ++j) {
      const double crossing = cross(a.direction, lines[j].direction);
      if (std::abs(crossing) < 1e-9) continue;
      const double t = cross(lines[j].direction, a.point - lines[j].point) / crossing;
      candidates.push_back(a.point + t * a.direction);
    }
  }
  double nearest = 1e30;
  for (const Vec2& v : candidates) {
    const double distance = length(v - target);
    if (length(v) <= radius + 1e-9 && deepest(lines, v) <= 1e-9 && distance < nearest) {
      nearest = distance;
      best = v;
    }
  }
  return nearest < 1e30;
}

TEST(OrcaProgram, AgainstAllCorners) {
  Random random(10);
  int feasible = 0;
  int infeasible = 0;
  for (int n = 0; n < 20000; ++n) {
    std::vector<Line> lines(random.below(8));
    for (Line& line : lines) line = randomLine(random);
    const Vec2 target{random.real(-2, 2), random.real(-2, 2)};
    Vec2 obvious;
    const bool possible = obviousProgram(lines, target, 1.5, obvious);
    const orca::Solution solution = orca::solve(lines, 0, target, 1.5);
    EXPECT_LE(length(solution.velocity), 1.5 + 1e-9);
    if (possible != solution.feasible) {
      // Only where the set is as good as empty.
      EXPECT_LT(deepest(lines, solution.velocity), 1e-4);
      continue;
    }
    if (!possible) {
      ++infeasible;
      continue;
    }
    ++feasible;
    EXPECT_LE(deepest(lines, solution.velocity), 1e-6);
    EXPECT_NEAR(length(solution.velocity - target), length(obvious - target), 1e-6);
  }
  EXPECT_GT(feasible, 5000);
  EXPECT_GT(infeasible, 1000);
}

TEST(OrcaProgram, SecondProgramKeepsWallsAndViolatesOthersLeast) {
  Random random(11);
  int checked = 0;
  for (int n = 0; n < 3000; ++n) {
    std::vector<Line> lines(2 + random.below(5));
    for (Line& line : lines) line = randomLine(random);
    const uint32_t walls = 1;
    lines[0].point = (-0.2) * leftOf(lines[0].direction);  // a wall never forbids to stand
    const Vec2 target{random.real(-2, 2), random.real(-2, 2)};
    const orca::Solution solution = orca::solve(lines, walls, target, 1.5);
    EXPECT_LE(lines[0].violation(solution.velocity), 1e-6);
    if (solution.feasible) continue;
    ++checked;
    const std::span<const Line> others = std::span<const Line>(lines).subspan(walls);
    const double found = deepest(others, solution.velocity);
    double least = found;
    for (int x = -60; x <= 60; ++x) {
      for (int y = -60; y <= 60; ++y) {
        const Vec2 v{x / 40.0, y / 40.0};
        if (length(v) <= 1.5 && lines[0].violation(v) <= 0) least = std::min(least, deepest(others, v));
      }
    }
    EXPECT_GE(least, found - 1e-6);
  }
  EXPECT_GT(checked, 300);
}

struct Walker {
  Vec2f position;
  Vec2f velocity;
  Vec2f goal;
  float radius;
  float stood = 0;  // s
};

// Each sees the other as it was at the begin of the step.
float nearestApproach(std::vector<Walker> walkers, int steps, bool& arrived) {
  float gap = 1e9F;
  for (int n = 0; n < steps; ++n) {
    std::vector<Vec2f> wanted;
    for (uint32_t i = 0; i < walkers.size(); ++i) {
      LocalView view;
      view.id = i;
      view.frame = static_cast<uint64_t>(n);
      view.radius = walkers[i].radius;
      view.velocity = walkers[i].velocity;
      view.stuck = std::clamp((walkers[i].stood - 1) / 2, 0.0F, 1.0F);
      const Vec2f way = walkers[i].goal - walkers[i].position;
      view.preferred = length(way) < 0.1F ? way : direction(way, {}) * view.speed;
      for (uint32_t j = 0; j < walkers.size(); ++j) {
        if (j == i) continue;
        addNeighbour(view, walkers[j].position - walkers[i].position, walkers[j].velocity, walkers[j].radius);
        view.ids[view.count - 1] = j;
      }
      test::sortNeighbours(view);
      wanted.push_back(avoidOrca(view).velocity);
    }
    for (uint32_t i = 0; i < walkers.size(); ++i) {
      walkers[i].velocity = wanted[i];
      const bool stands = length(wanted[i]) < 0.2F && length(walkers[i].goal - walkers[i].position) > 0.5F;
      walkers[i].stood = std::clamp(walkers[i].stood + (stands ? 0.1F : -0.2F), 0.0F, 3.0F);
      walkers[i].position = walkers[i].position + wanted[i] * 0.1F;
    }
    for (uint32_t i = 0; i < walkers.size(); ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        gap = std::min(gap, length(walkers[i].position - walkers[j].position) - walkers[i].radius - walkers[j].radius);
      }
    }
  }
  arrived = true;
  for (const Walker& walker : walkers) arrived &= length(walker.goal - walker.position) < 0.5F;
  return gap;
}

TEST(Orca, TwoNeverOverlap) {
  Random random(12);
  for (int n = 0; n < 300; ++n) {
    std::vector<Walker> walkers;
    for (int k = 0; k < 2; ++k) {
      const Vec2f at = test::randomVector(random, 4);
      walkers.push_back(
          {at, test::randomVector(random, 0.9), test::randomVector(random, 4), test::real(random, 0.2, 0.4)});
    }
    if (length(walkers[0].position - walkers[1].position) < 2) continue;
    bool arrived = false;
    EXPECT_GT(nearestApproach(walkers, 150, arrived), -1e-3F) << n;
  }
}

TEST(Orca, HeadOnDoesNotDeadlock) {
  bool arrived = false;
  EXPECT_GT(nearestApproach({{{-4, 0}, {}, {4, 0}, 0.24F}, {{4, 0}, {}, {-4, 0}, 0.24F}}, 150, arrived), -1e-3F);
  EXPECT_TRUE(arrived);
}

TEST(Orca, EightSwapPlacesOnACircle) {
  std::vector<Walker> walkers;
  for (int k = 0; k < 8; ++k) {
    const double angle = k * std::numbers::pi / 4;
    const Vec2f at{static_cast<float>(4 * std::cos(angle)), static_cast<float>(4 * std::sin(angle))};
    walkers.push_back({at, {}, -at, 0.24F});
  }
  bool arrived = false;
  EXPECT_GT(nearestApproach(walkers, 400, arrived), -0.025F);
  EXPECT_TRUE(arrived);
}

TEST(Orca, LinesAllowTheSolution) {
  Random random(13);
  int feasible = 0;
  for (int n = 0; n < 5000; ++n) {
    LocalView view = test::randomView(random);
    std::array<Line, orca::kMaxLines> lines;
    const orca::LineCount count = orca::linesOf(view, lines);
    const std::span<const Line> all = std::span<const Line>(lines).first(count.all);
    const orca::Solution solution = orca::solve(all, count.walls, wide(view.preferred), 2);
    if (!solution.feasible) continue;
    ++feasible;
    EXPECT_LE(deepest(all, solution.velocity), 1e-6);
  }
  EXPECT_GT(feasible, 1000);
}

// A velocity that all wall lines allow hits no wall within the horizon.
TEST(Orca, WallLinesKeepOutOfWalls) {
  Random random(14);
  for (int n = 0; n < 3000; ++n) {
    LocalView view;
    view.radius = 0.24F;
    view.velocity = test::randomVector(random, 1);
    // A convex obstacle: a triangle, walkable ground outside, so its corners run clockwise.
    const Vec2f centre = test::randomVector(random, 2);
    const double turn = random.real(0, 6);
    std::array<Vec2f, 3> corner;
    for (int k = 0; k < 3; ++k) {
      const double angle = turn - k * 2 * std::numbers::pi / 3;
      corner[k] = centre + Vec2f{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    bool clear = true;
    for (int k = 0; k < 3; ++k) {
      const Vec2f a = corner[k];
      const Vec2f b = corner[(k + 1) % 3];
      addWall(view, a, b);
      view.walls[k].before = direction(a - corner[(k + 2) % 3], {});
      view.walls[k].after = direction(corner[(k + 2) % 3] - b, {});
      const float s = std::clamp(-dot(a, view.walls[k].along), 0.0F, length(b - a));
      clear &= length(a + view.walls[k].along * s) > view.radius + 0.01F;
    }
    if (!clear || (cross(corner[1] - corner[0], -corner[0]) < 0 && cross(corner[2] - corner[1], -corner[1]) < 0 &&
                   cross(corner[0] - corner[2], -corner[2]) < 0)) {
      continue;
    }
    std::sort(view.walls.begin(), view.walls.begin() + 3, [](const WallView& l, const WallView& r) {
      const auto nearest = [](const WallView& w) {
        const float s = std::clamp(-dot(w.a, w.along), 0.0F, length(w.b - w.a));
        return length(w.a + w.along * s);
      };
      return nearest(l) < nearest(r);
    });
    view.preferred = test::randomVector(random, 2);
    const Vec2f v = avoidOrca(view).velocity;
    for (int t = 0; t <= 10; ++t) {
      const Vec2f at = v * (0.05F * static_cast<float>(t));
      for (uint32_t i = 0; i < 3; ++i) {
        const WallView& w = view.walls[i];
        const float s = std::clamp(dot(at - w.a, w.along), 0.0F, length(w.b - w.a));
        ASSERT_GT(length(w.a + w.along * s - at), view.radius - 0.002F) << n;
      }
    }
  }
}

TEST(Orca, StandingMakesRoom) {
  LocalView view;
  addNeighbour(view, {1, 0}, {-1, 0.02F});
  EXPECT_GT(length(avoidOrca(view).velocity), 0.05F);
}

}  // namespace
}  // namespace wend
