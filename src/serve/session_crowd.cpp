#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/wall_clock.h"
#include "serve/scenario_text.h"
#include "serve/session.h"

// Crowds: live ones and recordings.
namespace wend::serve {
namespace {

constexpr double kFrameEvery = 1.0 / 30;  // s of real time; windows get no more frames than this
constexpr double kMeasureEvery = 0.5;     // s of real time between densities
constexpr double kStatusEvery = 0.25;     // s of real time
constexpr double kTickBudget = 0.2;       // s; commands wait no longer than this for a crowd that lags behind
constexpr size_t kMaxChartPoints = 2000;

}  // namespace

void Session::run(ClientId client, const CrowdCommand& command) {
  if (!shown_ || playback_ != nullptr) return fail(client, {ErrorCode::kInvalidSettings, "open a world first"});
  crowd_ = command;
  sendState();
}

std::string Session::scenarioToml() const {
  if (scenario_) return extendedScenario(scenario_->text, crowd_);
  const std::string world = !document_                       ? "floor plan.env"
                            : edits_.isEdited() || scene_    ? document_->name + ".wend"
                            : document_->path.empty()        ? document_->name + ".env"
                            : document_->path.find('/') == 0 ? document_->path
                                                             : document_->path;
  return scenarioText(crowd_, document_ ? document_->name : "floor plan", world);
}

Result<Scenario> Session::currentScenario() const {
  return parseScenario(scenarioToml(), scenario_ ? scenario_->file : "the drawn scenario",
                       scenario_ ? scenario_->folder : "");
}

Status Session::startCrowd(bool record) {
  Result<Scenario> scenario = currentScenario();
  if (!scenario.ok()) return scenario.error();
  std::string output;
  if (record) output = fmt::format("{}/recording {}.sqlite", folder_, ++recordings_);
  Result<std::unique_ptr<LiveCrowd>> made = LiveCrowd::make(*std::move(scenario), world_, output, runContext_);
  if (!made.ok()) return made.error();
  live_ = made->get();
  show_ = *std::move(made);
  if (Status status = show_->advance(); !status.ok()) {
    endCrowd();
    return status;
  }
  beginShow();
  return Done{};
}

void Session::beginShow() {
  ++run_;
  charts_.clear();
  chartEvery_ = 0.5;
  engineSeconds_ = frameSeconds_ = stepSeconds_ = encodeSeconds_ = 0;
  watched_.reset();
  lastFrame_.reset();
  lastMeasured_ = -1;
  const NavMesh& mesh = world_.mesh();
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  // Hills inside a layer may rise above its mesh vertices.
  for (const HeightField& field : mesh.info().layerHeights) {
    for (const double z : field.z) {
      low.z = std::min(low.z, z);
      high.z = std::max(high.z, z);
    }
  }
  if (!(low.x <= high.x)) low = high = {};
  box_ = {low, {std::max(high.x - low.x, 1e-3), std::max(high.y - low.y, 1e-3), std::max(high.z - low.z, 1e-3)}};
}

// Completes the recording of a live crowd and offers it as a document.
void Session::keepRecording() {
  if (live_ == nullptr) return;
  if (Status status = live_->finish(); !status.ok()) fail(0, status.error());
  const std::string& path = live_->output();
  const bool known = std::any_of(documents_.begin(), documents_.end(),
                                 [&](const Document& document) { return document.path == path; });
  if (path.empty() || known) return;
  documents_.push_back({std::filesystem::path(path).filename().string(), path, DocumentKind::kRecording, "SQLite"});
}

void Session::endCrowd() {
  keepRecording();
  const bool had = show_ != nullptr;
  show_.reset();
  live_ = nullptr;
  playback_ = nullptr;
  playing_ = false;
  watched_.reset();
  lastFrame_.reset();
  charts_.clear();
  ++run_;
  // An empty frame takes the persons off the page.
  if (had) outbox_.broadcast({encodeFrame(run_, 0, 0, box_, {}, SlotTable()), true, kFrameChannel});
}

void Session::run(ClientId client, const RunCommand& command) {
  if (!shown_) return fail(client, {ErrorCode::kInvalidSettings, "open a world first"});
  const double now = wallSeconds();
  if (command.action == RunAction::kReset && playback_ == nullptr) {
    endCrowd();
    sendState();
    return;
  }
  if (command.action == RunAction::kPause) playing_ = false;
  if (command.action == RunAction::kReset && playback_ != nullptr) {
    playing_ = false;
    playback_->seek(0);
    sendFrame(now);
  }
  if (command.action == RunAction::kStart || command.action == RunAction::kStep) {
    if (!show_) {
      busyWith_ = "placing people";
      sendState();
      const Status status = startCrowd(command.record);
      busyWith_.clear();
      if (!status.ok()) {
        fail(client, status.error());
        sendState();
        return;
      }
      sendPeople(0);
      sendFrame(wallSeconds());
    } else if (playback_ != nullptr && playback_->isOver()) {
      playback_->seek(0);
    }
    playing_ = command.action == RunAction::kStart;
    setClock(wallSeconds());
    if (!playing_) {
      if (Status status = show_->advance(); !status.ok()) fail(client, status.error());
      keepChart();
      sendFrame(now);
    }
  }
  sendState();
  sendStatus();
}

void Session::run(ClientId, const SpeedCommand& command) {
  speed_ = command.factor;
  setClock(wallSeconds());
  sendState();
}

void Session::run(ClientId client, const SeekCommand& command) {
  if (playback_ == nullptr) return fail(client, {ErrorCode::kInvalidSettings, "only a recording has a timeline"});
  playback_->seek(command.time);
  setClock(wallSeconds());
  sendFrame(wallSeconds());
  sendStatus();
}

void Session::run(ClientId, const PersonCommand& command) {
  watched_ = command.slot;
  sendPerson();
}

void Session::run(ClientId, const MapCommand& command) {
  mapOn_ = command.on;
  lastMeasured_ = -1;
  if (show_) sendFrame(wallSeconds());
  sendState();
}

void Session::setClock(double now) {
  clockWall_ = now;
  clockTime_ = show_ ? show_->time() : 0;
}

double Session::nextTick() const {
  if (!show_ || !playing_) return std::numeric_limits<double>::infinity();
  const double due = clockWall_ + (show_->time() + show_->step() - clockTime_) / speed_;
  return std::max(due, lastSent_ + kFrameEvery);
}

void Session::tick(double now) {
  if (!show_ || !playing_ || now < nextTick()) return;
  const double wanted = clockTime_ + (now - clockWall_) * speed_;
  bool moved = false;
  while (!show_->isOver() && show_->time() + show_->step() <= wanted + 1e-9) {
    const double start = wallSeconds();
    const Status status = show_->advance();
    const double spent = wallSeconds() - start;
    engineSeconds_ += spent;
    stepSeconds_ += 0.2 * (spent - stepSeconds_);
    moved = true;
    keepChart();
    if (!status.ok()) {
      playing_ = false;
      fail(0, status.error());
      sendState();
      break;
    }
    if (wallSeconds() - now > kTickBudget) break;
  }
  // A crowd that cannot keep up runs as fast as it can, and does not try to catch up later.
  if (show_->time() + show_->step() <= wanted - kTickBudget * speed_) setClock(wallSeconds());
  if (moved) sendFrame(now);
  if (show_->isOver() && playing_) {
    playing_ = false;
    keepRecording();
    sendState();
    sendStatus();
  }
  if (now - lastStatus_ >= kStatusEvery) sendStatus();
}

void Session::sendFrame(double now) {
  if (!show_) return;
  const double start = wallSeconds();
  if (lastMeasured_ < 0 || now - lastMeasured_ >= kMeasureEvery || !playing_) {
    if (!gridReady_) {
      grid_ = DensityGrid(world_.mesh(), locator_);
      gridReady_ = true;
    }
    lastMeasured_ = now;
    grid_.measure(show_->persons());
    show_->measured();
    if (mapOn_) outbox_.broadcast({grid_.encode(), true, kMapChannel});
  }
  const std::vector<SlotTable::Change> changes = show_->takeChanges();
  if (!changes.empty()) outbox_.broadcast({encodePeople(run_, show_->persons(), changes), true, 0});
  lastFrame_ = encodeFrame(run_, show_->frame(), show_->time(), box_, show_->persons(), show_->slots());
  outbox_.broadcast({lastFrame_, true, kFrameChannel});
  lastSent_ = now;
  const double spent = wallSeconds() - start;
  frameSeconds_ += spent;
  encodeSeconds_ += 0.2 * (spent - encodeSeconds_);
}

// Which person has which slot, for a new window, or for all windows (0).
void Session::sendPeople(ClientId client) {
  if (!show_) return;
  std::vector<SlotTable::Change> all;
  const std::span<const uint32_t> slots = show_->slots().slots();
  for (size_t i = 0; i < slots.size(); ++i) all.push_back({slots[i], i});
  Packet packet{encodePeople(run_, show_->persons(), all), true, 0};
  if (client == 0) {
    (void)show_->takeChanges();
    outbox_.broadcast(std::move(packet));
  } else {
    outbox_.send(client, std::move(packet));
  }
}

void Session::keepChart() {
  if (live_ == nullptr) return;
  const ChartPoint point = live_->chart();
  if (!charts_.empty() && point.time < charts_.back().time + chartEvery_) return;
  charts_.push_back(point);
  if (charts_.size() <= kMaxChartPoints) return;
  chartEvery_ *= 2;
  size_t kept = 0;
  for (size_t i = 0; i < charts_.size(); i += 2) charts_[kept++] = charts_[i];
  charts_.resize(kept);
}

void Session::sendStatus() {
  lastStatus_ = wallSeconds();
  if (!show_) return;
  outbox_.broadcast(textPacket(crowdJson(), kStatusChannel));
  if (watched_) sendPerson();
}

void Session::sendPerson() {
  const std::optional<PersonView> view = watched_ && show_ ? show_->look(*watched_) : std::nullopt;
  if (!view) {
    watched_.reset();
    outbox_.broadcast(textPacket({{"kind", "person"}, {"slot", nullptr}}));
    return;
  }
  Json route = Json::array();
  for (const Vec3& p : view->route) {
    for (const double value : {p.x, p.y, p.z}) route.push_back(std::round(value * 1000) / 1000);
  }
  Json out = {{"kind", "person"},
              {"slot", *watched_},
              {"id", view->id},
              {"speed", view->speed},
              {"freeSpeed", view->freeSpeed},
              {"radius", view->radius},
              {"density", view->density},
              {"waited", view->waited},
              {"profile", view->profile},
              {"goalName", view->goalName},
              {"doing", view->doing},
              {"route", route},
              {"neighbours", view->neighbours},
              {"place", {view->place.x, view->place.y, view->place.z}}};
  if (view->goal) out["goal"] = {view->goal->x, view->goal->y, view->goal->z};
  outbox_.broadcast(textPacket(out));
}

}  // namespace wend::serve
