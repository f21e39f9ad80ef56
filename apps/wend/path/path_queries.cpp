#include "path/path_queries.h"

#include <cmath>

#include <fmt/format.h>

namespace wend::app {
namespace {

Json placeJson(Vec3 p) {
  return Json::array({p.x, p.y, p.z});
}

std::string placeText(Vec3 p) {
  return fmt::format("({:.4f}, {:.4f}, {:.4f})", p.x, p.y, p.z);
}

Json idJson(uint32_t id) {
  return id == kNone ? Json() : Json(id);
}

QueryAnswer nearestAnswer(const std::optional<NearestPlace>& found) {
  if (!found) return {false, {{"place", Json()}, {"cell", Json()}, {"moved", Json()}}};
  return {true, {{"place", placeJson(found->place)}, {"cell", found->cell}, {"moved", found->moved}}};
}

QueryAnswer rayAnswer(const std::optional<RayHit>& ray) {
  const bool hit = ray && ray->hit;
  return {ray.has_value(),
          {{"hit", hit},
           {"place", ray ? placeJson(ray->place) : Json()},
           {"distance", ray ? Json(ray->distance) : Json()},
           {"contact", hit ? Json::array({ray->contact.x, ray->contact.y}) : Json()},
           {"normal", hit ? Json::array({ray->normal.x, ray->normal.y}) : Json()},
           {"wall", idJson(hit ? ray->wall : kNone)},
           {"cell", idJson(ray ? ray->cell : kNone)}}};
}

}  // namespace

QueryAnswer answerQuery(const Navigator& navigator, const QuerySettings& settings, const PathQuery& query,
                        uint64_t number, PlanScratch& scratch) {
  if (settings.kind == "nearest") {
    return nearestAnswer(navigator.nearest(query.from, query.radius, settings.reach, scratch));
  }
  if (settings.kind == "ray") return rayAnswer(navigator.castRay(query.from, query.to.top(), query.radius, scratch));
  if (settings.kind == "slide") {
    const std::optional<Slide> slide = navigator.slide(query.from, query.to.top(), query.radius, scratch);
    if (!slide) return {false, {{"place", Json()}, {"cell", Json()}, {"length", Json()}}};
    return {true, {{"place", placeJson(slide->place)}, {"cell", slide->cell}, {"length", slide->length}}};
  }
  if (settings.kind == "wall") {
    const std::optional<WallDistance> wall = navigator.nearestWall(query.from, settings.reach, scratch);
    if (!wall) return {false, {{"point", Json()}, {"distance", Json()}, {"direction", Json()}, {"wall", Json()}}};
    return {true,
            {{"point", placeJson(wall->point)},
             {"distance", wall->distance},
             {"direction", Json::array({wall->direction.x, wall->direction.y})},
             {"wall", wall->wall}}};
  }
  if (settings.kind == "random") {
    RandomPlaceQuery random;
    random.radius = query.radius;
    if (settings.range > 0) {
      random.centre = query.from;
      random.range = settings.range;
    } else {
      random.from = query.from;
    }
    return nearestAnswer(navigator.randomPlace(random, settings.seed + number, scratch));
  }
  if (settings.kind == "within") {
    std::vector<ReachedCell> cells;
    const bool found = navigator.within(query.from, settings.distance, scratch, cells);
    double area = 0;
    Json list = Json::array();
    for (const ReachedCell& cell : cells) {
      area += cellArea(navigator.mesh(), cell.cell);
      list.push_back({{"cell", cell.cell}, {"distance", cell.distance}});
    }
    return {found, {{"cells", cells.size()}, {"area", area}, {"reached", list}}};
  }
  const double length = navigator.cost(query, scratch);
  return {std::isfinite(length), {{"length", std::isfinite(length) ? Json(length) : Json()}}};
}

Json reasonJson(const NoRoute& why) {
  Json json{{"reason", reasonName(why.reason)}};
  if (why.reason == NoRouteReason::kOffMesh || why.reason == NoRouteReason::kTooNearWall) {
    json["end"] = why.atStart ? "start" : "goal";
    json["distance"] = why.distance;
  }
  if (why.reason == NoRouteReason::kTooNarrow) json["width"] = why.width;
  if (why.place) json["place"] = placeJson(*why.place);
  return json;
}

Error noRoute(const NoRoute& why, PathStatus status, const PathQuery& query) {
  Error error = noRoute(status, query);
  const std::string place = why.place ? placeText(*why.place) : "";
  if (why.reason == NoRouteReason::kOffMesh && why.place) {
    error.message +=
        fmt::format("; the nearest place on it is {}, {:.4f} m away (--snap moves there)", place, why.distance);
  } else if (why.reason == NoRouteReason::kTooNearWall && why.place) {
    error.message += fmt::format(", at {}, {:.4f} m away (--snap moves to where it fits)", place, why.distance);
  } else if (why.reason == NoRouteReason::kNotConnected) {
    error.message = fmt::format(
        "there is no way from ({:g}, {:g}) to ({:g}, {:g}), not even for a point: they lie in "
        "different components of the world",
        query.from.x, query.from.y, query.to.x, query.to.y);
  } else if (why.reason == NoRouteReason::kTooNarrow) {
    error.message += fmt::format("; the narrowest passage of the widest way is {:.4f} m wide", why.width);
    if (why.place) error.message += fmt::format(", at {}", place);
  }
  return error;
}

}  // namespace wend::app
