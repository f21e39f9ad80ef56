#include <algorithm>

#include <wend/draw.h>
#include <wend/environment_file.h>
#include <wend/file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/session.h"

// What a window can download.
namespace wend::serve {
namespace {

// A name that every file system takes, without an ending.
std::string plainName(std::string name) {
  if (const size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  return name.empty() ? "world" : name;
}

}  // namespace

void Session::run(ClientId client, const SaveCommand& command) {
  if (!shown_) return fail(client, {ErrorCode::kInvalidSettings, "there is no world to save"});
  const std::string base = plainName(document_ ? document_->name : "world");
  Result<std::string> bytes = std::string();
  std::string name;
  std::string type = "application/octet-stream";
  switch (command.kind) {
    case SaveKind::kEnvironment:
      bytes = formatEnvironment(world_.environment(), EnvironmentFormat::kEnv);
      name = base + ".env";
      type = "application/xml";
      break;
    case SaveKind::kWorld:
      bytes = serialiseWorld(world_);
      name = base + ".wend";
      break;
    case SaveKind::kScenario: {
      const Result<Scenario> scenario = currentScenario();
      bytes = scenario.ok() ? Result<std::string>(scenarioToml()) : Result<std::string>(scenario.error());
      name = base + ".toml";
      type = "application/toml";
      break;
    }
    case SaveKind::kPicture: {
      DrawSettings settings;
      settings.width = 1600;
      if (world_.mesh().layerCount() > 1) settings.layers = LayerArrangement::kStacked;
      const std::vector<Route> routes = plannedRoutes();
      bytes = drawMesh(world_.mesh(), routes, settings);
      name = base + ".svg";
      type = "image/svg+xml";
      break;
    }
    case SaveKind::kRecording: {
      keepRecording();
      std::string path = document_ && document_->kind == DocumentKind::kRecording ? document_->path : "";
      if (live_ != nullptr) path = live_->output();
      if (path.empty()) {
        return fail(client,
                    {ErrorCode::kInvalidSettings, "nothing was recorded; switch recording on before the start"});
      }
      // A recording is complete now; the crowd cannot go on writing into it.
      if (live_ != nullptr) endCrowd();
      const auto read = readFile(path);
      bytes = read.ok() ? Result<std::string>(std::string(reinterpret_cast<const char*>(read->data()), read->size()))
                        : Result<std::string>(read.error());
      name = base + ".sqlite";
      type = "application/vnd.sqlite3";
      break;
    }
  }
  if (!bytes.ok()) return fail(client, bytes.error());
  constexpr uint32_t kKept = 4;
  ++downloads_;
  if (downloads_ > kKept) outbox_.withdraw(fmt::format("download.{}", downloads_ - kKept));
  const std::string address = fmt::format("download.{}", downloads_);
  outbox_.publish(address, {std::make_shared<const std::string>(*std::move(bytes)), type, name});
  outbox_.send(client, textPacket({{"kind", "download"}, {"address", "data/" + address}, {"name", name}}));
  sendState();
}

}  // namespace wend::serve
