#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "prism/prism_commands.h"
#include "volume_commands.h"

namespace wend::app {
namespace {

struct CheckOptions {
  Run run;
  std::string file;
  std::string against;
  size_t limit = 20;
  ReadSettings read;
  SceneOptions scene;
};

// Any soup can be extracted, so these are things to know rather than to forbid; still, a solid model has none.
int checkScene(CheckOptions& o, const Scene& scene) {
  const Result<SceneReport> report = inspectScene(scene, Lattice{o.read.unit}, o.limit);
  if (!report.ok()) return o.run.fail(report.error());
  Json found = Json::array();
  size_t shown = 0;
  size_t all = 0;
  for (const size_t count : report->defects) all += count;
  for (const SceneDefect& defect : report->examples) {
    if (shown++ == o.limit) break;
    const Vec3 p = defect.place;
    o.run.say(fmt::format("{} at ({:.4f}, {:.4f}, {:.4f})", defectName(defect.kind), p.x, p.y, p.z));
    found.push_back({{"kind", defectName(defect.kind)}, {"place", {p.x, p.y, p.z}}});
  }
  o.run.say(all == 0 ? fmt::format("{}: closed and without defects", o.file)
                     : fmt::format("{}: {} defect(s); extraction takes the scene as it is", o.file, all));
  o.run.print({{"ok", all == 0}, {"file", o.file}, {"defects", all}, {"faults", found}});
  return all == 0 ? kOk : kFailed;
}

// A mesh that promises to be exact is proved to be; of another one, how far off it is.
Status sayWorld(CheckOptions& o, const NavMesh& mesh, const Environment& environment, Json& answer) {
  const std::string truth = o.against.empty() ? "its environment" : o.against;
  const bool axis = mesh.corridorMap() != nullptr;
  const MeshTraits& traits = mesh.info().traits;
  answer["exact"] = traits.exact;
  answer["medialAxis"] = axis;
  if (traits.exact) {
    o.run.say(fmt::format("{}: right, and true to {}{}", o.file, truth, axis ? "; so is its medial axis" : ""));
    return Done{};
  }
  const Result<MeshMetrics> metrics = measureMesh(mesh, environment, {}, o.run.context());
  o.run.finishProgress();
  if (!metrics.ok()) return metrics.error();
  const CoverageMetrics& coverage = metrics->coverage;
  const ConnectivityMetrics& connectivity = metrics->connectivity;
  o.run.say(fmt::format(
      "{}: consistent, and approximate: its cells cover {:.3f} % of {}, {:.3f} % of their own area lies "
      "outside, {:.3f} % lies over another cell; {} component(s) of {}, {} boundaries of {}",
      o.file, 100 * coverage.coveredShare(), truth, 100 * coverage.incorrectOfRegions(), 100 * coverage.overlapShare(),
      connectivity.components, connectivity.trueComponents, connectivity.boundaries, connectivity.trueBoundaries));
  answer["covered"] = coverage.coveredShare();
  answer["incorrect"] = coverage.incorrectOfRegions();
  answer["overlap"] = coverage.overlapShare();
  answer["components"] = {connectivity.components, connectivity.trueComponents};
  answer["boundaries"] = {connectivity.boundaries, connectivity.trueBoundaries};
  return Done{};
}

int run(CheckOptions& o) {
  if (holdsVolumes(o.file)) return volumeCheck(o.run, o.file, o.limit);
  if (isFileOfPrisms(o.file)) return prismCheck(o.run, o.file);
  const Context& context = o.run.context();
  const SceneReadSettings scenes = o.scene.settings(o.read.scale);
  const Result<Input> input = readInput(o.file, o.read, context, &scenes);
  if (!input.ok()) return o.run.fail(input.error());
  if (!o.against.empty() && !input->world) {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      "--against compares a world with an environment; FILE is not a world");
  }
  if (input->scene) {
    o.run.finishProgress();
    return checkScene(o, *input->scene);
  }
  Json found = Json::array();
  const auto add = [&](const char* kind, Vec2 place, const std::string& message) {
    o.run.say(fmt::format("{} at ({:.4f}, {:.4f}): {}", kind, place.x, place.y, message));
    found.push_back({{"kind", kind}, {"place", {place.x, place.y}}, {"message", message}});
  };
  // A world is held against its own environment, or against the one that is named.
  Result<Environment> environment = input->world ? input->world->environment() : *input->environment;
  if (!o.against.empty()) environment = readEnvironment(o.against, o.read, context);
  if (!environment.ok()) return o.run.fail(environment.error());
  o.run.finishProgress();
  for (const Violation& violation : validate(*environment, o.limit)) {
    add(violationName(violation.kind), violation.place, violation.message);
  }
  if (input->world && found.empty()) {
    const NavMesh& mesh = input->world->mesh();
    std::vector<MeshFault> faults = checkMesh(mesh, &*environment, o.limit);
    // The medial axis is proved on the cells, so they come first.
    if (faults.empty()) faults = checkMedialAxis(mesh, *environment, o.limit);
    for (const MeshFault& fault : faults) add(faultName(fault.kind), fault.place, fault.message);
    // What is stored with the world.
    if (const auto table = loadTable(o.file, *input->world); !table.ok() && table.error().code != ErrorCode::kEmpty) {
      add("table", {}, table.error().message);
    }
    if (const auto prisms = loadPrisms(o.file); !prisms.ok() && prisms.error().code != ErrorCode::kEmpty) {
      add("prisms", {}, prisms.error().message);
    }
  }
  const bool right = found.empty();
  Json answer{{"ok", right}, {"file", o.file}, {"faults", found}};
  if (!right) {
    o.run.say(
        fmt::format("{}: {} fault(s){}", o.file, found.size(), found.size() >= o.limit ? " shown, perhaps more" : ""));
  } else if (input->world) {
    if (const Status status = sayWorld(o, input->world->mesh(), *environment, answer); !status.ok()) {
      return o.run.fail(status.error());
    }
  } else {
    o.run.say(fmt::format("{}: right", o.file));
  }
  o.run.print(answer);
  return right ? kOk : kFailed;
}

}  // namespace

void addCheck(Program& program) {
  auto o = std::make_shared<CheckOptions>();
  Command command = program.line.addCommand(
      "check", "say whether a scene, an environment, a world or a file of volumes or prisms is right");
  command.addOption("FILE", o->file, "scene, environment, world, volumes or prisms").required();
  command.addOption("--against", o->against,
                    "another environment to hold the mesh of a world against, instead of its own");
  command.addOption("--limit", o->limit, "faults to show at most").check(range(1, 1000000)).showDefault();
  addReadOptions(command, o->read);
  addSceneOptions(command, o->scene);
  o->run.addCommonOptions(command);
  command.footer("Examples:\n  wend check city.env\n  wend check city.wend");
  command.onRun([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
