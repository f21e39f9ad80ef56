#include "report/report_edits.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "layer_path.h"

namespace wend::app {
namespace {

constexpr size_t kMostEvents = 2000;  // that the player shows

bool isEdit(const std::string& action) {
  for (const char* part : {"open", "close", "insert", "move", "remove"}) {
    if (action == part || action == fmt::format("refused-{}", part)) return true;
  }
  return false;
}

Json pointsJson(const std::vector<Vec2>& points, const std::function<Vec2(Vec2)>& place) {
  Json list = Json::array();
  for (const Vec2 p : points) {
    const Vec2 q = place(p);
    list.push_back({std::round(q.x * 1000) / 1000, std::round(q.y * 1000) / 1000});
  }
  return list;
}

Vec2 middleOf(const std::vector<Vec2>& points) {
  Vec2 low = points.front();
  Vec2 high = low;
  for (const Vec2 p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

// The move of a recorded event, if it is one as a body, and the insertion that gave the body its outline.
struct BodyMove {
  const ScenarioEvent* move = nullptr;
  const ScenarioEvent* insert = nullptr;
};
BodyMove bodyMoveOf(const Scenario& scenario, const RecordedEvent& recorded, double seconds) {
  BodyMove found;
  for (const ScenarioEvent& event : scenario.events) {
    if (event.target != recorded.target || event.time > seconds + 1e-6) continue;
    if (event.action == EventAction::kMove) found.move = &event;
    if (event.action == EventAction::kInsert && !event.area.loops.empty()) found.insert = &event;
  }
  if (found.move == nullptr || !found.move->asBody || found.insert == nullptr) return {};
  return found;
}

Json bodiesJson(const Recording& recording, const Scenario& scenario, double perSample,
                const std::function<Vec2(Vec2)>& place) {
  Json bodies = Json::array();
  const std::vector<RecordedEvent>& events = recording.events();
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].action != "move") continue;
    const BodyMove body =
        bodyMoveOf(scenario, events[i], static_cast<double>(events[i].frame) / recording.framesPerSecond());
    if (body.move == nullptr) continue;
    double length = 0;
    for (size_t k = 0; k + 1 < body.move->path.size(); ++k) {
      const Vec2 a = body.move->path[k];
      const Vec2 b = body.move->path[k + 1];
      length += std::hypot(b.x - a.x, b.y - a.y);
    }
    const double from = static_cast<double>(events[i].frame) / perSample;
    const double pace = body.move->speed * perSample / recording.framesPerSecond();
    double until = from + length / pace;
    for (size_t k = i + 1; k < events.size(); ++k) {
      if (events[k].action != "remove" || events[k].target != events[i].target) continue;
      until = std::min(until, static_cast<double>(events[k].frame) / perSample);
      break;
    }
    const std::vector<Vec2>& outline = body.insert->area.loops.front();
    const Vec2 middle = middleOf(outline);
    const auto around = [&](Vec2 p) { return Vec2{p.x - middle.x, p.y - middle.y}; };
    bodies.push_back({{"outline", pointsJson(outline, around)},
                      {"path", pointsJson(body.move->path, place)},
                      {"from", from},
                      {"until", until},
                      {"layer", body.insert->area.layer},
                      {"pace", pace}});
  }
  return bodies;
}

}  // namespace

Json editsJson(const Recording& recording, const Scenario* scenario, int64_t stride,
               const std::function<Vec2(Vec2)>& place) {
  const auto perSample = static_cast<double>(stride);
  // Doors that open and shut all the time have two outlines between them.
  std::map<std::string, size_t> known;
  Json paths = Json::array();
  Json worlds = Json::array();
  for (const RecordedWorld& world : recording.worlds()) {
    Json layers = Json::array();
    for (const Layer& layer : world.environment.layers) {
      const std::string path = layerPath(layer, world.environment.lattice, 3, place);
      const auto [at, isNew] = known.emplace(path, known.size());
      if (isNew) paths.push_back(path);
      layers.push_back(at->second);
    }
    worlds.push_back({{"from", static_cast<double>(world.frame) / perSample}, {"layers", layers}});
  }
  Json doors = Json::object();
  Json bodies = Json::array();
  if (scenario != nullptr) {
    for (const ScenarioDoor& door : scenario->doors) {
      doors[door.id] = Json::array({Json{{"from", 0.0}, {"open", door.open}}});
    }
    bodies = bodiesJson(recording, *scenario, perSample, place);
  }
  Json events = Json::array();
  for (const RecordedEvent& event : recording.events()) {
    const double at = static_cast<double>(event.frame) / perSample;
    if ((event.action == "open" || event.action == "close") && doors.contains(event.target)) {
      doors[event.target].push_back({{"from", at}, {"open", event.action == "open"}});
    }
    if (isEdit(event.action) && events.size() < kMostEvents) {
      events.push_back({{"at", at}, {"text", fmt::format("{} {}", event.action, event.target)}});
    }
  }
  return {{"paths", paths}, {"worlds", worlds}, {"doors", doors}, {"bodies", bodies}, {"events", events}};
}

}  // namespace wend::app
