#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include <wend/volume/volume_mesh.h>

#include <fmt/format.h>

namespace wend {
namespace {

double distance(Vec3 a, Vec3 b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}
Vec3 between(Vec3 a, Vec3 b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}
Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec3 minus(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

class Search {
 public:
  Search(const VolumeMesh& mesh, const VolumeQuery& query) : mesh_(mesh), query_(query) {}

  double costOf(VolumeId cell) const {
    const uint32_t label = mesh_.label(cell);
    return label < query_.classCosts.size() ? query_.classCosts[label] : 1.0;
  }

  // The sequence of gateways; false if there is none.
  bool run(VolumeId start, VolumeId goal, VolumeRoute& route) {
    if (start == goal) {
      route.cells = {start};
      return true;
    }
    best_.assign(mesh_.gatewayCount(), std::numeric_limits<double>::infinity());
    parent_.assign(mesh_.gatewayCount(), kNone);
    entered_.assign(mesh_.gatewayCount(), kNone);
    std::vector<bool> done(mesh_.gatewayCount(), false);
    relax(start, query_.from, 0, kNone);
    double bestGoal = std::numeric_limits<double>::infinity();
    GatewayId last = kNone;
    while (!open_.empty()) {
      const Open top = open_.top();
      open_.pop();
      if (top.estimate >= bestGoal) break;
      if (done[top.gateway]) continue;
      done[top.gateway] = true;
      ++route.expanded;
      const VolumeId cell = entered_[top.gateway];
      const Vec3 here = mesh_.gateway(top.gateway).centre;
      if (cell == goal) {
        const double cost = best_[top.gateway] + costOf(cell) * distance(here, query_.to);
        if (cost < bestGoal) {
          bestGoal = cost;
          last = top.gateway;
        }
      }
      relax(cell, here, best_[top.gateway], top.gateway);
    }
    if (last == kNone) return false;
    for (GatewayId g = last; g != kNone; g = parent_[g]) route.gateways.push_back(g);
    std::reverse(route.gateways.begin(), route.gateways.end());
    route.cells.push_back(start);
    for (const GatewayId g : route.gateways) route.cells.push_back(entered_[g]);
    return true;
  }

 private:
  struct Open {
    double estimate;
    GatewayId gateway;
    bool operator<(const Open& o) const { return estimate != o.estimate ? estimate > o.estimate : gateway > o.gateway; }
  };

  void relax(VolumeId cell, Vec3 here, double cost, GatewayId from) {
    for (const GatewayId next : mesh_.gatewaysOf(cell)) {
      const VolumeGateway& gateway = mesh_.gateway(next);
      if (next == from || gateway.area < query_.minArea) continue;
      const double reached = cost + costOf(cell) * distance(here, gateway.centre);
      if (reached >= best_[next]) continue;
      best_[next] = reached;
      parent_[next] = from;
      entered_[next] = gateway.across(cell);
      open_.push({reached + distance(gateway.centre, query_.to), next});
    }
  }

  const VolumeMesh& mesh_;
  const VolumeQuery& query_;
  std::vector<double> best_;
  std::vector<GatewayId> parent_;
  std::vector<VolumeId> entered_;
  std::priority_queue<Open> open_;
};

// The point of a convex polygon over which the way from a to b is shortest, with weights for its two parts.
Vec3 bestCrossing(std::span<const Vec3> polygon, Vec3 a, Vec3 b, double weightA, double weightB) {
  const auto lengthOver = [&](Vec3 p) { return weightA * distance(a, p) + weightB * distance(p, b); };
  Vec3 best = polygon[0];
  double shortest = std::numeric_limits<double>::infinity();
  const auto consider = [&](Vec3 p) {
    const double length = lengthOver(p);
    if (length < shortest) {
      shortest = length;
      best = p;
    }
  };
  // Straight through, if the line meets the polygon.
  const Vec3 normal = cross(minus(polygon[1], polygon[0]), minus(polygon[2], polygon[0]));
  const double sideA = dot(normal, minus(a, polygon[0]));
  const double sideB = dot(normal, minus(b, polygon[0]));
  if (weightA == weightB && sideA * sideB <= 0 && sideA != sideB) {
    const Vec3 p = between(a, b, sideA / (sideA - sideB));
    bool inside = true;
    for (size_t i = 0; i < polygon.size() && inside; ++i) {
      const Vec3 u = polygon[i];
      const Vec3 v = polygon[(i + 1) % polygon.size()];
      inside = dot(normal, cross(minus(v, u), minus(p, u))) >= 0;
    }
    if (inside) return p;
  }
  // Otherwise on its rim: the length is convex along each side. 60 thirds leave 1e-10 of a side.
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 u = polygon[i];
    const Vec3 v = polygon[(i + 1) % polygon.size()];
    double low = 0;
    double high = 1;
    for (int round = 0; round < 60; ++round) {
      const double left = low + (high - low) / 3;
      const double right = high - (high - low) / 3;
      if (lengthOver(between(u, v, left)) <= lengthOver(between(u, v, right))) {
        high = right;
      } else {
        low = left;
      }
    }
    consider(between(u, v, low));
    consider(between(u, v, (low + high) / 2));
  }
  return best;
}

double lengthOf(const std::vector<Vec3>& points) {
  double length = 0;
  for (size_t i = 1; i < points.size(); ++i) length += distance(points[i - 1], points[i]);
  return length;
}

// Each point in turn moves to where its two neighbours want it. The whole length is convex in the points, so this
// approaches the shortest path through the gateways.
void straighten(const VolumeMesh& mesh, const Search& search, VolumeRoute& route) {
  constexpr int kRounds = 200;
  constexpr double kGain = 1e-7;  // of the length, per round
  double length = lengthOf(route.points);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < route.gateways.size(); ++i) {
      route.points[i + 1] = bestCrossing(mesh.gatewayCorners(route.gateways[i]), route.points[i], route.points[i + 2],
                                         search.costOf(route.cells[i]), search.costOf(route.cells[i + 1]));
    }
    const double now = lengthOf(route.points);
    if (length - now <= kGain * length && round > 0) break;
    length = now;
  }
}

}  // namespace

Result<VolumeRoute> planVolumes(const VolumeLocator& locator, const VolumeQuery& query) {
  const VolumeMesh& mesh = locator.mesh();
  if (!(query.minArea >= 0)) {
    return Error{ErrorCode::kInvalidSettings, "the least area of a gateway must be at least 0"};
  }
  for (const double cost : query.classCosts) {
    if (!(cost >= 1 && std::isfinite(cost))) {
      return Error{ErrorCode::kInvalidSettings, fmt::format("a class cost is {}; it must be at least 1", cost)};
    }
  }
  const VolumeId start = locator.locate(query.from);
  const VolumeId goal = locator.locate(query.to);
  for (const auto& [cell, place, name] : {std::tuple{start, query.from, "start"}, std::tuple{goal, query.to, "goal"}}) {
    if (cell != kNone) continue;
    return Error{ErrorCode::kNotOnMesh, fmt::format("the {} ({:.4f}, {:.4f}, {:.4f}) lies in no volume; move it into "
                                                    "free space",
                                                    name, place.x, place.y, place.z)};
  }
  VolumeRoute route;
  Search search(mesh, query);
  if (!search.run(start, goal, route)) {
    return Error{ErrorCode::kNoWay, "no gateways lead from the start to the goal"};
  }
  route.points.push_back(query.from);
  for (const GatewayId g : route.gateways) route.points.push_back(mesh.gateway(g).centre);
  route.points.push_back(query.to);
  if (query.straighten && !route.gateways.empty()) straighten(mesh, search, route);
  route.length = lengthOf(route.points);
  for (size_t i = 0; i < route.cells.size(); ++i) {
    route.cost += search.costOf(route.cells[i]) * distance(route.points[i], route.points[i + 1]);
  }
  return route;
}

}  // namespace wend
