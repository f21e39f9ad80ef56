#include <algorithm>
#include <cmath>

#include <wend/game/contest.h>

#include <fmt/format.h>

#include "base/random.h"
#include "mesh/separate_cells.h"

namespace wend {
namespace {

constexpr double kSpacing = 6;     // metres between regions, about
constexpr int kAttempts = 200;     // levels drawn before giving up
constexpr double kBack = 0.1;      // bases lie in this last part of their half
constexpr size_t kBaseLinks = 3;   // open links of a base, at least
constexpr size_t kNeighbours = 7;  // links of a region, at most when it is linked
constexpr double kReach = 1.7;     // regions within this many spacings are neighbours

double distance(Vec2 p, Vec2 q) {
  return std::hypot(p.x - q.x, p.y - q.y);
}

void listLinks(ContestLevel& level) {
  level.linksOf.assign(level.places.size(), {});
  for (uint32_t i = 0; i < level.links.size(); ++i) {
    level.linksOf[level.links[i].a].push_back(i);
    level.linksOf[level.links[i].b].push_back(i);
  }
}

// Of several random places the one farthest from all others: regions do not clump.
std::vector<Vec2> scatter(uint32_t count, Vec2 size, Random& random) {
  constexpr int kCandidates = 8;
  std::vector<Vec2> places;
  for (uint32_t i = 0; i < count; ++i) {
    Vec2 best;
    double farthest = -1;
    for (int k = 0; k < kCandidates; ++k) {
      const Vec2 p{random.real(0, size.x), random.real(0, size.y)};
      double nearest = 1e9;
      for (const Vec2 q : places) nearest = std::min(nearest, distance(p, q));
      if (nearest > farthest) {
        farthest = nearest;
        best = p;
      }
    }
    places.push_back(best);
  }
  return places;
}

size_t openLinks(const ContestLevel& level, uint32_t region) {
  return static_cast<size_t>(std::count_if(level.linksOf[region].begin(), level.linksOf[region].end(),
                                           [&](uint32_t l) { return level.links[l].state == LinkState::kOpen; }));
}

// Whether both bases exist and an open way leads from one to the other.
bool chooseBases(ContestLevel& level, double width, Random& random) {
  for (uint8_t team = 0; team < 2; ++team) {
    std::vector<uint32_t> fit;
    for (uint32_t r = 0; r < level.places.size(); ++r) {
      const double depth = (team == 0 ? level.places[r].x : width - level.places[r].x) / (width / 2);
      if (depth <= kBack && openLinks(level, r) >= kBaseLinks) fit.push_back(r);
    }
    if (fit.empty()) return false;
    level.base[team] = fit[random.below(fit.size())];
  }
  return !planAlteringRoute(level, level.base[0], level.base[1], false).empty();
}

}  // namespace

Result<ContestLevel> makeLevel(const LevelSettings& settings, uint64_t seed) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  if (settings.least < 10 || settings.most < settings.least || settings.most > 10000 || !share(settings.open) ||
      !share(settings.gaps)) {
    return Error{ErrorCode::kInvalidSettings,
                 "a level needs 10 to 10000 regions, the least not above the most, and shares from 0 to 1"};
  }
  Random random(seed, 0xc7f);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    ContestLevel level;
    const auto count = static_cast<uint32_t>(random.between(settings.least, settings.most));
    const double width = kSpacing * std::sqrt(static_cast<double>(count) * 1.5);
    const Vec2 size{width, width / 1.5};
    level.places = scatter(count, size, random);
    for (const Vec2 p : level.places) level.half.push_back(p.x < width / 2 ? 0 : 1);
    std::vector<std::tuple<double, uint32_t, uint32_t>> pairs;
    for (uint32_t a = 0; a < count; ++a) {
      for (uint32_t b = a + 1; b < count; ++b) {
        const double length = distance(level.places[a], level.places[b]);
        if (length <= kReach * kSpacing) pairs.emplace_back(length, a, b);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<size_t> degree(count, 0);
    for (const auto& [length, a, b] : pairs) {
      if (degree[a] >= kNeighbours || degree[b] >= kNeighbours) continue;
      ++degree[a];
      ++degree[b];
      LinkState state = LinkState::kOpen;
      if (!random.chance(settings.open)) state = random.chance(settings.gaps) ? LinkState::kGap : LinkState::kBlocked;
      level.links.push_back({a, b, state, length});
    }
    listLinks(level);
    if (chooseBases(level, width, random)) return level;
  }
  return Error{ErrorCode::kEmpty, fmt::format("{} random levels had no place for two bases with a way between them; "
                                              "open more links",
                                              kAttempts)};
}

Result<ContestLevel> levelOf(const NavMesh& mesh, double reach) {
  if (mesh.cellCount() < 4) return Error{ErrorCode::kEmpty, "a contest needs a mesh of at least four cells"};
  if (const Status status = checkCellsAreJoined(mesh, "a contest"); !status.ok()) return status.error();
  if (!(reach >= 0 && reach <= 1000)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("the reach is {} m; it must be 0 to 1000 m", reach)};
  }
  ContestLevel level;
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    Vec2 sum;
    for (SideId s = mesh.firstSide(c); s < mesh.endSide(c); ++s) {
      const Vec3 p = mesh.position(mesh.startVertex(s));
      sum = {sum.x + p.x, sum.y + p.y};
    }
    const double n = mesh.sideCount(c);
    level.places.push_back({sum.x / n, sum.y / n});
  }
  const auto add = [&](uint32_t a, uint32_t b, LinkState state) {
    level.links.push_back({std::min(a, b), std::max(a, b), state, distance(level.places[a], level.places[b])});
  };
  std::vector<std::pair<uint32_t, uint32_t>> joined;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.twin(s) < s) continue;
    joined.emplace_back(std::min(mesh.cellOf(s), mesh.neighbour(s)), std::max(mesh.cellOf(s), mesh.neighbour(s)));
  }
  std::sort(joined.begin(), joined.end());
  joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
  for (const auto& [a, b] : joined) add(a, b, LinkState::kOpen);
  // Walls that face each other over a thin obstacle: their middles are near.
  struct Wall {
    Vec2 middle;
    CellId cell;
  };
  std::vector<Wall> walls;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s)) continue;
    const Vec3 p = mesh.position(mesh.startVertex(s));
    const Vec3 q = mesh.position(mesh.endVertex(s));
    walls.push_back({{(p.x + q.x) / 2, (p.y + q.y) / 2}, mesh.cellOf(s)});
  }
  std::sort(walls.begin(), walls.end(), [](const Wall& a, const Wall& b) {
    return std::tie(a.middle.x, a.middle.y, a.cell) < std::tie(b.middle.x, b.middle.y, b.cell);
  });
  std::vector<std::pair<uint32_t, uint32_t>> thin;
  for (size_t i = 0; i < walls.size(); ++i) {
    for (size_t j = i + 1; j < walls.size() && walls[j].middle.x - walls[i].middle.x <= reach; ++j) {
      if (walls[i].cell == walls[j].cell || distance(walls[i].middle, walls[j].middle) > reach) continue;
      if (mesh.layerOf(walls[i].cell) != mesh.layerOf(walls[j].cell)) continue;
      thin.emplace_back(std::min(walls[i].cell, walls[j].cell), std::max(walls[i].cell, walls[j].cell));
    }
  }
  std::sort(thin.begin(), thin.end());
  thin.erase(std::unique(thin.begin(), thin.end()), thin.end());
  for (const auto& [a, b] : thin) {
    if (!std::binary_search(joined.begin(), joined.end(), std::pair{a, b})) add(a, b, LinkState::kBlocked);
  }
  listLinks(level);
  Vec2 low{1e300, 1e300};
  Vec2 high{-1e300, -1e300};
  for (const Vec2 p : level.places) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const bool wide = high.x - low.x >= high.y - low.y;
  const double middle = wide ? (low.x + high.x) / 2 : (low.y + high.y) / 2;
  const auto along = [&](uint32_t r) { return wide ? level.places[r].x : level.places[r].y; };
  for (uint32_t r = 0; r < level.places.size(); ++r) level.half.push_back(along(r) < middle ? 0 : 1);
  // The farthest back with as many open links as possible, three being enough.
  for (uint8_t team = 0; team < 2; ++team) {
    uint32_t best = kNone;
    for (uint32_t r = 0; r < level.places.size(); ++r) {
      if (level.half[r] != team) continue;
      const auto key = [&](uint32_t x) {
        return std::pair{std::min(openLinks(level, x), kBaseLinks), team == 0 ? -along(x) : along(x)};
      };
      if (best == kNone || key(r) > key(best)) best = r;
    }
    if (best == kNone) return Error{ErrorCode::kEmpty, "all cells of the mesh lie in one half"};
    level.base[team] = best;
  }
  return level;
}

Result<Environment> environmentOf(const ContestLevel& level) {
  constexpr double kSquare = 1.2;  // half a side, metres
  constexpr double kStrip = 0.35;  // half a width
  EnvironmentDraft draft;
  draft.name = "contest";
  LayerDraft& layer = draft.layers.emplace_back();
  for (const Vec2 p : level.places) {
    layer.walkable.push_back({{{p.x - kSquare, p.y - kSquare},
                               {p.x + kSquare, p.y - kSquare},
                               {p.x + kSquare, p.y + kSquare},
                               {p.x - kSquare, p.y + kSquare}}});
  }
  for (const ContestLevel::Link& link : level.links) {
    if (link.state != LinkState::kOpen || link.length <= 0) continue;
    const Vec2 p = level.places[link.a];
    const Vec2 q = level.places[link.b];
    const Vec2 n{-(q.y - p.y) / link.length * kStrip, (q.x - p.x) / link.length * kStrip};
    layer.walkable.push_back(
        {{{p.x - n.x, p.y - n.y}, {q.x - n.x, q.y - n.y}, {q.x + n.x, q.y + n.y}, {p.x + n.x, p.y + n.y}}});
  }
  return buildEnvironment(draft);
}

}  // namespace wend
