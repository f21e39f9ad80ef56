#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "crowd/record/recorder.h"

namespace wend::app {
namespace {

struct ContestCommand {
  Run run;
  std::string mesh;
  std::string recording;
  std::vector<std::string> teams{"universal", "adaptive"};
  uint32_t matches = 60;
  LevelSettings levels;
  ContestSettings settings;
};

// Characters stand around the middle of their region, each at a place of its own.
Vec3 spotOf(const ContestLevel& level, uint32_t region, size_t character) {
  const Vec2 p = level.places[region];
  const double turn = static_cast<double>(character) * 2.399963;  // the golden angle spreads them evenly
  const double far = 0.2 + 0.04 * static_cast<double>(character % 20);
  return {p.x + far * std::cos(turn), p.y + far * std::sin(turn), 0};
}

// A frame per turn. The world changes with the links.
Status writeRecording(const std::string& path, ContestLevel level, const ContestResult& result,
                      const ContestSettings& settings, bool mesh, const Environment& first) {
  RecordHeader header;
  header.framesPerSecond = 2;
  header.notes = {{"wend_scenario_file", "wend contest"},
                  {"team_0", contestantName(settings.teams[0])},
                  {"team_1", contestantName(settings.teams[1])},
                  {"winner", std::to_string(result.winner)}};
  Result<Recorder> recorder = Recorder::create(path, header);
  if (!recorder.ok()) return recorder.error();
  if (const Status s = recorder->world(0, first); !s.ok()) return s;
  const size_t characters = result.frames.front().regions.size();
  for (uint32_t c = 0; c < characters; ++c) {
    RecordedPerson person;
    person.id = c;
    const size_t team = c < characters / 2 ? 0 : 1;
    person.profile = fmt::format("team {} {}", team, contestantName(settings.teams[team]));
    person.radius = 0.1;
    person.freeSpeed = 1;
    if (const Status s = recorder->person(person); !s.ok()) return s;
  }
  for (size_t f = 0; f < result.frames.size(); ++f) {
    const ContestFrame& frame = result.frames[f];
    for (const auto& [link, state] : frame.changes) {
      level.links[link].state = state;
      const std::string target = fmt::format("region {} to {}", level.links[link].a, level.links[link].b);
      const RecordedEvent event{static_cast<int64_t>(f), state == LinkState::kOpen ? "open" : "close", target};
      if (const Status s = recorder->event(event); !s.ok()) return s;
    }
    if (!frame.changes.empty() && !mesh) {
      const Result<Environment> now = environmentOf(level);
      if (!now.ok()) return now.error();
      if (const Status s = recorder->world(static_cast<int64_t>(f), *now); !s.ok()) return s;
    }
    std::vector<RecordedPosition> positions;
    for (uint32_t c = 0; c < characters; ++c) {
      if (frame.regions[c] == kNone) continue;
      RecordedPosition position;
      position.person = c;
      position.place = spotOf(level, frame.regions[c], c);
      position.heading = {1, 0};
      positions.push_back(position);
    }
    if (const Status s = recorder->frame(static_cast<int64_t>(f), positions); !s.ok()) return s;
  }
  return recorder->finish();
}

int single(ContestCommand& o, ContestLevel level, const Environment& environment, bool mesh) {
  o.settings.record = !o.recording.empty();
  const Result<ContestResult> result = playContest(level, o.settings, o.run.seed);
  if (!result.ok()) return o.run.fail(result.error());
  if (!o.recording.empty()) {
    const Status status = writeRecording(o.recording, std::move(level), *result, o.settings, mesh, environment);
    if (!status.ok()) return o.run.fail(status.error());
  }
  o.run.finishProgress();
  o.run.say(fmt::format("{} after {} turns; captures {} to {}, links opened {} to {}, closed {} to {}",
                        result->winner < 0 ? "a draw"
                                           : fmt::format("team {} ({}) wins", result->winner,
                                                         o.teams[static_cast<size_t>(result->winner)]),
                        result->turns, result->captures[0], result->captures[1], result->opened[0], result->opened[1],
                        result->closed[0], result->closed[1]));
  if (!o.recording.empty()) o.run.say(fmt::format("{}: {} frames", o.recording, result->frames.size()));
  o.run.print({{"ok", true},
               {"winner", result->winner},
               {"turns", result->turns},
               {"captures", {result->captures[0], result->captures[1]}},
               {"opened", {result->opened[0], result->opened[1]}},
               {"closed", {result->closed[0], result->closed[1]}}});
  return kOk;
}

int run(ContestCommand& o) {
  if (o.teams.size() != 2) return o.run.fail(ErrorCode::kInvalidSettings, "--teams needs two types");
  for (size_t t = 0; t < 2; ++t) {
    const Result<ContestantType> type = contestantNamed(o.teams[t]);
    if (!type.ok()) return o.run.fail(type.error());
    o.settings.teams[t] = *type;
  }
  const Context& context = o.run.context();
  if (!o.mesh.empty()) {
    const Result<Input> input = readInput(o.mesh, {}, context);
    if (!input.ok()) return o.run.fail(input.error());
    if (!input->world) return o.run.fail(ErrorCode::kFormat, fmt::format("'{}' has no mesh; bake it first", o.mesh));
    Result<ContestLevel> level = levelOf(input->world->mesh());
    if (!level.ok()) return o.run.fail(level.error());
    return single(o, *std::move(level), input->world->environment(), true);
  }
  if (!o.recording.empty() || o.matches == 1) {
    Result<ContestLevel> level = makeLevel(o.levels, o.run.seed);
    if (!level.ok()) return o.run.fail(level.error());
    const Result<Environment> environment = environmentOf(*level);
    if (!environment.ok()) return o.run.fail(environment.error());
    return single(o, *std::move(level), *environment, false);
  }
  const Result<ContestTally> tally = playSeries(o.levels, o.settings, o.matches, o.run.seed, context);
  if (!tally.ok()) return o.run.fail(tally.error());
  o.run.finishProgress();
  o.run.say(fmt::format("{} matches: {} {} to {} {}, {} draws, {:.1f} turns on average", o.matches, o.teams[0],
                        tally->wins[0], tally->wins[1], o.teams[1], tally->draws, tally->meanTurns));
  o.run.print({{"ok", true},
               {"matches", o.matches},
               {"wins", {tally->wins[0], tally->wins[1]}},
               {"draws", tally->draws},
               {"turns", tally->meanTurns}});
  return kOk;
}

}  // namespace

void addContest(Program& program) {
  auto o = std::make_shared<ContestCommand>();
  Command command = program.line.addCommand("contest", "play capture the flag with teams that alter the mesh");
  command.addOption("WORLD", o->mesh, "play one match on the cells of this world, FILE.wend; else on made levels");
  command.addOption("--teams", o->teams, "two of adaptive, builder, blocker, universal").values(2).showDefault();
  command.addOption("--matches", o->matches, "matches, each on a level of its own; sides are swapped after half")
      .check(range(1, 1000000))
      .showDefault();
  command.addOption("-o,--output", o->recording, "play one match and record it, FILE.sqlite, for wend report");
  command.addOption("--members", o->settings.members, "characters per team").check(range(1, 1000)).showDefault();
  command.addOption("--attackers", o->settings.attackers, "of these, how many attack").showDefault();
  command.addOption("--open-turns", o->settings.openTurns, "turns to remove an obstruction")
      .check(range(1, 100))
      .showDefault();
  command.addOption("--material", o->settings.material, "links that a character can close").showDefault();
  command.addOption("--open", o->levels.open, "share of links that are open at first")
      .check(range(0.0, 1.0))
      .showDefault();
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend contest --teams universal adaptive --matches 1000\n"
      "  wend contest --teams universal builder -o match.sqlite\n  wend report match.sqlite -o match\n"
      "  wend contest city.wend --teams builder adaptive");
  command.onRun([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
