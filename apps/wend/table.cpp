#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct TableOptions {
  Run run;
  std::string world;
  std::string output;
  std::string metric = "shortest";
  std::vector<std::string> goals;
  double radius = 0;
  double megabytes = 1024;
};

HopMetric metricOf(const std::string& name) {
  for (const HopMetric metric : {HopMetric::kManhattan, HopMetric::kEuclid}) {
    if (name == metricName(metric)) return metric;
  }
  return HopMetric::kShortest;
}

int run(TableOptions& o) {
  const Result<Input> input = readInput(o.world, {}, o.run.context());
  if (!input.ok()) return o.run.fail(input.error());
  if (!input->world) {
    return o.run.fail(ErrorCode::kFormat,
                      fmt::format("'{}' has no mesh; bake it first: wend bake {} -o FILE.wend", o.world, o.world));
  }
  const NavMesh& mesh = input->world->mesh();
  NextHopSettings settings;
  settings.metric = metricOf(o.metric);
  settings.radius = o.radius;
  settings.maxBytes = static_cast<size_t>(o.megabytes * (1 << 20));
  const Locator locator(mesh);
  for (const std::string& text : o.goals) {
    const Result<Place> place = parsePlace(text);
    if (!place.ok()) return o.run.fail(place.error());
    const CellId cell = locator.locate(*place);
    if (cell == kNone) {
      return o.run.fail(ErrorCode::kNotOnMesh, fmt::format("the goal {} is on no cell; move it onto the mesh", text));
    }
    settings.goals.push_back(cell);
  }
  Stopwatch watch;
  const Result<NextHopTable> table = NextHopTable::build(mesh, settings, o.run.context());
  if (!table.ok()) return o.run.fail(table.error());
  const double seconds = watch.seconds();
  const Result<PrismGrid> prisms = loadPrisms(o.world);  // they stay with the world
  if (const Status status = saveWorldWithTable(*input->world, *table, o.output); !status.ok()) {
    return o.run.fail(status.error());
  }
  if (prisms.ok()) {
    if (const Status status = attachPrisms(*prisms, o.output); !status.ok()) return o.run.fail(status.error());
  }
  o.run.finishProgress();
  o.run.say(fmt::format("{}: next hops from {} cells to {} goals, {} byte each, {:.3f} MiB, made in {:.3f} s, hash {}",
                        o.output, table->cellCount(), table->goalCount(), table->entryBytes(),
                        static_cast<double>(table->memory()) / (1 << 20), seconds, hexHash(table->hash())));
  o.run.print({{"ok", true},
               {"file", o.output},
               {"cells", table->cellCount()},
               {"goals", table->goalCount()},
               {"entry_bytes", table->entryBytes()},
               {"bytes", table->memory()},
               {"seconds", seconds},
               {"hash", hexHash(table->hash())}});
  return kOk;
}

}  // namespace

void addTable(Program& program) {
  auto o = std::make_shared<TableOptions>();
  Command command = program.line.addCommand("table", "store the next hop towards goals with a world");
  command.addOption("WORLD", o->world, "world file, FILE.wend").required();
  command.addOption("-o,--output", o->output, "world file to write, with its table").required();
  command.addOption("--goal", o->goals, "x,y or x,y,z in metres; may be repeated; without it, every cell is a goal")
      .oneValueEach();
  command.addOption("--metric", o->metric, "cost from the centre of a cell to the next")
      .check(oneOf({"shortest", "euclid", "manhattan"}))
      .showDefault();
  command.addOption("--radius", o->radius, "portals that a disk of this radius cannot pass are closed, metres")
      .check(range(0.0, 100.0))
      .showDefault();
  command.addOption("--megabytes", o->megabytes, "a larger table is refused").check(positive()).showDefault();
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend table city.wend -o city.wend\n"
      "  wend table city.wend --goal 5,5 --goal 495,250 --radius 0.3 -o exits.wend\n"
      "  wend path city.wend --table --from 5,5 --to 495,495");
  command.onRun([o, &program] { program.exitCode = o->run.guarded(o->output, {}, [&] { return run(*o); }); });
}

}  // namespace wend::app
