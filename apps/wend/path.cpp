#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "command.h"
#include "mesh/separate_cells.h"
#include "path/path_queries.h"
#include "prism/prism_commands.h"
#include "process/streams.h"
#include "query_file.h"
#include "volume_commands.h"

namespace wend::app {
namespace {

struct PathOptions {
  Run run;
  std::string world;
  std::string from;
  std::string to;
  std::string queries;
  std::string output;
  bool table = false;
  bool prisms = false;
  std::string method = "best";
  double radius = 0;
  double clearance = 0;
  std::optional<double> side;
  double snap = 0;
  bool partial = false;
  QuerySettings other;  // a query that is no route
};

struct Answer {
  PathStatus status = PathStatus::kUnreachable;
  double length = 0;
  double clearance = 0;
  double microseconds = 0;
  uint64_t expanded = 0;
  size_t points = 0;
  double startMoved = 0;
  double goalMoved = 0;
  double missing = 0;
  Json fields;  // of a query that is no route
  bool found = false;
};

Json pointsJson(const Route& route) {
  Json points = Json::array();
  for (const Vec3 p : route.points) points.push_back({p.x, p.y, p.z});
  return points;
}

// Beside routes: one answer, as lines or as JSON.
int other(PathOptions& o, const Navigator& navigator, const PathQuery& query) {
  PlanScratch scratch;
  const QueryAnswer answer = answerQuery(navigator, o.other, query, 0, scratch);
  if (!answer.found && o.other.kind != "cost") {
    return o.run.fail(ErrorCode::kNotOnMesh,
                      "the place is off the mesh, too near a wall for the disk, or nothing is within reach");
  }
  for (const auto& [name, value] : answer.fields.items()) {
    if (!value.is_array() || value.size() <= 3) o.run.say(fmt::format("{}: {}", name, value.dump()));
  }
  Json object{{"ok", true}, {"query", o.other.kind}};
  object.update(answer.fields);
  o.run.print(object);
  return kOk;
}

int failWithReason(PathOptions& o, const Navigator& navigator, const PathQuery& query, PathStatus status,
                   PlanScratch& scratch) {
  const NoRoute why = navigator.explain(query, scratch);
  const Error error = noRoute(why, status, query);
  if (!o.run.json) return o.run.fail(error);
  printError(fmt::format("wend {}: {}\n", o.run.commandName, error.message));
  Json object{{"ok", false}, {"error", errorName(error.code)}, {"message", error.message}};
  object.update(reasonJson(why));
  o.run.print(object);
  return error.code == ErrorCode::kInvalidSettings ? kUsage : kFailed;
}

int single(PathOptions& o, const Navigator& navigator, PathQuery query) {
  const Result<Place> from = parsePlace(o.from);
  if (!from.ok()) return o.run.fail(from.error());
  query.from = *from;
  query.to = *from;
  if (!o.to.empty()) {
    const Result<Place> to = parsePlace(o.to);
    if (!to.ok()) return o.run.fail(to.error());
    query.to = *to;
  }
  if (!o.other.kind.empty()) return other(o, navigator, query);
  PlanScratch scratch;
  Route route;
  navigator.plan(query, scratch, route);  // warms the scratch memory, so that the time below is that of a query
  const Stopwatch watch;
  const PathStatus status = navigator.plan(query, scratch, route);
  const double microseconds = watch.seconds() * 1e6;
  if (status != PathStatus::kFound) return failWithReason(o, navigator, query, status, scratch);
  const std::string kept = route.clearance > 0 ? fmt::format(", {:.4f} m from obstacles", route.clearance) : "";
  o.run.say(fmt::format("found: {:.4f} m{}, {} points, {} cells, {:.1f} microseconds", route.length, kept,
                        route.points.size(), route.cells.size(), microseconds));
  if (route.startMoved > 0) o.run.say(fmt::format("start moved by {:.4f} m", route.startMoved));
  if (route.goalMoved > 0) o.run.say(fmt::format("goal moved by {:.4f} m", route.goalMoved));
  if (route.partial) o.run.say(fmt::format("partial: the goal is {:.4f} m away from the end", route.missing));
  for (const Vec3 p : route.points) o.run.say(fmt::format("  {:.4f}, {:.4f}, {:.4f}", p.x, p.y, p.z));
  o.run.print({{"ok", true},
               {"found", true},
               {"length", route.length},
               {"clearance", route.clearance},
               {"points", pointsJson(route)},
               {"cells", route.cells},
               {"expanded", scratch.expanded},
               {"start_moved", route.startMoved},
               {"goal_moved", route.goalMoved},
               {"partial", route.partial},
               {"missing", route.missing},
               {"microseconds", microseconds}});
  return kOk;
}

// Each thread answers every k-th block of queries with its own scratch; answers stand in the order of the queries.
std::vector<Answer> answerAll(const PathOptions& o, const Navigator& navigator, const std::vector<PathQuery>& queries,
                              const Context& context) {
  std::vector<Answer> answers(queries.size());
  std::atomic<size_t> next{0};
  constexpr size_t kBlock = 64;
  const auto work = [&](bool reporting) {
    PlanScratch scratch;
    Route route;
    while (!context.cancelled()) {
      const size_t begin = next.fetch_add(kBlock);
      if (begin >= queries.size()) break;
      if (reporting) context.report("path", static_cast<double>(begin) / static_cast<double>(queries.size()));
      for (size_t i = begin; i < std::min(begin + kBlock, queries.size()); ++i) {
        const Stopwatch watch;
        Answer& answer = answers[i];
        if (!o.other.kind.empty()) {
          QueryAnswer found = answerQuery(navigator, o.other, queries[i], i, scratch);
          answer.fields = std::move(found.fields);
          answer.found = found.found;
          answer.microseconds = watch.seconds() * 1e6;
          continue;
        }
        answer.status = navigator.plan(queries[i], scratch, route);
        answer.microseconds = watch.seconds() * 1e6;
        answer.expanded = scratch.expanded;
        if (answer.status == PathStatus::kFound) {
          answer.length = route.length;
          answer.clearance = route.clearance;
          answer.points = route.points.size();
          answer.startMoved = route.startMoved;
          answer.goalMoved = route.goalMoved;
          answer.missing = route.missing;
        }
      }
    }
  };
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned wanted = o.run.threads > 0 ? static_cast<unsigned>(o.run.threads) : cores;
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < wanted && t * kBlock < queries.size(); ++t) others.emplace_back([&] { work(false); });
  work(true);
  others.clear();
  return answers;
}

// Writes the table of answers to the output file, or prints it.
Status writeAnswers(PathOptions& o, const std::string& csv) {
  o.run.finishProgress();
  if (!o.output.empty()) return writeFile(o.output, csv);
  if (!o.run.json) printOut(csv);
  return Done{};
}

// Beside routes: a line per query, its lists spread over columns.
int writeOthers(PathOptions& o, const std::vector<Answer>& answers, double seconds) {
  std::string csv;
  size_t found = 0;
  Json rows = Json::array();
  for (size_t i = 0; i < answers.size(); ++i) {
    std::string header = "query,found";
    std::string line = fmt::format("{},{}", i, answers[i].found ? 1 : 0);
    for (const auto& [name, value] : answers[i].fields.items()) {
      if (name == "reached") continue;
      const bool isPlace = name == "place" || name == "point";
      const bool isVector = name == "contact" || name == "normal" || name == "direction";
      const std::vector<const char*> axes = isPlace    ? std::vector<const char*>{"_x", "_y", "_z"}
                                            : isVector ? std::vector<const char*>{"_x", "_y"}
                                                       : std::vector<const char*>{""};
      for (size_t k = 0; k < axes.size(); ++k) {
        header += "," + name + axes[k];
        const Json& part = value.is_array() ? value[k] : value;
        line += "," + (part.is_null() ? std::string() : part.dump());
      }
    }
    if (i == 0) csv = header + "\n";
    csv += line + "\n";
    found += answers[i].found ? 1 : 0;
    if (o.run.json) rows.push_back(answers[i].fields);
  }
  if (const Status status = writeAnswers(o, csv); !status.ok()) return o.run.fail(status.error());
  if (!o.run.quiet) {
    printError(fmt::format("{} queries, {} found, {:.3f} s ({:.0f} per second)\n", answers.size(), found, seconds,
                           static_cast<double>(answers.size()) / seconds));
  }
  o.run.print({{"ok", true},
               {"query", o.other.kind},
               {"queries", answers.size()},
               {"found", found},
               {"seconds", seconds},
               {"answers", rows}});
  return kOk;
}

int batch(PathOptions& o, const Navigator& navigator, const PathQuery& base) {
  Result<std::vector<PathQuery>> queries = readQueries(o.queries);
  if (!queries.ok()) return o.run.fail(queries.error());
  for (PathQuery& query : *queries) {
    query.method = base.method;
    query.clearance = base.clearance;
    query.side = base.side;
    query.snap = base.snap;
    query.partial = base.partial;
    if (query.radius == 0) query.radius = base.radius;
  }
  const Context& context = o.run.context();
  const Stopwatch watch;
  const std::vector<Answer> answers = answerAll(o, navigator, *queries, context);
  const double seconds = watch.seconds();
  if (context.cancelled()) return o.run.fail(ErrorCode::kCancelled, "stopped; nothing was written");

  if (!o.other.kind.empty()) return writeOthers(o, answers, seconds);

  std::string csv = "query,status,length,clearance,points,expanded,microseconds,start_moved,goal_moved,missing\n";
  size_t found = 0;
  double total = 0;
  uint64_t hash = 0;
  Json rows = Json::array();
  for (size_t i = 0; i < answers.size(); ++i) {
    const Answer& a = answers[i];
    csv += fmt::format("{},{},{},{},{},{},{:.2f},{},{},{}\n", i, statusName(a.status), a.length, a.clearance, a.points,
                       a.expanded, a.microseconds, a.startMoved, a.goalMoved, a.missing);
    if (a.status == PathStatus::kFound) ++found;
    total += a.length;
    hash = std::rotl(hash, 5) * 0x9e3779b97f4a7c15ULL + std::bit_cast<uint64_t>(a.length) +
           static_cast<uint64_t>(a.status);
    if (o.run.json) {
      rows.push_back({{"status", statusName(a.status)},
                      {"length", a.length},
                      {"clearance", a.clearance},
                      {"points", a.points},
                      {"expanded", a.expanded},
                      {"start_moved", a.startMoved},
                      {"goal_moved", a.goalMoved},
                      {"missing", a.missing},
                      {"microseconds", a.microseconds}});
    }
  }
  if (const Status status = writeAnswers(o, csv); !status.ok()) return o.run.fail(status.error());
  if (!o.run.quiet) {
    printError(fmt::format("{} queries, {} found, {:.2f} m in all, {:.3f} s ({:.0f} per second), hash {}\n",
                           answers.size(), found, total, seconds, static_cast<double>(answers.size()) / seconds,
                           hexHash(hash)));
  }
  o.run.print({{"ok", true},
               {"queries", answers.size()},
               {"found", found},
               {"total_length", total},
               {"seconds", seconds},
               {"hash", hexHash(hash)},
               {"answers", rows}});
  return kOk;
}

PathMethod methodOf(const std::string& name) {
  for (const PathMethod method : {PathMethod::kPolyanya, PathMethod::kAStar, PathMethod::kDisk, PathMethod::kCorridor,
                                  PathMethod::kGraph, PathMethod::kBreadth}) {
    if (name == methodName(method)) return method;
  }
  return PathMethod::kBest;
}

// By the table that is stored with the world: no search.
int byTable(PathOptions& o, const World& world) {
  const Result<NextHopTable> table = loadTable(o.world, world);
  if (!table.ok()) return o.run.fail(table.error());
  const Result<Place> from = parsePlace(o.from);
  if (!from.ok()) return o.run.fail(from.error());
  const Result<Place> to = parsePlace(o.to);
  if (!to.ok()) return o.run.fail(to.error());
  const Locator locator(world.mesh());
  const CellId start = locator.locate(*from);
  const CellId goal = locator.locate(*to);
  const PathQuery query{.from = *from, .to = *to, .radius = o.radius};
  if (start == kNone) return o.run.fail(noRoute(PathStatus::kStartOffMesh, query));
  if (goal == kNone) return o.run.fail(noRoute(PathStatus::kGoalOffMesh, query));
  const uint32_t row = table->rowOf(goal);
  if (row == kNone) {
    return o.run.fail(ErrorCode::kUnsupported,
                      fmt::format("{} is not a goal of the table, which has {}; make one with wend table --goal {}",
                                  o.to, table->goalCount(), o.to));
  }
  const Stopwatch watch;
  const Route route = fieldRoute(world.mesh(), *table, start, from->top(), row, to->top(), o.radius);
  const double microseconds = watch.seconds() * 1e6;
  if (route.points.empty()) return o.run.fail(noRoute(PathStatus::kUnreachable, query));
  o.run.finishProgress();
  o.run.say(fmt::format("{:.4f} m through {} cells by the table of next hops; {:.1f} us", route.length,
                        route.cells.size(), microseconds));
  for (const Vec3 p : route.points) o.run.say(fmt::format("  {:.4f}, {:.4f}, {:.4f}", p.x, p.y, p.z));
  o.run.print({{"ok", true},
               {"found", true},
               {"length", route.length},
               {"points", pointsJson(route)},
               {"cells", route.cells},
               {"microseconds", microseconds}});
  return kOk;
}

int run(PathOptions& o) {
  const std::string& kind = o.other.kind;
  const bool needsTo = kind.empty() || kind == "ray" || kind == "slide" || kind == "cost";
  const bool one = !o.from.empty() && (!needsTo || !o.to.empty());
  if (one == !o.queries.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      needsTo ? "give --from and --to, or --queries FILE.csv" : "give --from, or --queries FILE.csv");
  }
  if (holdsVolumes(o.world)) {
    if (one && o.radius == 0 && o.clearance == 0 && !o.side) return volumePath(o.run, o.world, o.from, o.to);
    return o.run.fail(ErrorCode::kUnsupported,
                      fmt::format("'{}' holds volumes: wend plans one path for a point through them, with --from and "
                                  "--to; for a radius, project them: wend volumes --project",
                                  o.world));
  }
  if (o.prisms || isFileOfPrisms(o.world)) {
    if (one && o.radius == 0 && o.clearance == 0 && !o.side && kind.empty()) {
      return prismPath(o.run, o.world, o.from, o.to);
    }
    return o.run.fail(ErrorCode::kUnsupported,
                      "wend plans one path for a point through prisms, with --from and --to; for a radius, bake a "
                      "world from the scene");
  }
  o.other.seed = o.run.seed;
  PathQuery query;
  query.radius = o.radius;
  query.clearance = o.clearance;
  query.side = o.side;
  query.snap = o.snap;
  query.partial = o.partial;
  query.method = methodOf(o.method);
  const Result<Input> input = readInput(o.world, {}, o.run.context());
  if (!input.ok()) return o.run.fail(input.error());
  if (!input->world) {
    return o.run.fail(ErrorCode::kFormat,
                      fmt::format("'{}' is an environment without a mesh; bake it first: wend bake {} -o FILE.wend",
                                  o.world, o.world));
  }
  if (const Status status = checkCellsAreJoined(input->world->mesh(), "a route"); !status.ok()) {
    return o.run.fail(status.error());
  }
  if (o.table) {
    if (!one) return o.run.fail(ErrorCode::kInvalidSettings, "--table needs --from and --to");
    return byTable(o, *input->world);
  }
  const Navigator navigator = makeNavigator(*input->world);
  if (query.side && !navigator.hasMedialAxis()) {
    return o.run.fail(noRoute(PathStatus::kUnsupported, query));
  }
  return one ? single(o, navigator, query) : batch(o, navigator, query);
}

}  // namespace

void addPath(Program& program) {
  auto o = std::make_shared<PathOptions>();
  Command command = program.line.addCommand("path", "plan routes in a world");
  command.addOption("WORLD", o->world, "world file, FILE.wend, volumes, FILE.wvol, or prisms, FILE.wprm").required();
  command.addOption("--from", o->from, "start: x,y or x,y,z in metres");
  command.addOption("--to", o->to, "goal: x,y or x,y,z in metres");
  command.addOption("--queries", o->queries,
                    "CSV of queries: from_x, from_y, [from_z,] to_x, to_y, [to_z,] [radius], with a header line");
  command.addOption("-o,--output", o->output, "with --queries: CSV file of the answers (default: standard output)");
  command.addOption("--radius", o->radius, "radius of the agent, metres").check(notNegative()).showDefault();
  command
      .addOption(
          "--clearance", o->clearance,
          "distance from obstacles to keep wherever there is space (without a medial axis: on the whole way, or not "
          "at all), metres")
      .check(notNegative())
      .showDefault();
  command
      .addOption("--side", o->side,
                 "keep to the left (-1), the middle (0) or the right (1) of the free width (needs a medial axis)")
      .check(range(-1.0, 1.0));
  command
      .addOption("--method", o->method,
                 "best: chosen by mesh and radius; for a point polyanya (shortest) or astar (over cells and portals, "
                 "then the funnel); for a disk disk (cells and portals) or corridor (medial axis)")
      .check(oneOf({"best", "polyanya", "astar", "disk", "corridor", "graph", "breadth"}))
      .showDefault();
  command.addFlag("--table", o->table, "follow the next hops that wend table has stored with the world");
  command.addFlag("--prisms", o->prisms, "go through the prisms that wend prisms has stored with the world");
  command
      .addOption(
          "--snap", o->snap,
          "move an end that is off the mesh or too near a wall to the nearest place where the agent fits, by up to "
          "this, metres")
      .check(notNegative())
      .showDefault();
  command.addFlag("--partial", o->partial, "if the goal cannot be reached, plan to the nearest place that can");
  Command kinds = command.addChoice("Instead of a route");
  const auto addKind = [&](const char* flag, const char* kind, const char* text) {
    kinds.addFlag(
        flag, [o, kind] { o->other.kind = kind; }, text);
  };
  addKind("--nearest", "nearest", "the nearest place to --from where the agent fits, within --reach");
  addKind("--ray", "ray", "straight from --from towards --to, until a wall stops the agent");
  addKind("--slide", "slide", "the same, then along walls as long as that leads nearer to --to");
  addKind("--wall", "wall", "the nearest wall to --from, within --reach");
  addKind("--random", "random",
          "a random place, uniform by area, that can be reached from --from; with --range one in the circle around it");
  addKind("--cost", "cost", "the length of the route alone");
  kinds.addNumber(
      "--within",
      [o](double distance) {
        o->other.kind = "within";
        o->other.distance = distance;
      },
      "the cells within this walking distance of --from, metres");
  command.addOption("--reach", o->other.reach, "how far --nearest and --wall look, metres")
      .check(notNegative())
      .showDefault();
  command.addOption("--range", o->other.range, "radius of the circle of --random, metres").check(notNegative());
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend path city.wend --from 5,5 --to 495,495\n"
      "  wend path city.wend --from 5,5 --to 495,495 --radius 0.3 --clearance 0.5\n"
      "  wend path station.wend --from 10,10,0 --to 80,50,6 --json\n"
      "  wend path city.wend --queries queries.csv -o answers.csv\n"
      "  wend path city.wend --from -1,5 --to 495,495 --radius 0.3 --snap 2 --partial\n"
      "  wend path city.wend --from 5,5 --to 495,495 --ray --radius 0.3\n"
      "  wend path city.wend --from -1,5 --nearest --radius 0.3\n"
      "  wend path city.wend --from 5,5 --within 50");
  command.onRun([o, &program] {
    program.exitCode = o->run.guarded(o->output, {o->world, o->queries}, [&] { return run(*o); });
  });
}

}  // namespace wend::app
