#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <wend/environment.h>

#include "base/random.h"
#include "tests/planning/visibility/visibility_oracle.h"

// Small random worlds on a coarse lattice (1 unit = 1 m), so that corners, collinear lines and touching obstacles are
// common.
namespace wend {

inline std::optional<Environment> randomEnvironment(Random& random) {
  const auto size = static_cast<double>(random.between(6, 40));
  const auto coordinate = [&] { return static_cast<double>(random.between(0, static_cast<int64_t>(size))); };
  EnvironmentDraft draft;
  draft.lattice.unit = 1;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {size, 0}, {size, size}, {0, size}}});
  const auto obstacles = random.between(0, 12);
  for (int64_t i = 0; i < obstacles; ++i) {
    std::vector<Vec2> loop;
    if (random.chance(0.4)) {
      const double x = coordinate();
      const double y = coordinate();
      const auto w = static_cast<double>(random.between(1, 8));
      const auto h = static_cast<double>(random.between(1, 8));
      loop = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    } else {
      // A triangle; every second one is a needle around one point.
      const Vec2 p{coordinate(), coordinate()};
      loop.push_back(p);
      const bool needle = random.chance(0.5);
      loop.push_back({coordinate(), coordinate()});
      loop.push_back(needle ? Vec2{loop[1].x + 1, loop[1].y + static_cast<double>(random.between(-1, 1))}
                            : Vec2{coordinate(), coordinate()});
    }
    layer.obstacles.push_back({loop});
  }
  Context serial;
  serial.threads = 1;  // small worlds, many of them
  Result<Environment> environment = buildEnvironment(draft, serial);
  if (!environment.ok()) return std::nullopt;
  return std::move(*environment);
}

// Often a corner, or in line with one.
inline Point randomFreePoint(Random& random, const VisibilityOracle& oracle, const std::vector<OracleWall>& walls) {
  if (random.chance(0.4)) return walls[random.below(walls.size())].a;
  int32_t reach = 0;
  for (const OracleWall& wall : walls) reach = std::max({reach, wall.a.x, wall.a.y});
  for (int i = 0; i < 200; ++i) {
    Point p{static_cast<int32_t>(random.between(0, reach)), static_cast<int32_t>(random.between(0, reach))};
    if (random.chance(0.3)) p.x = walls[random.below(walls.size())].a.x;
    if (oracle.isFree(p)) return p;
  }
  return walls.front().a;
}

}  // namespace wend
