#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/navigator.h>
#include <wend/scene.h>
#include <wend/world.h>

#include <nlohmann/json_fwd.hpp>

#include "serve/command.h"
#include "serve/density_grid.h"
#include "serve/documents.h"
#include "serve/edits.h"
#include "serve/live_crowd.h"
#include "serve/outbox.h"
#include "serve/playback.h"

// The state that all windows of `wend view` share: the document that is shown, its world, a plan, a crowd. Commands
// change it; every change goes to all windows. It does not use sockets.
//
// One thread calls it, but cancel() may come from any.
namespace wend::serve {

class Session {
 public:
  // `folder` takes recordings; it exists.
  Session(std::vector<Document> documents, std::string folder, int threads, Outbox& outbox);
  ~Session();

  // Shows the first document, if there is one.
  void begin();
  // A new window: gets the whole state.
  void opened(ClientId client);
  void handle(ClientId client, const Command& command);
  // Stops the work that handle() does just now, if it can be stopped.
  void cancel();

  // Lets the crowd walk. `now` is wallSeconds().
  void tick(double now);
  // When tick() has something to do next; infinity: nothing.
  double nextTick() const;

  const World& world() const { return world_; }
  CrowdShow* show() { return show_.get(); }
  // Seconds that tick() spent on the engine, and on making frames, since the crowd began.
  double engineSeconds() const { return engineSeconds_; }
  double frameSeconds() const { return frameSeconds_; }

 private:
  using Json = nlohmann::json;

  // --- session.cpp: documents and worlds
  void run(ClientId client, const OpenCommand& command);
  void run(ClientId client, const BakeCommand& command);
  void run(ClientId client, const EditCommand& command);
  void run(ClientId client, const CompareCommand& command);
  void run(ClientId, const CancelCommand&) {}
  Status openDocument(const Document& document);
  Status openScene(Scene scene);
  Status openScenario(const Document& document);
  Status openRecording(const Document& document);
  Status openComparison(const Document& document);
  Status makeWorld(Environment environment);
  Status editWorld(World world);
  void takeWorld(World world);
  void forgetDocument();
  void publishWorld();
  void addStage(const std::string& name, double seconds);
  // A context whose progress all windows see.
  std::shared_ptr<Context> newJob();
  // Runs `work`; its error goes to all windows. Marks the session as busy meanwhile.
  template <typename Work>
  bool busy(const char* what, Work work);

  // --- session_plan.cpp
  void run(ClientId client, const PlanCommand& command);
  void run(ClientId client, const ForgetPlanCommand& command);
  void run(ClientId client, const ProbeCommand& command);
  void run(ClientId client, const ReachCommand& command);
  void sendPlan();
  void sendReach();
  Json narrowestPlace(const PathQuery& query);
  std::vector<Route> plannedRoutes();

  // --- session_crowd.cpp
  void run(ClientId client, const CrowdCommand& command);
  void run(ClientId client, const RunCommand& command);
  void run(ClientId client, const SpeedCommand& command);
  void run(ClientId client, const SeekCommand& command);
  void run(ClientId client, const PersonCommand& command);
  void run(ClientId client, const MapCommand& command);
  Status startCrowd(bool record);
  void endCrowd();
  void keepRecording();
  void beginShow();
  void sendFrame(double now);
  void sendPeople(ClientId client);
  void sendStatus();
  void sendPerson();
  void keepChart();
  Result<Scenario> currentScenario() const;
  std::string scenarioToml() const;
  void setClock(double now);

  // --- session_save.cpp
  void run(ClientId client, const SaveCommand& command);

  // --- session_state.cpp
  void sendState();
  void fail(ClientId client, const Error& error);
  Json stateJson() const;
  Json catalogueJson() const;
  Json crowdJson() const;
  Json chartsJson() const;
  Packet textPacket(const Json& json, int channel = 0) const;

  Outbox& outbox_;
  std::vector<Document> documents_;
  std::string folder_;
  int threads_ = 0;

  std::optional<Document> document_;  // shown
  std::optional<Scene> scene_;
  std::optional<ExtractReport> extraction_;
  Bytes sceneBytes_;  // the scene and what extraction made of it, as the page gets it
  ExtractSettings extractSettings_;
  GenerateSettings generate_;
  EditableEnvironment edits_;
  World world_;
  Navigator navigator_;
  Locator locator_;
  Vec3 origin_;
  uint32_t version_ = 0;  // of the published shapes
  bool shown_ = false;    // there is a world
  std::vector<std::pair<std::string, double>> stages_;
  std::vector<std::string> notes_;
  std::string busyWith_;
  std::string lastError_;

  std::mutex jobMutex_;
  std::shared_ptr<Context> job_;
  Context runContext_;  // of running crowds

  std::optional<PlanCommand> plan_;
  ReachCommand reach_;
  PlanScratch scratch_;

  std::optional<Scenario> scenario_;  // of a scenario file
  CrowdCommand crowd_;
  std::unique_ptr<CrowdShow> show_;
  LiveCrowd* live_ = nullptr;  // show_, if it is one
  Playback* playback_ = nullptr;
  uint32_t run_ = 0;
  bool playing_ = false;
  double speed_ = 1;
  double clockWall_ = 0;  // s; at this time the crowd was at clockTime_
  double clockTime_ = 0;
  double lastSent_ = 0;
  double lastMeasured_ = -1;
  double lastStatus_ = 0;
  double engineSeconds_ = 0;
  double frameSeconds_ = 0;
  double stepSeconds_ = 0;    // engine, mean of the last steps
  double encodeSeconds_ = 0;  // the same of frames
  DensityGrid grid_;
  bool gridReady_ = false;
  bool mapOn_ = false;
  std::optional<uint32_t> watched_;
  std::vector<ChartPoint> charts_;
  double chartEvery_ = 0.5;
  FrameBox box_;
  Bytes lastFrame_;
  uint32_t recordings_ = 0;

  struct ComparedMesh {
    std::string generator;
    std::string status;
    std::string message;
    uint32_t cells = 0;
    std::vector<std::pair<std::string, double>> metrics;
    bool shown = false;
  };
  std::vector<std::string> comparedWorlds_;
  uint32_t comparedWorld_ = 0;
  std::vector<ComparedMesh> compared_;
  uint32_t downloads_ = 0;
};

}  // namespace wend::serve
