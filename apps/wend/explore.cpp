#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "crowd/record/recorder.h"

namespace wend::app {
namespace {

struct ExploreCommand {
  Run run;
  std::string input;
  std::string world;
  std::string recording;
  std::string pattern = "random";
  ReadSettings read;
  ExploreSettings settings;
};

// What team 0 believes is the recorded world; it changes with every find.
Status writeRecording(const std::string& path, const ExploreResult& result, const ExploreSettings& settings) {
  RecordHeader header;
  header.framesPerSecond = 1 / settings.step;
  header.notes = {{"wend_scenario_file", "wend explore"}};
  Result<Recorder> recorder = Recorder::create(path, header);
  if (!recorder.ok()) return recorder.error();
  for (const auto& [frame, environment] : result.believed) {
    if (const Status s = recorder->world(frame, environment); !s.ok()) return s;
  }
  const int32_t layer = result.believed.front().second.layers.front().id;
  for (uint32_t i = 0; i < settings.explorers; ++i) {
    RecordedPerson person;
    person.id = i;
    person.profile = fmt::format("team {}", i % settings.teams);
    person.radius = 0.3;
    person.freeSpeed = settings.speed;
    if (const Status s = recorder->person(person); !s.ok()) return s;
  }
  for (size_t f = 0; f < result.frames.size(); ++f) {
    std::vector<RecordedPosition> positions;
    for (uint32_t i = 0; i < result.frames[f].size(); ++i) {
      RecordedPosition position;
      position.person = i;
      const Vec2 p = result.frames[f][i];
      position.place = {p.x, p.y, 0};
      const Vec2 before = result.frames[f == 0 ? 0 : f - 1][i];
      position.velocity = {(p.x - before.x) / settings.step, (p.y - before.y) / settings.step};
      const double speed = std::hypot(position.velocity.x, position.velocity.y);
      position.heading = speed > 0 ? Vec2{position.velocity.x / speed, position.velocity.y / speed} : Vec2{1, 0};
      position.layer = layer;
      positions.push_back(position);
    }
    if (const Status s = recorder->frame(static_cast<int64_t>(f), positions); !s.ok()) return s;
  }
  return recorder->finish();
}

int run(ExploreCommand& o) {
  o.settings.pattern = o.pattern == "spiral" ? ExplorePattern::kSpiral : ExplorePattern::kRandom;
  o.settings.seed = o.run.seed;
  o.settings.record = !o.recording.empty();
  const Context& context = o.run.context();
  WorldReadSettings reading;
  reading.environment = o.read;
  const Result<EnvironmentReading> read = readAnyEnvironment(o.input, reading, context);
  if (!read.ok()) return o.run.fail(read.error());
  const Result<ExploreResult> result = explore(read->environment, o.settings, context);
  if (!result.ok()) return o.run.fail(result.error());
  if (!o.recording.empty()) {
    const Status status = writeRecording(o.recording, *result, o.settings);
    if (!status.ok()) return o.run.fail(status.error());
  }
  if (!o.world.empty()) {
    const Status status = saveWorld(result->teams.front().world, o.world);
    if (!status.ok()) return o.run.fail(status.error());
  }
  o.run.finishProgress();
  Json samples = Json::array();
  for (const ExploreSample& s : result->samples) {
    o.run.say(fmt::format("{:7.1f} s  team {}  error {:6.2f} %  {} slices known, {} cells", s.seconds, s.team,
                          100 * s.error, s.known, s.cells));
    samples.push_back(
        {{"seconds", s.seconds}, {"team", s.team}, {"error", s.error}, {"known", s.known}, {"cells", s.cells}});
  }
  Json teams = Json::array();
  for (const ExploreTeam& team : result->teams) {
    o.run.say(fmt::format("{}; {} repairs in place and {} new meshes after finds, {} merged in idle time",
                          team.complete >= 0 ? fmt::format("error 0 after {:.1f} s", team.complete)
                                             : fmt::format("error {:.2f} % at the end", 100 * team.error),
                          team.repairs, team.quickMeshes, team.idleMeshes));
    teams.push_back({{"error", team.error},
                     {"complete", team.complete},
                     {"repairs", team.repairs},
                     {"quick_meshes", team.quickMeshes},
                     {"idle_meshes", team.idleMeshes}});
  }
  o.run.print({{"ok", true},
               {"seconds", result->seconds},
               {"slices", result->slices},
               {"obstacle_area", result->obstacleArea},
               {"teams", teams},
               {"samples", samples}});
  return kOk;
}

}  // namespace

void addExplore(Program& program) {
  auto o = std::make_shared<ExploreCommand>();
  Command command = program.line.addCommand("explore", "build a mesh by exploring an unknown environment");
  command.addOption("ENVIRONMENT", o->input, "environment or world of one layer").required();
  command.addOption("-o,--output", o->recording, "recording of the explorers, FILE.sqlite, for wend report");
  command.addOption("--world", o->world, "what team 0 believes at the end, FILE.wend");
  command.addOption("--pattern", o->pattern, "where explorers go").check(oneOf({"random", "spiral"})).showDefault();
  command.addOption("--explorers", o->settings.explorers, "how many").check(range(1, 1000)).showDefault();
  command.addOption("--teams", o->settings.teams, "each with a mesh of its own").showDefault();
  command.addOption("--sight", o->settings.sight, "detection radius, metres").check(positive()).showDefault();
  command.addOption("--speed", o->settings.speed, "metres per second").check(positive()).showDefault();
  command.addOption("--step", o->settings.step, "seconds between two looks around").check(positive()).showDefault();
  command.addOption("--slice", o->settings.slice, "side of the squares that cut large obstacles, metres")
      .check(positive())
      .showDefault();
  command.addOption("--seconds", o->settings.maxSeconds, "simulated time at most").check(positive()).showDefault();
  command.addOption("--quick", o->settings.quickGenerator, "generator of the first mesh, and where no repair works")
      .showDefault();
  command.addOption("--idle", o->settings.idleGenerator, "generator of the mesh when nothing is found").showDefault();
  command.addFlag("--grow-bounds", o->settings.growBounds, "explorers do not know the bounds at first");
  addReadOptions(command, o->read);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend explore city.env --explorers 4 -o tour.sqlite\n  wend report tour.sqlite -o tour\n"
      "  wend explore plan.wkt --pattern spiral --speed 3.6 --world believed.wend\n"
      "  wend explore city.env --quick pasfv --idle pasfv --sight 40 --speed 10");
  command.onRun([o, &program] { program.exitCode = o->run.guarded(o->world, {o->input}, [&] { return run(*o); }); });
}

}  // namespace wend::app
