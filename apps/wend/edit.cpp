#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "command.h"
#include "edit_text.h"

namespace wend::app {
namespace {

struct EditOptions {
  Run run;
  std::string input;
  std::string output;
  std::vector<std::string> add;
  std::vector<std::string> remove;
  std::vector<std::string> move;
  std::vector<std::string> addDoor;
  std::vector<std::string> removeDoor;
  std::vector<std::string> open;
  std::vector<std::string> shut;
  std::vector<std::string> cost;
  Stature stature;
  bool check = false;
};

// In the order of the help: what goes, what moves, what comes, then doors and costs.
Result<std::vector<Edit>> editsOf(const EditOptions& o, const World& world) {
  std::vector<Edit> edits;
  std::optional<Error> error;
  const auto add = [&](auto parsed) {
    if (parsed.ok()) {
      edits.push_back(*std::move(parsed));
    } else if (!error) {
      error = parsed.error();
    }
  };
  for (const std::string& text : o.remove) add(parseRemove(text, world));
  for (const std::string& text : o.move) add(parseMove(text, world));
  for (const std::string& text : o.add) add(parseAdd(text));
  for (const std::string& name : o.removeDoor) edits.push_back(RemoveDoor{name});
  for (const std::string& text : o.addDoor) add(parseDoor(text));
  for (const std::string& name : o.open) edits.push_back(SetDoor{name, true});
  for (const std::string& name : o.shut) edits.push_back(SetDoor{name, false});
  for (const std::string& text : o.cost) add(parseCost(text));
  if (error) return *error;
  if (edits.empty()) {
    return Error{ErrorCode::kInvalidSettings, "there is nothing to do; see wend edit --help for the edits"};
  }
  return edits;
}

double areaOf(const Environment& environment) {
  double sum = 0;
  for (const Layer& layer : environment.layers) sum += polygonArea(layer.free, environment.lattice);
  return sum;
}

// What is stored with a world in its file, and follows the edits.
struct Sections {
  std::optional<NextHopTable> table;
  NextHopUpdate hops;
  std::optional<PrismGrid> prisms;
  std::vector<std::string> notes;

  void update(const std::string& file, const World& before, const WorldUpdate& edited, const Context& context) {
    const Result<NextHopTable> old = loadTable(file, before);
    if (old.ok()) {
      Result<NextHopTable> now = old->update(before, edited, context, &hops);
      if (now.ok()) {
        table = *std::move(now);
        notes.push_back(fmt::format("next hops: {} goals, {} kept, {} searched anew", table->goalCount(), hops.kept,
                                    hops.searched));
      } else {
        notes.push_back(fmt::format("the table of next hops is left out: {}", now.error().message));
      }
    } else if (old.error().code != ErrorCode::kEmpty) {
      notes.push_back(fmt::format("the table of next hops is left out: {}", old.error().message));
    }
    if (Result<PrismGrid> stored = loadPrisms(file); stored.ok()) {
      prisms = *std::move(stored);
      notes.emplace_back("the prisms are those of the scene; edits do not change them");
    }
  }

  Status save(const World& world, const std::string& path) const {
    const Status status = table ? saveWorldWithTable(world, *table, path) : saveWorld(world, path);
    return status.ok() && prisms ? attachPrisms(*prisms, path) : status;
  }
};

Json toJson(const UpdateReport& report, const World& world) {
  const Lattice& lattice = world.environment().lattice;
  Json edits = Json::array();
  for (const EditReport& edit : report.edits) {
    Json one = {{"outcome", outcomeName(edit.outcome)}, {"layers", edit.layers}};
    if (edit.id.slot != kNone) {
      one["slot"] = edit.id.slot;
      one["generation"] = edit.id.generation;
    }
    edits.push_back(std::move(one));
  }
  Json boxes = Json::array();
  for (const ChangedArea::Box& box : report.changed.boxes) {
    const Vec2 min = lattice.toMetres(box.box.min);
    const Vec2 max = lattice.toMetres(box.box.max);
    boxes.push_back(
        {{"layer", world.environment().layers[box.layer].id}, {"min", {min.x, min.y}}, {"max", {max.x, max.y}}});
  }
  Json connections = Json::array();
  for (const ConnectionReport& c : report.connections) {
    connections.push_back({{"connection", c.base},
                           {"pieces", c.pieces},
                           {"open_length", c.openLength},
                           {"length_before", c.lengthBefore}});
  }
  return {{"version", report.version},
          {"edits", edits},
          {"boxes", boxes},
          {"connections", connections},
          {"mesh", meshChangeName(report.mesh)},
          {"reason", report.meshReason},
          {"cells_removed", report.cellsRemoved},
          {"cells_added", report.cellsAdded},
          {"notes", report.notes}};
}

int run(EditOptions& o, const Command& command) {
  Result<World> loaded = loadWorld(o.input);
  if (!loaded.ok()) return o.run.fail(loaded.error());
  const bool newStature = command.isGiven("--step") || command.isGiven("--head-room");
  if (newStature) {
    Stature stature = loaded->stature();
    if (command.isGiven("--step")) stature.step = o.stature.step;
    if (command.isGiven("--head-room")) stature.headRoom = o.stature.headRoom;
    loaded = loaded->withStature(stature);
    if (!loaded.ok()) return o.run.fail(loaded.error());
  }
  const World world = *loaded;
  const Result<std::vector<Edit>> edits = editsOf(o, world);
  if (!edits.ok()) return o.run.fail(edits.error());
  Stopwatch watch;
  const Result<WorldUpdate> update = world.apply(*edits, o.run.context());
  if (!update.ok()) return o.run.fail(update.error());
  const double seconds = watch.restart();
  const World& now = update->world;
  if (o.check) {
    std::vector<MeshFault> faults = checkMesh(now.mesh(), &now.environment(), 1);
    if (faults.empty()) faults = checkMedialAxis(now.mesh(), now.environment(), 1);
    if (!faults.empty()) {
      return o.run.fail(ErrorCode::kInternal, fmt::format("the mesh is wrong ({}): {}; nothing was written",
                                                          faultName(faults[0].kind), faults[0].message));
    }
  }
  Sections sections;
  sections.update(o.input, world, *update, o.run.context());
  if (const Status status = sections.save(now, o.output); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  const UpdateReport& report = update->report;
  const double before = areaOf(world.environment());
  const double after = areaOf(now.environment());
  o.run.say(fmt::format("{}: version {}, {} obstacles, {} doors, {:.2f} m2 walkable ({:+.2f} m2)", o.output,
                        report.version, now.obstacles().size(), now.doors().size(), after, after - before));
  o.run.say(fmt::format("mesh: {}{}, {} cells removed, {} added, {} in all; {:.3f} s", meshChangeName(report.mesh),
                        report.meshReason.empty() ? "" : fmt::format(" ({})", report.meshReason), report.cellsRemoved,
                        report.cellsAdded, now.mesh().cellCount(), seconds));
  for (const ConnectionReport& c : report.connections) {
    o.run.say(fmt::format("connection {}: {:.2f} m open before, {:.2f} m now, in {} piece(s)", c.base, c.lengthBefore,
                          c.openLength, c.pieces));
  }
  for (const std::string& note : report.notes) o.run.say(note);
  for (const std::string& note : sections.notes) o.run.say(note);
  Json object = {{"ok", true},
                 {"file", o.output},
                 {"area", after},
                 {"area_before", before},
                 {"obstacles", now.obstacles().size()},
                 {"doors", now.doors().size()},
                 {"cells", now.mesh().cellCount()},
                 {"seconds", seconds},
                 {"hash", hexHash(hash(now.environment()))}};
  object.update(toJson(report, now));
  if (sections.table) {
    object["table"] = {{"goals", sections.table->goalCount()},
                       {"kept", sections.hops.kept},
                       {"searched", sections.hops.searched},
                       {"hash", hexHash(sections.table->hash())}};
  }
  o.run.print(object);
  return kOk;
}

}  // namespace

void addEdit(Program& program) {
  auto o = std::make_shared<EditOptions>();
  Command command = program.line.addCommand("edit", "add, move and remove obstacles of a world, open and shut doors");
  command.addOption("WORLD", o->input, "world file, FILE.wend").required();
  command.addOption("-o,--output", o->output, "world file to write; may be the same").required();
  // Each stands for one edit, however many there are, so that the file may come last.
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* meaning) {
    command.addOption(name, values, meaning).oneValueEach();
  };
  list("--remove", o->remove, "an obstacle, by its name or slot number");
  list("--move", o->move, "NAME@X,Y[,Z][~DEGREES]: the new place of an obstacle");
  list("--add", o->add,
       "[NAME=]KIND:SIZES@X,Y[,Z][~DEGREES][#LAYER,...]; kinds: square:SIDE, polygon:X,Y;X,Y;..., "
       "segment:X,Y;X,Y, point, and bodies that block layers by their height: box:X,Y,Z, "
       "cylinder:RADIUS,HEIGHT, hull:X,Y,Z;X,Y,Z;...");
  list("--remove-door", o->removeDoor, "a door, by its name; it stays open");
  list("--add-door", o->addDoor, "NAME=X,Y;X,Y[#LAYER]: an open door along a line; more points: an area");
  list("--open", o->open, "open a door, by its name");
  list("--shut", o->shut, "shut a door, by its name");
  list("--cost", o->cost, "[PROFILE/]LABEL=NUMBER: what a metre in regions of the label costs");
  command.addOption("--step", o->stature.step,
                    "highest body that is stepped over, metres, for worlds without bodies [0.4]");
  command.addOption("--head-room", o->stature.headRoom, "lowest body that is passed under, metres, likewise [2]");
  command.addFlag("--check", o->check,
                  "validate the mesh and its medial axis against the environment before writing them");
  o->run.addCommonOptions(command);
  command.footer(
      "All edits are applied, or none. Obstacles and doors are known by names; free space is what is left of the "
      "base.\n\n"
      "Examples:\n"
      "  wend edit city.wend --add crate=square:2@250,250~17 -o city2.wend\n"
      "  wend edit city2.wend --move crate@255,250 --add 'fence=segment:0,0;8,3@100,80' -o city2.wend\n"
      "  wend edit tower.wend --add-door 'stairs=10,4;10,6#2' --shut stairs -o night.wend\n"
      "  wend edit city2.wend --remove crate -o city3.wend --json");
  command.onRun([o, command, &program] { program.exitCode = run(*o, command); });
}

}  // namespace wend::app
