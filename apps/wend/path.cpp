#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "command.h"
#include "query_file.h"

namespace wend::app {
namespace {

struct PathOptions {
  Run run;
  std::string world;
  std::string from;
  std::string to;
  std::string queries;
  std::string output;
  std::string method = "best";
  double radius = 0;
  double clearance = 0;
  std::optional<double> side;
};

struct Answer {
  PathStatus status = PathStatus::kUnreachable;
  double length = 0;
  double clearance = 0;
  double microseconds = 0;
  uint64_t expanded = 0;
  size_t points = 0;
};

Json pointsJson(const Route& route) {
  Json points = Json::array();
  for (const Vec3 p : route.points) points.push_back({p.x, p.y, p.z});
  return points;
}

int single(PathOptions& o, const Navigator& navigator, PathQuery query) {
  const Result<Place> from = parsePlace(o.from);
  if (!from.ok()) return o.run.fail(from.error());
  const Result<Place> to = parsePlace(o.to);
  if (!to.ok()) return o.run.fail(to.error());
  query.from = *from;
  query.to = *to;
  PlanScratch scratch;
  Route route;
  navigator.plan(query, scratch, route);  // warms the scratch memory, so that the time below is that of a query
  const Stopwatch watch;
  const PathStatus status = navigator.plan(query, scratch, route);
  const double microseconds = watch.seconds() * 1e6;
  if (status != PathStatus::kFound) return o.run.fail(noRoute(status, query));
  const std::string kept = route.clearance > 0 ? fmt::format(", {:.4f} m from obstacles", route.clearance) : "";
  o.run.say(fmt::format("found: {:.4f} m{}, {} points, {} cells, {:.1f} microseconds", route.length, kept,
                        route.points.size(), route.cells.size(), microseconds));
  for (const Vec3 p : route.points) o.run.say(fmt::format("  {:.4f}, {:.4f}, {:.4f}", p.x, p.y, p.z));
  o.run.print({{"ok", true},
               {"found", true},
               {"length", route.length},
               {"clearance", route.clearance},
               {"points", pointsJson(route)},
               {"cells", route.cells},
               {"expanded", scratch.expanded},
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
        answer.status = navigator.plan(queries[i], scratch, route);
        answer.microseconds = watch.seconds() * 1e6;
        answer.expanded = scratch.expanded;
        if (answer.status == PathStatus::kFound) {
          answer.length = route.length;
          answer.clearance = route.clearance;
          answer.points = route.points.size();
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

int batch(PathOptions& o, const Navigator& navigator, const PathQuery& base) {
  Result<std::vector<PathQuery>> queries = readQueries(o.queries);
  if (!queries.ok()) return o.run.fail(queries.error());
  for (PathQuery& query : *queries) {
    query.method = base.method;
    query.clearance = base.clearance;
    query.side = base.side;
    if (query.radius == 0) query.radius = base.radius;
  }
  const Context& context = o.run.context();
  const Stopwatch watch;
  const std::vector<Answer> answers = answerAll(o, navigator, *queries, context);
  const double seconds = watch.seconds();
  if (context.cancelled()) return o.run.fail(ErrorCode::kCancelled, "stopped; nothing was written");

  std::string csv = "query,status,length,clearance,points,expanded,microseconds\n";
  size_t found = 0;
  double total = 0;
  uint64_t hash = 0;
  Json rows = Json::array();
  for (size_t i = 0; i < answers.size(); ++i) {
    const Answer& a = answers[i];
    csv += fmt::format("{},{},{},{},{},{},{:.2f}\n", i, statusName(a.status), a.length, a.clearance, a.points,
                       a.expanded, a.microseconds);
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
                      {"microseconds", a.microseconds}});
    }
  }
  o.run.finishProgress();
  if (!o.output.empty()) {
    if (const Status status = writeFile(o.output, csv); !status.ok()) return o.run.fail(status.error());
  } else if (!o.run.json) {
    fmt::print("{}", csv);
  }
  if (!o.run.quiet) {
    fmt::print(stderr, "{} queries, {} found, {:.2f} m in all, {:.3f} s ({:.0f} per second), hash {}\n", answers.size(),
               found, total, seconds, static_cast<double>(answers.size()) / seconds, hexHash(hash));
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
  for (const PathMethod method :
       {PathMethod::kPolyanya, PathMethod::kAStar, PathMethod::kDisk, PathMethod::kCorridor}) {
    if (name == methodName(method)) return method;
  }
  return PathMethod::kBest;
}

int run(PathOptions& o) {
  const bool one = !o.from.empty() && !o.to.empty();
  if (one == !o.queries.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "give --from and --to, or --queries FILE.csv");
  }
  PathQuery query;
  query.radius = o.radius;
  query.clearance = o.clearance;
  query.side = o.side;
  query.method = methodOf(o.method);
  const Result<Input> input = readInput(o.world, {}, o.run.context());
  if (!input.ok()) return o.run.fail(input.error());
  if (!input->world) {
    return o.run.fail(ErrorCode::kFormat,
                      fmt::format("'{}' is an environment without a mesh; bake it first: wend bake {} -o FILE.wend",
                                  o.world, o.world));
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
  CLI::App* command = program.app.add_subcommand("path", "plan routes in a world");
  command->add_option("WORLD", o->world, "world file, FILE.wend")->required();
  command->add_option("--from", o->from, "start: x,y or x,y,z in metres");
  command->add_option("--to", o->to, "goal: x,y or x,y,z in metres");
  command->add_option("--queries", o->queries,
                      "CSV of queries: from_x, from_y, [from_z,] to_x, to_y, [to_z,] [radius], with a header line");
  command->add_option("-o,--output", o->output, "with --queries: CSV file of the answers (default: standard output)");
  command->add_option("--radius", o->radius, "radius of the body, metres")->check(notNegative())->capture_default_str();
  command
      ->add_option(
          "--clearance", o->clearance,
          "distance from obstacles to keep wherever there is room (without a medial axis: on the whole way, or not "
          "at all), metres")
      ->check(notNegative())
      ->capture_default_str();
  command
      ->add_option("--side", o->side,
                   "keep to the left (-1), the middle (0) or the right (1) of the free width (needs a medial axis)")
      ->check(CLI::Range(-1.0, 1.0));
  command
      ->add_option("--method", o->method,
                   "best: chosen by mesh and radius; for a point polyanya (shortest) or astar (over cells and portals, "
                   "then the funnel); for a disk disk (cells and portals) or corridor (medial axis)")
      ->check(CLI::IsMember({"best", "polyanya", "astar", "disk", "corridor"}))
      ->capture_default_str();
  o->run.addCommonOptions(*command);
  command->footer(
      "Examples:\n  wend path city.wend --from 5,5 --to 495,495\n"
      "  wend path city.wend --from 5,5 --to 495,495 --radius 0.3 --clearance 0.5\n"
      "  wend path station.wend --from 10,10,0 --to 80,50,6 --json\n"
      "  wend path city.wend --queries queries.csv -o answers.csv");
  command->callback([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
