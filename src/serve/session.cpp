#include "serve/session.h"

#include <algorithm>
#include <cmath>

#include <wend/file.h>
#include <wend/make_scene.h>
#include <wend/world_input.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/wall_clock.h"
#include "crowd/scenario/scenario_world.h"
#include "serve/settings_table.h"
#include "serve/shapes.h"

namespace wend::serve {

Session::Session(std::vector<Document> documents, std::string folder, int threads, Outbox& outbox)
    : outbox_(outbox), documents_(std::move(documents)), folder_(std::move(folder)), threads_(threads) {
  runContext_.threads = threads;
}

Session::~Session() = default;

void Session::begin() {
  if (!documents_.empty()) run(0, OpenCommand{0, ""});
}

void Session::handle(ClientId client, const Command& command) {
  std::visit([&](const auto& one) { run(client, one); }, command);
}

void Session::cancel() {
  const std::lock_guard lock(jobMutex_);
  if (job_) job_->cancel();
}

std::shared_ptr<Context> Session::newJob() {
  auto job = std::make_shared<Context>();
  job->threads = threads_;
  job->onProgress = [this, last = 0.0](std::string_view stage, double fraction) mutable {
    const double now = wallSeconds();
    if (now - last < 0.05) return;
    last = now;
    outbox_.broadcast(textPacket({{"kind", "progress"}, {"stage", stage}, {"fraction", fraction}}, kProgressChannel));
  };
  job->onNote = [this](std::string_view sentence) {
    if (notes_.size() < 100) notes_.emplace_back(sentence);
  };
  const std::lock_guard lock(jobMutex_);
  job_ = job;
  return job;
}

template <typename Work>
bool Session::busy(const char* what, Work work) {
  busyWith_ = what;
  lastError_.clear();
  sendState();
  const std::shared_ptr<Context> job = newJob();
  const Status status = work(*job);
  {
    const std::lock_guard lock(jobMutex_);
    job_.reset();
  }
  busyWith_.clear();
  // A window that cancels, or moves a slider on, expects no result.
  if (!status.ok() && status.error().code != ErrorCode::kCancelled) {
    lastError_ = status.error().message;
    fail(0, status.error());
  }
  return status.ok();
}

void Session::addStage(const std::string& name, double seconds) {
  stages_.emplace_back(name, seconds);
}

void Session::forgetDocument() {
  endCrowd();
  for (size_t i = 0; i < compared_.size(); ++i) outbox_.withdraw(fmt::format("compared.{}.{}", version_, i));
  scene_.reset();
  extraction_.reset();
  sceneBytes_.reset();
  scenario_.reset();
  plan_.reset();
  reach_ = {};
  crowd_ = {};
  edits_ = EditableEnvironment();
  world_ = World();
  navigator_ = Navigator();
  comparedWorlds_.clear();
  compared_.clear();
  stages_.clear();
  notes_.clear();
  generate_ = {};
  extractSettings_ = {};
  shown_ = false;
  watched_.reset();
}

void Session::run(ClientId client, const OpenCommand& command) {
  const Demo* demo = nullptr;
  for (const Demo& one : demos()) {
    if (one.name == command.demo) demo = &one;
  }
  if (demo == nullptr && (!command.document || *command.document >= documents_.size())) {
    return fail(client, {ErrorCode::kInvalidSettings, "there is no such file or demo world"});
  }
  const Document document = demo != nullptr ? demo->document : documents_[*command.document];
  forgetDocument();
  document_ = document;
  const bool ok = busy("opening", [&](const Context& job) -> Status {
    (void)job;
    return openDocument(document);
  });
  if (ok && demo != nullptr && demo->crowd.starts_with("everywhere ")) {
    crowd_.sources = {{"everywhere", 0, {}, static_cast<uint32_t>(std::stoul(demo->crowd.substr(11))), 0}};
    crowd_.roam = true;
  }
  if (ok && demo != nullptr && demo->crowd == "station") {
    crowd_.sources = {{"everywhere", 0, {}, 1500, 0}};
    crowd_.exits = {{"south", 0, {{70, 0}, {76, 0}, {76, 2}, {70, 2}}},
                    {"north", 0, {{70, 109}, {76, 109}, {76, 111}, {70, 111}}},
                    {"west", 0, {{0, 50}, {2, 50}, {2, 56}, {0, 56}}},
                    {"east", 0, {{151, 50}, {153, 50}, {153, 56}, {151, 56}}}};
    crowd_.lines = {{"north", 0, {69, 108.5}, {77, 108.5}}};
    crowd_.follow = "waypoints";
  }
  sendState();
  if (playback_ != nullptr) sendFrame(wallSeconds());
}

Status Session::openDocument(const Document& document) {
  const Context& job = *job_;
  const double start = wallSeconds();
  switch (document.kind) {
    case DocumentKind::kMadeScene: {
      Result<MadeScene> made = makeScene({.kind = document.path}, job);
      if (!made.ok()) return made.error();
      addStage("make", wallSeconds() - start);
      return openScene(std::move(made->scene));
    }
    case DocumentKind::kScene: {
      Result<Scene> scene = readScene(document.path, {}, job);
      if (!scene.ok()) return scene.error();
      addStage("read", wallSeconds() - start);
      return openScene(*std::move(scene));
    }
    case DocumentKind::kEnvironment:
    case DocumentKind::kWorld: {
      Result<EnvironmentReading> read = readAnyEnvironment(document.path, {}, job);
      if (!read.ok()) return read.error();
      addStage("read", wallSeconds() - start);
      if (read->world) {
        edits_ = EditableEnvironment(read->world->base(), itemsOf(*read->world));
        generate_.generator = read->world->mesh().info().generator;
        takeWorld(*std::move(read->world));
        return Done{};
      }
      edits_ = EditableEnvironment(read->environment);
      return makeWorld(std::move(read->environment));
    }
    case DocumentKind::kScenario:
      return openScenario(document);
    case DocumentKind::kRecording:
      return openRecording(document);
    case DocumentKind::kComparison:
      return openComparison(document);
  }
  return Done{};
}

Status Session::openScene(Scene scene) {
  scene_ = std::move(scene);
  origin_ = originOf(*scene_);
  const Context& job = *job_;
  const double start = wallSeconds();
  extraction::Record record;
  Result<Extraction> extracted = extraction::extractWithRecord(*scene_, extractSettings_, job, record);
  // What was shown before stays.
  if (!extracted.ok() && extracted.error().code == ErrorCode::kCancelled && shown_) return extracted.error();
  sceneBytes_ = sceneBlob(*scene_, record, origin_, extractSettings_);
  if (!extracted.ok()) {
    // The triangles can be looked at all the same.
    world_ = World();
    shown_ = false;
    publishWorld();
    return extracted.error();
  }
  extraction_ = extracted->report;
  if (extraction_->seconds.empty()) addStage("extract", wallSeconds() - start);
  for (const auto& [name, seconds] : extraction_->seconds) addStage("extract: " + name, seconds);
  edits_ = EditableEnvironment(extracted->environment);
  return makeWorld(std::move(extracted->environment));
}

Status Session::openScenario(const Document& document) {
  const Context& job = *job_;
  const double start = wallSeconds();
  Result<Scenario> scenario = readScenario(document.path);
  if (!scenario.ok()) return scenario.error();
  scenario_ = *std::move(scenario);
  Result<World> made = loadScenarioWorld(*scenario_, job);
  if (!made.ok()) return made.error();
  addStage("read and generate", wallSeconds() - start);
  generate_.generator = made->mesh().info().generator;
  edits_ = EditableEnvironment(made->base(), itemsOf(*made));
  takeWorld(*std::move(made));
  return Done{};
}

Status Session::openRecording(const Document& document) {
  const Context& job = *job_;
  const double start = wallSeconds();
  Result<std::unique_ptr<Playback>> playback = Playback::open(document.path, job);
  if (!playback.ok()) return playback.error();
  addStage("read", wallSeconds() - start);
  if ((*playback)->stride() > 1) {
    notes_.push_back(fmt::format("The recording is long: one of {} frames is shown.", (*playback)->stride()));
  }
  edits_ = EditableEnvironment((*playback)->environment());
  if (Status status = makeWorld((*playback)->environment()); !status.ok()) return status;
  show_ = *std::move(playback);
  playback_ = static_cast<Playback*>(show_.get());
  beginShow();
  charts_ = playback_->charts();
  return Done{};
}

namespace {

constexpr size_t kMaxResults = size_t{64} << 20;  // bytes of what wend compare writes

// Empty if there is no text of this name. Json::value() throws where there is something else.
std::string textOf(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Status Session::openComparison(const Document& document) {
  const auto bytes = readFile(document.path + "/results.json", kMaxResults);
  if (!bytes.ok()) return bytes.error();
  const char* text = reinterpret_cast<const char*>(bytes->data());
  const Json results = Json::parse(text, text + bytes->size(), nullptr, false);
  const Error foreign{ErrorCode::kFormat,
                      fmt::format("'{}/results.json' is not what wend compare writes; compare again", document.path)};
  if (!results.is_object() || !results.contains("worlds") || !results["worlds"].is_array()) return foreign;
  for (const Json& world : results["worlds"]) {
    if (!world.is_object() || !world.contains("name") || !world["name"].is_string()) return foreign;
    comparedWorlds_.push_back(world["name"].get<std::string>());
  }
  if (comparedWorlds_.empty()) return foreign;
  run(0, CompareCommand{0});
  return Done{};
}

void Session::run(ClientId client, const CompareCommand& command) {
  if (!document_ || document_->kind != DocumentKind::kComparison || command.world >= comparedWorlds_.size()) {
    return fail(client, {ErrorCode::kInvalidSettings, "no comparison is open"});
  }
  const auto bytes = readFile(document_->path + "/results.json", kMaxResults);
  if (!bytes.ok()) return fail(client, bytes.error());
  const char* text = reinterpret_cast<const char*>(bytes->data());
  const Json results = Json::parse(text, text + bytes->size(), nullptr, false);
  for (size_t i = 0; i < compared_.size(); ++i) outbox_.withdraw(fmt::format("compared.{}.{}", version_, i));
  compared_.clear();
  comparedWorld_ = command.world;
  const std::string world = comparedWorlds_[command.world];
  bool first = true;
  ++version_;
  if (!results.is_object() || !results.contains("rows") || !results["rows"].is_array()) return;
  for (const Json& row : results["rows"]) {
    if (!row.is_object() || textOf(row, "world") != world || compared_.size() >= 32) continue;
    ComparedMesh& mesh = compared_.emplace_back();
    mesh.generator = textOf(row, "generator");
    mesh.status = textOf(row, "status");
    mesh.message = textOf(row, "message");
    if (row.contains("metrics") && row["metrics"].is_object()) {
      for (const auto& [name, value] : row["metrics"].items()) {
        if (value.is_number()) mesh.metrics.emplace_back(name, value.get<double>());
      }
    }
    // Names of the folder's own file, never a path out of it.
    const bool plain = (world + mesh.generator).find('/') == std::string::npos;
    Result<World> loaded = plain
                               ? loadWorld(fmt::format("{}/meshes/{}--{}.wend", document_->path, world, mesh.generator))
                               : Result<World>(Error{ErrorCode::kFormat, "a name in results.json holds a '/'"});
    if (!loaded.ok()) {
      if (mesh.message.empty()) mesh.message = loaded.error().message;
      continue;
    }
    mesh.cells = loaded->mesh().cellCount();
    mesh.shown = true;
    if (first) {
      origin_ = originOf(loaded->environment());
      world_ = *loaded;
      navigator_ = makeNavigator(world_);
      locator_ = Locator(world_.mesh());
      edits_ = EditableEnvironment(world_.environment());
      shown_ = true;
    }
    first = false;
    outbox_.publish(fmt::format("compared.{}.{}", version_, compared_.size() - 1),
                    {meshBlob(*loaded, origin_), "application/octet-stream", ""});
  }
  sendState();
}

Status Session::makeWorld(Environment environment) {
  const Context& job = *job_;
  const double start = wallSeconds();
  if (!scene_) origin_ = originOf(environment);
  Result<World> world = bake(std::move(environment), generate_, job);
  if (!world.ok()) return world.error();
  addStage("generate", wallSeconds() - start);
  return editWorld(*std::move(world));
}

// Puts what was drawn by hand into a world, or takes it out.
Status Session::editWorld(World world) {
  const std::vector<Edit> edits = edits_.editsFor(world);
  if (!edits.empty()) {
    const double start = wallSeconds();
    Result<WorldUpdate> update = world.apply(edits, *job_);
    if (!update.ok()) return update.error();
    const UpdateReport& report = update->report;
    addStage(fmt::format("edit: mesh {}, {} cells new", meshChangeName(report.mesh), report.cellsAdded),
             wallSeconds() - start);
    for (const std::string& note : report.notes) notes_.push_back(note);
    world = std::move(update->world);
  }
  takeWorld(std::move(world));
  return Done{};
}

void Session::takeWorld(World world) {
  const double start = wallSeconds();
  world_ = std::move(world);
  navigator_ = makeNavigator(world_);
  locator_ = Locator(world_.mesh());
  shown_ = true;
  gridReady_ = false;
  if (!scene_) origin_ = originOf(edits_.base());
  addStage("navigator", wallSeconds() - start);
  publishWorld();
}

void Session::publishWorld() {
  ++version_;
  // A window may still fetch one of the last two versions: changes can come quickly.
  constexpr uint32_t kKept = 3;
  for (const char* name : {"scene", "mesh", "axis", "marks"}) {
    if (version_ > kKept) outbox_.withdraw(fmt::format("{}.{}", name, version_ - kKept));
  }
  const double start = wallSeconds();
  const auto publish = [&](const char* name, Bytes bytes) {
    outbox_.publish(fmt::format("{}.{}", name, version_), {std::move(bytes), "application/octet-stream", ""});
  };
  if (scene_) publish("scene", sceneBytes_);
  publish("mesh", meshBlob(world_, origin_));
  publish("axis", axisBlob(world_, origin_));
  publish("marks", marksBlob(world_, extraction_ ? &*extraction_ : nullptr, origin_));
  addStage("shapes for the page", wallSeconds() - start);
}

void Session::run(ClientId client, const BakeCommand& command) {
  if (!document_ || comparedWorlds_.size() > 0) {
    return fail(client, {ErrorCode::kInvalidSettings, "open a world first"});
  }
  GenerateSettings generate = generate_;
  ExtractSettings extracting = extractSettings_;
  if (!command.generator.empty()) {
    const GeneratorInfo* info = findGenerator(command.generator);
    if (info == nullptr) {
      return fail(client, {ErrorCode::kInvalidSettings, fmt::format("there is no generator '{}'", command.generator)});
    }
    generate.generator = command.generator;
    generate.options = command.options;
  }
  for (const auto& [name, value] : command.extract) {
    if (Status status = setSetting(extracting, name, value); !status.ok()) return fail(client, status.error());
  }
  if (!command.extractMethod.empty()) {
    extracting.method = command.extractMethod == "voxel" ? ExtractMethod::kVoxel : ExtractMethod::kExact;
  }
  const bool again = scene_ && (!command.extract.empty() || !command.extractMethod.empty());
  const GenerateSettings oldGenerate = std::exchange(generate_, generate);
  const ExtractSettings oldExtract = std::exchange(extractSettings_, extracting);
  stages_.clear();
  notes_.clear();
  const bool ok = busy("baking", [&](const Context& job) -> Status {
    (void)job;
    if (again) return openScene(*std::exchange(scene_, std::nullopt));
    return makeWorld(edits_.base());
  });
  if (!ok && shown_) {
    generate_ = oldGenerate;
    extractSettings_ = oldExtract;
  }
  if (ok && live_ != nullptr) {
    if (Status status = live_->changeWorld(world_); !status.ok()) fail(client, status.error());
  }
  sendState();
  sendPlan();
  sendReach();
}

void Session::run(ClientId client, const EditCommand& command) {
  if (command.kind == EditKind::kNewPlan) {
    if (!document_ || document_->kind != DocumentKind::kEnvironment || !shown_) {
      forgetDocument();
      document_ = Document{"floor plan", "", DocumentKind::kEnvironment, "drawn"};
    }
  } else if (!shown_ || playback_ != nullptr || !comparedWorlds_.empty()) {
    return fail(client,
                {ErrorCode::kInvalidSettings, "only a world that is not a recording or a comparison can be changed"});
  }
  const auto before = edits_;
  if (Status status = edits_.apply(command); !status.ok()) return fail(client, status.error());
  // Another floor plan is another world; anything else changes this one in place.
  const bool anew = &before.base() != &edits_.base() || !shown_;
  if (anew) endCrowd();
  stages_.clear();
  notes_.clear();
  const bool ok = busy("changing the world", [&](const Context& job) -> Status {
    (void)job;
    return anew ? makeWorld(edits_.base()) : editWorld(world_);
  });
  if (!ok) edits_ = before;
  if (ok && live_ != nullptr) {
    const double start = wallSeconds();
    if (Status status = live_->changeWorld(world_); !status.ok()) fail(client, status.error());
    addStage("crowd", wallSeconds() - start);
  }
  sendState();
  sendPlan();
  sendReach();
}

}  // namespace wend::serve
