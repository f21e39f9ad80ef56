#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/wall_clock.h"
#include "mesh/cell_geometry.h"
#include "mesh/separate_cells.h"
#include "serve/session.h"

// Plans, and what is at a place.
namespace wend::serve {
namespace {

using Json = nlohmann::json;

// Numbers of a polyline, to the millimetre.
double tidy(double value) {
  return std::round(value * 1000) / 1000;
}

Json flat(const std::vector<Vec3>& points) {
  Json out = Json::array();
  for (const Vec3& p : points) {
    for (const double value : {p.x, p.y, p.z}) out.push_back(tidy(value));
  }
  return out;
}

Json placeJson(const Place& p) {
  Json out = {tidy(p.x), tidy(p.y)};
  if (p.z) out.push_back(tidy(*p.z));
  return out;
}

std::string explain(PathStatus status, double radius, const PathQuery& query) {
  switch (status) {
    case PathStatus::kFound:
      return "found";
    case PathStatus::kStartOffMesh:
      return "The start is inside an obstacle or outside the world; move it onto the floor.";
    case PathStatus::kGoalOffMesh:
      return "The goal is inside an obstacle or outside the world; move it onto the floor.";
    case PathStatus::kUnreachable:
      return radius > 0 ? fmt::format("No passage is wide enough for a radius of {:.2f} m.", radius)
                        : "Start and goal lie in different components of the world.";
    case PathStatus::kBadQuery:
      return "A coordinate is not a number.";
    case PathStatus::kUnsupported:
      if (query.side || query.method == PathMethod::kCorridor) {
        return "This needs a medial axis: choose the generator 'ecm'.";
      }
      if (query.radius > 0 && (query.method == PathMethod::kPolyanya || query.method == PathMethod::kAStar)) {
        return "This planner moves a point: set the radius to 0.";
      }
      return "The cells of this mesh overlap: choose another generator, or a radius of 0.";
    case PathStatus::kStartTooNear:
      return fmt::format("A disk of radius {:.2f} m does not fit at the start: an obstacle is nearer.", radius);
    case PathStatus::kGoalTooNear:
      return fmt::format("A disk of radius {:.2f} m does not fit at the goal: an obstacle is nearer.", radius);
  }
  return "unknown";
}

// The height in the middle of a portal, for its shrunk part.
double heightOf(const NavMesh& mesh, SideId side) {
  return (mesh.position(mesh.startVertex(side)).z + mesh.position(mesh.endVertex(side)).z) / 2;
}

Json routeJson(const Route& route, const NavMesh& mesh) {
  Json portals = Json::array();
  for (size_t i = 0; i < std::min({route.shrunkPortals.size(), route.portals.size(), size_t{2000}}); ++i) {
    const ShrunkPortal& p = route.shrunkPortals[i];
    for (const double value : {p.left.x, p.left.y, p.right.x, p.right.y, heightOf(mesh, route.portals[i])}) {
      portals.push_back(tidy(value));
    }
  }
  Json arcs = Json::array();
  for (const RouteArc& arc : route.arcs) {
    const double z = arc.first < route.points.size() ? route.points[arc.first].z : 0;
    for (const double value : {arc.centre.x, arc.centre.y, z, arc.radius, arc.begin, arc.sweep}) {
      arcs.push_back(tidy(value));
    }
  }
  return {{"points", flat(route.points)}, {"portals", portals}, {"arcs", arcs}};
}

}  // namespace

void Session::run(ClientId client, const PlanCommand& command) {
  if (!shown_) return fail(client, {ErrorCode::kInvalidSettings, "open a world first"});
  plan_ = command;
  sendPlan();
}

void Session::run(ClientId, const ForgetPlanCommand&) {
  plan_.reset();
  outbox_.broadcast(textPacket({{"kind", "plan"}, {"routes", Json::array()}}));
}

void Session::sendPlan() {
  if (!plan_ || !shown_) return;
  Json routes = Json::array();
  Json narrowest;
  const Status separate = checkCellsAreJoined(navigator_.mesh(), "A route");
  for (const PathMethod method : plan_->methods) {
    PathQuery query{plan_->from, plan_->to, plan_->radius, plan_->clearance, plan_->side, method};
    if (method != PathMethod::kBest && method != PathMethod::kCorridor) query.side.reset();
    Route route;
    // The first query of a radius makes tables; the time shown is that of the second.
    (void)navigator_.plan(query, scratch_, route);
    const double start = wallSeconds();
    const PathStatus status = navigator_.plan(query, scratch_, route);
    const double seconds = wallSeconds() - start;
    Json one = {{"method", methodName(method)},
                {"status", statusName(status)},
                {"sentence", separate.ok() ? explain(status, query.radius, query) : separate.error().message},
                {"microseconds", seconds * 1e6},
                {"expanded", scratch_.expanded}};
    if (status == PathStatus::kFound) {
      one.update(routeJson(route, world_.mesh()));
      one["length"] = route.length;
      one["clearance"] = route.clearance;
      one["cells"] = route.cells.size();
    } else if (narrowest.is_null() && status == PathStatus::kUnreachable && query.radius > 0) {
      narrowest = narrowestPlace(query);
    }
    routes.push_back(std::move(one));
  }
  Json message = {{"kind", "plan"},          {"from", placeJson(plan_->from)}, {"to", placeJson(plan_->to)},
                  {"radius", plan_->radius}, {"clearance", plan_->clearance},  {"routes", std::move(routes)},
                  {"narrowest", narrowest}};
  if (plan_->side) message["side"] = *plan_->side;
  outbox_.broadcast(textPacket(message));
}

// The place of least clearance on the widest way, and the largest radius that gets through. Null if there is no way for
// a point either.
Session::Json Session::narrowestPlace(const PathQuery& wanted) {
  PathQuery query = wanted;
  query.method = navigator_.hasMedialAxis() ? PathMethod::kCorridor : PathMethod::kBest;
  query.side.reset();
  query.clearance = 0;
  double largest = navigator_.hasMedialAxis() ? navigator_.largestRadius(query, scratch_) : -1;
  if (!navigator_.hasMedialAxis()) {
    query.radius = 0;
    if (navigator_.reachable(query, scratch_) != PathStatus::kFound) return nullptr;
    double low = 0;
    double high = wanted.radius;
    for (int i = 0; i < 30; ++i) {
      query.radius = (low + high) / 2;
      (navigator_.reachable(query, scratch_) == PathStatus::kFound ? low : high) = query.radius;
    }
    largest = low;
  }
  if (!(largest > 0)) return nullptr;
  query.radius = largest * (1 - 1e-6);
  Route route;
  if (navigator_.plan(query, scratch_, route) != PathStatus::kFound) return nullptr;
  Vec3 place{};
  double least = HUGE_VAL;
  constexpr double kEvery = 0.1;  // m along the route
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i - 1];
    const Vec3 b = route.points[i];
    const int steps = std::clamp(static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / kEvery), 1, 200);
    for (int k = 0; k < steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      const Vec3 p{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
      const std::optional<NearestObstacle> obstacle = navigator_.nearestObstacle(p, scratch_);
      if (!obstacle || obstacle->distance >= least) continue;
      least = obstacle->distance;
      place = p;
    }
  }
  return {{"place", {tidy(place.x), tidy(place.y), tidy(place.z)}}, {"radius", largest}};
}

std::vector<Route> Session::plannedRoutes() {
  std::vector<Route> routes;
  if (!plan_) return routes;
  for (const PathMethod method : plan_->methods) {
    const PathQuery query{plan_->from, plan_->to, plan_->radius, plan_->clearance, plan_->side, method};
    Route route;
    if (navigator_.plan(query, scratch_, route) == PathStatus::kFound) routes.push_back(std::move(route));
  }
  return routes;
}

void Session::run(ClientId client, const ProbeCommand& command) {
  if (!shown_) return;
  const CellId cell = navigator_.locate(command.at);
  Json out = {{"kind", "probe"}, {"at", placeJson(command.at)}, {"on", cell != kNone}};
  if (cell != kNone) {
    const NavMesh& mesh = world_.mesh();
    const LayerId layer = mesh.layerOf(cell);
    const Vec2 p{command.at.x, command.at.y};
    out["cell"] = cell;
    out["layer"] = mesh.info().layerIds[layer];
    out["layerName"] = mesh.info().layerNames.size() > layer ? mesh.info().layerNames[layer] : "";
    out["height"] = locator_.height(p, layer);
    out["area"] = cellArea(mesh, cell);
    out["sides"] = mesh.sideCount(cell);
    if (gridReady_) out["density"] = grid_.densityAt(p, layer);
    if (const auto obstacle = navigator_.nearestObstacle(command.at, scratch_)) {
      out["clearance"] = obstacle->distance;
      out["obstacle"] = {tidy(obstacle->point.x), tidy(obstacle->point.y), tidy(obstacle->point.z)};
    }
    Json outline = Json::array();
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell) && outline.size() < 3000; ++s) {
      const Vec3 corner = mesh.position(mesh.startVertex(s));
      for (const double value : {corner.x, corner.y, corner.z}) outline.push_back(tidy(value));
    }
    out["outline"] = std::move(outline);
    if (command.sight) {
      VisibilityPolygon sight;
      if (navigator_.visibility(command.at, command.range, scratch_, sight)) out["sight"] = flat(sight.points);
    }
  }
  outbox_.send(client, textPacket(out));
}

void Session::run(ClientId client, const ReachCommand& command) {
  if (!shown_) return fail(client, {ErrorCode::kInvalidSettings, "open a world first"});
  reach_ = command;
  sendReach();
}

// u32 kind = 4, u32 cells, u32 version of the shapes, u32 0; u8 per cell: 1 reachable.
void Session::sendReach() {
  const NavMesh& mesh = world_.mesh();
  std::vector<uint8_t> reached;
  const CellId start = reach_.from ? navigator_.locate(*reach_.from) : kNone;
  if (start != kNone) {
    reached.assign(mesh.cellCount(), 0);
    constexpr uint32_t kMostQueries = 20000;
    PathQuery query{*reach_.from, {}, reach_.radius};
    const bool all = mesh.cellCount() <= kMostQueries;
    // A cell counts if a disk can stand somewhere in it and get there: in its middle, or beside the middle of one of
    // its sides.
    const auto tries = [&](CellId cell, Vec2 units) {
      const Vec2 p = mesh.lattice().toMetres(units);
      query.to = Place(p.x, p.y, locator_.height(p, mesh.layerOf(cell)));
      return navigator_.reachable(query, scratch_) == PathStatus::kFound;
    };
    for (CellId cell = 0; all && cell < mesh.cellCount(); ++cell) {
      Vec2 middle{};
      const double n = mesh.sideCount(cell);
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const Vec2 p = startPoint(mesh, s);
        middle = {middle.x + p.x / n, middle.y + p.y / n};
      }
      bool found = cell == start || tries(cell, middle);
      for (SideId s = mesh.firstSide(cell); !found && s < mesh.endSide(cell); ++s) {
        if (mesh.isWall(s)) continue;
        const Vec2 a = startPoint(mesh, s);
        const Vec2 b = endPoint(mesh, s);
        const Vec2 side{(a.x + b.x) / 2, (a.y + b.y) / 2};
        found = tries(cell, {side.x + 0.02 * (middle.x - side.x), side.y + 0.02 * (middle.y - side.y)});
      }
      reached[cell] = found ? 1 : 0;
    }
  }
  auto out = std::make_shared<std::string>(16 + reached.size(), '\0');
  const std::array<uint32_t, 4> words{4, static_cast<uint32_t>(reached.size()), version_, 0};
  std::memcpy(out->data(), words.data(), sizeof words);
  if (!reached.empty()) std::memcpy(out->data() + 16, reached.data(), reached.size());
  outbox_.broadcast({out, true, kReachChannel});
}

}  // namespace wend::serve
