#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/session.h"
#include "serve/settings_table.h"

// The state as the windows get it.
namespace wend::serve {
namespace {

using Json = nlohmann::json;

Json pointsJson(const std::vector<Vec2>& points) {
  Json out = Json::array();
  for (const Vec2 p : points) out.push_back({p.x, p.y});
  return out;
}

Json loopsJson(const Area& area) {
  Json out = Json::array();
  for (const auto& loop : area.loops) out.push_back(pointsJson(loop));
  return out;
}

Json drawnCrowd(const CrowdCommand& crowd) {
  Json sources = Json::array();
  for (const CrowdSource& s : crowd.sources) {
    sources.push_back(
        {{"id", s.id}, {"layer", s.layer}, {"area", pointsJson(s.area)}, {"count", s.count}, {"rate", s.rate}});
  }
  Json exits = Json::array();
  for (const CrowdExit& e : crowd.exits)
    exits.push_back({{"id", e.id}, {"layer", e.layer}, {"area", pointsJson(e.area)}});
  Json lines = Json::array();
  for (const CrowdLine& l : crowd.lines) {
    lines.push_back({{"id", l.id}, {"layer", l.layer}, {"from", {l.from.x, l.from.y}}, {"to", {l.to.x, l.to.y}}});
  }
  return {{"sources", sources},
          {"exits", exits},
          {"lines", lines},
          {"speed", crowd.speed},
          {"deviation", crowd.deviation},
          {"radius", crowd.radius},
          {"avoid", crowd.avoid},
          {"follow", crowd.follow},
          {"roam", crowd.roam}};
}

// What the file of a scenario draws on the floor.
Json scenarioJson(const Scenario& scenario) {
  Json sources = Json::array();
  uint64_t persons = 0;
  for (const ScenarioSource& s : scenario.sources) {
    sources.push_back({{"id", s.id}, {"layer", s.area.layer}, {"loops", loopsJson(s.area)}, {"count", s.count}});
    persons += s.count;
  }
  Json exits = Json::array();
  for (const ScenarioStage& s : scenario.stages) {
    if (s.kind == StageKind::kExit)
      exits.push_back({{"id", s.id}, {"layer", s.area.layer}, {"loops", loopsJson(s.area)}});
  }
  Json lines = Json::array();
  for (const MeasuringLine& l : scenario.lines) {
    lines.push_back({{"id", l.id}, {"layer", l.layer}, {"from", {l.from.x, l.from.y}}, {"to", {l.to.x, l.to.y}}});
  }
  return {{"name", scenario.name}, {"sources", sources}, {"exits", exits}, {"lines", lines}, {"persons", persons}};
}

}  // namespace

Packet Session::textPacket(const Json& json, int channel) const {
  return {std::make_shared<const std::string>(json.dump(-1, ' ', false, Json::error_handler_t::replace)), false,
          channel};
}

void Session::fail(ClientId client, const Error& error) {
  const Packet packet = textPacket({{"kind", "error"}, {"code", errorName(error.code)}, {"message", error.message}});
  if (client == 0) {
    outbox_.broadcast(packet);
  } else {
    outbox_.send(client, packet);
  }
}

void Session::sendState() {
  outbox_.broadcast(textPacket(stateJson()));
}

void Session::opened(ClientId client) {
  outbox_.send(client, textPacket(catalogueJson()));
  outbox_.send(client, textPacket(stateJson()));
  if (show_) {
    outbox_.send(client, textPacket(chartsJson()));
    sendPeople(client);
    if (lastFrame_) outbox_.send(client, {lastFrame_, true, kFrameChannel});
    outbox_.send(client, textPacket(crowdJson(), kStatusChannel));
    if (mapOn_ && gridReady_) outbox_.send(client, {grid_.encode(), true, kMapChannel});
  }
  sendPlan();
}

Session::Json Session::catalogueJson() const {
  Json methods = Json::array();
  for (const GeneratorInfo& info : generators()) {
    Json options = Json::array();
    for (const GeneratorOption& o : info.options) {
      options.push_back({{"name", o.name},
                         {"meaning", o.meaning},
                         {"default", o.defaultValue},
                         {"choices", o.choices},
                         {"min", o.min},
                         {"max", o.max}});
    }
    methods.push_back({{"name", info.name},
                       {"meaning", info.meaning},
                       {"source", info.source},
                       {"missing", info.missing},
                       {"options", options}});
  }
  Json extraction = Json::array();
  for (const SettingInfo& s : extractSettings()) {
    extraction.push_back({{"name", s.name},
                          {"unit", s.unit},
                          {"meaning", s.meaning},
                          {"min", s.min},
                          {"max", s.max},
                          {"default", s.defaultValue},
                          {"step", s.step},
                          {"flag", s.isFlag},
                          {"voxel", s.isVoxel}});
  }
  Json worlds = Json::array();
  for (const Demo& demo : demos()) {
    worlds.push_back({{"name", demo.name}, {"title", demo.title}, {"sentence", demo.sentence}});
  }
  Json avoid = Json::array();
  for (int i = 0; i <= static_cast<int>(AvoidMethod::kNone); ++i)
    avoid.push_back(methodName(static_cast<AvoidMethod>(i)));
  Json follow = Json::array();
  for (int i = 0; i <= static_cast<int>(FollowMethod::kCentres); ++i) {
    follow.push_back(methodName(static_cast<FollowMethod>(i)));
  }
  Json levels = Json::array();
  for (const double limit : serviceLimits(ServiceTable::kFruin)) levels.push_back(limit);
  Json colours = Json::array();
  for (int i = 0; i < 6; ++i) {
    const ServiceColour c = levelColour(static_cast<ServiceLevel>(i));
    colours.push_back({c.red, c.green, c.blue});
  }
  return {{"kind", "catalogue"},   {"version", WEND_VERSION}, {"generators", methods},
          {"extract", extraction}, {"demos", worlds},         {"avoid", avoid},
          {"follow", follow},      {"serviceLimits", levels}, {"serviceColours", colours}};
}

Session::Json Session::stateJson() const {
  Json documents = Json::array();
  int active = -1;
  for (size_t i = 0; i < documents_.size(); ++i) {
    documents.push_back(
        {{"name", documents_[i].name}, {"kind", kindName(documents_[i].kind)}, {"format", documents_[i].format}});
    if (document_ && documents_[i].path == document_->path) active = static_cast<int>(i);
  }
  Json stages = Json::array();
  for (const auto& [name, seconds] : stages_) stages.push_back({{"name", name}, {"seconds", seconds}});
  Json extracting = Json::object();
  for (const SettingInfo& s : extractSettings()) extracting[s.name] = getSetting(extractSettings_, s.name);
  Json options = Json::object();
  for (const auto& [name, value] : generate_.options) options[name] = value;
  Json items = Json::array();
  for (const PlacedItem& item : edits_.items()) {
    items.push_back({{"id", item.id},
                     {"door", item.isDoor},
                     {"open", item.open},
                     {"layer", item.layer},
                     {"points", pointsJson(item.points)}});
  }
  Json state = {{"kind", "state"},
                {"documents", documents},
                {"active", active},
                {"busy", busyWith_},
                {"error", lastError_},
                {"stages", stages},
                {"notes", notes_},
                {"version", version_},
                {"origin", {origin_.x, origin_.y, origin_.z}},
                {"settings",
                 {{"generator", generate_.generator},
                  {"options", options},
                  {"extract", extracting},
                  {"extractMethod", extractSettings_.method == ExtractMethod::kVoxel ? "voxel" : "exact"}}},
                {"items", items},
                {"undo", edits_.undoSteps()},
                {"redo", edits_.redoSteps()},
                {"crowd", drawnCrowd(crowd_)},
                {"run", run_},
                {"playing", playing_},
                {"live", live_ != nullptr},
                {"recording", playback_ != nullptr},
                {"recordingOn", live_ != nullptr && !live_->output().empty()},
                {"speed", speed_},
                {"map", mapOn_}};
  if (document_) {
    state["document"] = {{"name", document_->name}, {"kind", kindName(document_->kind)}, {"format", document_->format}};
  }
  if (scene_) state["scene"] = {{"triangles", scene_->triangles.size()}, {"vertices", scene_->vertices.size()}};
  if (scenario_) state["scenario"] = scenarioJson(*scenario_);
  if (shown_) {
    const NavMesh& mesh = world_.mesh();
    const Topology& topology = mesh.info().environment;
    Json layers = Json::array();
    for (LayerId i = 0; i < mesh.layerCount(); ++i) {
      const HeightField& field = mesh.info().layerHeights[i];
      double height = field.base;
      if (!field.z.empty()) {
        height = 0;
        for (const double z : field.z) height += z / static_cast<double>(field.z.size());
      }
      layers.push_back({{"id", mesh.info().layerIds[i]}, {"name", mesh.info().layerNames[i]}, {"height", height}});
    }
    state["world"] = {{"generator", mesh.info().generator},
                      {"cells", mesh.cellCount()},
                      {"portals", mesh.portalCount()},
                      {"vertices", mesh.vertexCount()},
                      {"area", mesh.lattice().area(topology.doubledArea)},
                      {"components", topology.components},
                      {"boundaries", topology.boundaries},
                      {"genus", topology.genus},
                      {"layers", layers},
                      {"axis", world_.medialAxis() != nullptr},
                      {"hash", fmt::format("{:016x}", hash(mesh))},
                      {"edited", edits_.isEdited()}};
  }
  if (extraction_) {
    state["extraction"] = {{"spots", extraction_->spots.size()},
                           {"facets", extraction_->facets},
                           {"patches", extraction_->patches},
                           {"dropped", extraction_->droppedComponents},
                           {"droppedArea", extraction_->droppedArea}};
  }
  if (show_) {
    state["show"] = {{"profiles", show_->profileNames()}, {"goals", show_->goalNames()}, {"lines", show_->lineNames()},
                     {"duration", show_->duration()},     {"step", show_->step()},       {"over", show_->isOver()}};
  }
  if (!comparedWorlds_.empty()) {
    Json meshes = Json::array();
    for (const ComparedMesh& mesh : compared_) {
      Json metrics = Json::object();
      for (const auto& [name, value] : mesh.metrics) metrics[name] = value;
      meshes.push_back({{"generator", mesh.generator},
                        {"status", mesh.status},
                        {"message", mesh.message},
                        {"cells", mesh.cells},
                        {"metrics", metrics},
                        {"shown", mesh.shown}});
    }
    state["comparison"] = {{"worlds", comparedWorlds_}, {"world", comparedWorld_}, {"meshes", meshes}};
  }
  return state;
}

Session::Json Session::crowdJson() const {
  const ChartPoint point = show_->chart();
  return {{"kind", "crowd"},
          {"run", run_},
          {"time", show_->time()},
          {"inside", point.inside},
          {"left", point.left},
          {"crossed", point.crossed},
          {"playing", playing_},
          {"over", show_->isOver()},
          {"engineMs", 1000 * stepSeconds_},
          {"frameMs", 1000 * encodeSeconds_}};
}

Session::Json Session::chartsJson() const {
  Json times = Json::array();
  Json inside = Json::array();
  Json left = Json::array();
  Json crossed = Json::array();
  const size_t every = std::max<size_t>(1, charts_.size() / 1000);
  for (size_t i = 0; i < charts_.size(); i += every) {
    times.push_back(charts_[i].time);
    inside.push_back(charts_[i].inside);
    left.push_back(charts_[i].left);
    crossed.push_back(charts_[i].crossed);
  }
  return {{"kind", "charts"}, {"run", run_},  {"times", times},
          {"inside", inside}, {"left", left}, {"crossed", crossed}};
}

}  // namespace wend::serve
