#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <wend/make.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"
#include "planning/corridor/axis_search.h"
#include "planning/replan/axis_replan.h"

// Re-planning after an obstacle came or went: the experiment of van Toll (2017), section 8.6.1. In each world a square
// of 2 x 2 m is inserted on the medial axis and removed again; agents of radius 0.7 m re-plan between random places, or
// from places that see the square.
//   bench_replan [SQUARES per world at most, 10] [PAIRS per square, 100] [WORLDS of the list, 6] [FIRST of them, 1]
// CSV on standard output. One row per world, kind of starts, event (insert, delete, or all) and scenario (the old path
// is affected or not). Columns:
//   share           of the trials in this scenario, percent
//   *_expanded      vertices taken from the open list, per trial: A*, ODPA* with the bounds of the source, ODPA* with
//   the
//                   tighter bounds, DPA*, local repair
//   *_us            processor time of the search alone, per trial; axis_us is the search that Navigator::plan() uses
//   gain_*          (A - D) / A in percent, A the time of A* and D that of the method; _route: with point location and
//                   the route, as Navigator::replan() does it
//   *_cost          mean cost over that of A*
//   *_worse         trials with a path that is not the shortest
//   hash            of all costs; it must not depend on the machine
namespace wend {
namespace {

constexpr double kRadius = 0.7;
constexpr double kClearance = 1.2;  // 0.5 m on top of the radius
constexpr double kSquare = 2;
constexpr int kRounds = 3;

enum Method : uint8_t { kPlain, kSource, kTight, kPruned, kRepair, kMethods };

ReplanQuery queryOf(Method method, ChangeKind kind) {
  ReplanQuery query;
  query.change = kind;
  query.bounds = method == kSource ? OdpaBounds::kSource : OdpaBounds::kTight;
  query.method = method == kPlain    ? ReplanMethod::kAStar
                 : method == kPruned ? ReplanMethod::kDpa
                 : method == kRepair ? ReplanMethod::kLocal
                                     : ReplanMethod::kOdpa;
  return query;
}

// One version of a world, ready for searches on its axis.
struct Version {
  Navigator navigator;
  CorridorGraph graph;
  explicit Version(Navigator n) : navigator(std::move(n)), graph(*navigator.world().medialAxis()) {}

  AxisPoint axisPoint(Vec3 p) const {
    const CellId cell = navigator.locate(p);
    return retract(graph, navigator.mesh().lattice().toUnits(Vec2{p.x, p.y}), graph.map().cellArc[cell]).axis;
  }
  double radius() const { return kRadius / navigator.mesh().lattice().unit; }
};

struct Trial {
  Vec3 from;
  Vec3 to;
  AxisPoint start;  // on the new axis
  AxisPoint goal;
  std::vector<uint32_t> path;  // on the old axis
  double lead = 0;
  Route route;  // of the old world
};

struct Totals {
  uint64_t trials = 0;
  std::array<uint64_t, kMethods> expanded{};
  std::array<double, kMethods> seconds{};
  std::array<double, kMethods> ratio{};
  std::array<uint64_t, kMethods> worse{};
  double axisSeconds = 0;
  double routePlain = 0;
  double routeTight = 0;
  Hash hash;

  void add(const Totals& other) {
    trials += other.trials;
    for (size_t m = 0; m < kMethods; ++m) {
      expanded[m] += other.expanded[m];
      seconds[m] += other.seconds[m];
      ratio[m] += other.ratio[m];
      worse[m] += other.worse[m];
    }
    axisSeconds += other.axisSeconds;
    routePlain += other.routePlain;
    routeTight += other.routeTight;
    hash.add(other.hash.value());
  }
};

double gain(double plain, double other) {
  return plain > 0 ? 100 * (plain - other) / plain : 0;
}

// Uniform over what is seen from a place.
Vec3 placeInView(const VisibilityPolygon& view, Vec3 eye, Random& random) {
  std::vector<double> areas;
  double sum = 0;
  const size_t count = view.points.size();
  for (size_t i = 0; i < count; ++i) {
    const Vec3& a = view.points[i];
    const Vec3& b = view.points[(i + 1) % count];
    areas.push_back(sum += std::abs((a.x - eye.x) * (b.y - eye.y) - (a.y - eye.y) * (b.x - eye.x)));
  }
  const auto i =
      static_cast<size_t>(std::upper_bound(areas.begin(), areas.end() - 1, random.real() * sum) - areas.begin());
  const Vec3& a = view.points[i];
  const Vec3& b = view.points[(i + 1) % count];
  const double s = std::sqrt(random.real());
  const double t = random.real();
  return {eye.x + s * (a.x + t * (b.x - a.x) - eye.x), eye.y + s * (a.y + t * (b.y - a.y) - eye.y), eye.z};
}

class Experiment {
 public:
  Experiment(std::string name, Environment environment, size_t squares, size_t pairs)
      : name_(std::move(name)),
        environment_(std::move(environment)),
        squares_(squares),
        pairs_(pairs),
        plain_(*versionWith({})),
        random_(19) {}

  void run() {
    for (size_t k = 0; k < squares_; ++k) {
      const Vec3 centre = placeOfSquare();
      const double h = kSquare / 2;
      const std::optional<Version> with = versionWith({{centre.x - h, centre.y - h},
                                                       {centre.x + h, centre.y - h},
                                                       {centre.x + h, centre.y + h},
                                                       {centre.x - h, centre.y + h}});
      if (!with) continue;
      event(plain_, *with, ChangeKind::kInsertion, centre);
      event(*with, plain_, ChangeKind::kDeletion, centre);
    }
    for (const bool seen : {false, true}) {
      for (const size_t kind : {0, 1, 2}) {
        const uint64_t all = totals_[seen][kind][0].trials + totals_[seen][kind][1].trials;
        for (const bool affected : {false, true}) print(seen, kind, affected, all);
      }
    }
  }

 private:
  std::optional<Version> versionWith(const std::vector<Vec2>& obstacle) const {
    Context serial;
    serial.threads = 1;
    EnvironmentDraft draft = draftOf(environment_);
    draft.truth.reset();
    if (!obstacle.empty()) draft.layers[0].obstacles.push_back({obstacle});
    Result<Environment> built = buildEnvironment(draft, serial);
    if (!built.ok()) return std::nullopt;
    Result<World> baked = bake(*std::move(built), {.generator = "ecm"}, serial);
    if (!baked.ok()) return std::nullopt;
    return Version(makeNavigator(*std::move(baked)));
  }

  bool fits(const Version& version, Vec3 p) {
    const auto wall = version.navigator.nearestObstacle(p, scratch_);
    return wall && wall->distance > kRadius;
  }
  Vec3 anyPlace() {
    const Box box = boundingBox(environment_.layers[0].free);
    const Lattice& lattice = environment_.lattice;
    for (;;) {
      const Vec2 p = lattice.toMetres(Vec2{random_.real(box.min.x, box.max.x), random_.real(box.min.y, box.max.y)});
      if (plain_.navigator.locate(Place(p)) != kNone) return {p.x, p.y, 0};
    }
  }
  // In the middle of a passage.
  Vec3 placeOfSquare() {
    for (;;) {
      const AxisPoint at = plain_.axisPoint(anyPlace());
      const Vec2 p = environment_.lattice.toMetres(at.p);
      if (at.clearance * environment_.lattice.unit > kRadius) return {p.x, p.y, 0};
    }
  }

  void event(const Version& before, const Version& after, ChangeKind kind, Vec3 centre) {
    const AxisChange change(before.navigator.world().medialAxis(), after.navigator.world().medialAxis());
    const WorldChange worldChange = WorldChange::between(before.navigator, after.navigator, kind);
    VisibilityPolygon view;
    if (!plain_.navigator.visibility(centre, 0, scratch_, view)) return;
    for (const bool seen : {false, true}) {
      std::array<std::vector<Trial>, 2> groups;  // unaffected, affected
      for (size_t i = 0, tries = 0; i < pairs_ && tries < 50 * pairs_; ++tries) {
        Trial trial;
        trial.from = seen ? placeInView(view, centre, random_) : anyPlace();
        trial.to = anyPlace();
        if (!fits(before, trial.from) || !fits(after, trial.from) || !fits(before, trial.to) ||
            !fits(after, trial.to)) {
          continue;
        }
        ++i;
        if (!prepare(before, after, trial)) continue;
        AxisReplanScratch scratch;
        findRest(after.graph, change, trial.start, trial.goal, after.radius(), {trial.path, trial.lead, true}, scratch);
        groups[scratch.old.isIntact() ? 0 : 1].push_back(std::move(trial));
      }
      for (const bool affected : {false, true}) {
        const Totals totals = measure(after, change, worldChange, kind, groups[affected ? 1 : 0]);
        totals_[seen][kind == ChangeKind::kInsertion ? 0 : 1][affected].add(totals);
        totals_[seen][2][affected].add(totals);
      }
    }
  }

  // The path before the event; false if there is none before or after it.
  bool prepare(const Version& before, const Version& after, Trial& trial) {
    PathQuery query;
    query.from = trial.from;
    query.to = trial.to;
    query.radius = kRadius;
    query.clearance = kClearance;
    query.measure = false;
    if (after.navigator.reachable(query, scratch_) != PathStatus::kFound) return false;
    if (before.navigator.plan(query, scratch_, trial.route) != PathStatus::kFound) return false;
    trial.path = trial.route.path;
    trial.lead = trial.route.pathLead / environment_.lattice.unit;
    trial.start = after.axisPoint(trial.from);
    trial.goal = after.axisPoint(trial.to);
    return true;
  }

  Totals measure(const Version& after, const AxisChange& change, const WorldChange& worldChange, ChangeKind kind,
                 const std::vector<Trial>& trials) {
    Totals totals;
    totals.trials = trials.size();
    std::vector<double> shortest(trials.size());
    ReplanReport report;
    for (size_t m = 0; m < kMethods; ++m) {
      const ReplanQuery how = queryOf(static_cast<Method>(m), kind);
      for (size_t i = 0; i < trials.size(); ++i) {
        const Trial& t = trials[i];
        replanOnAxis(after.graph, change, t.start, t.goal, after.radius(), {t.path, t.lead, true}, how, again_, report);
        const double cost = again_.path.cost;
        if (m == kPlain) shortest[i] = cost;
        totals.expanded[m] += report.expanded;
        totals.ratio[m] += shortest[i] > 0 ? cost / shortest[i] : 1;
        totals.worse[m] += cost > (1 + 1e-9) * shortest[i] ? 1 : 0;
        totals.hash.add(std::lround(cost));
      }
    }
    // In turns, the least of kRounds: others use the machine too. The clock is read twice for all trials.
    totals.seconds.fill(HUGE_VAL);
    for (int round = 0; round < kRounds; ++round) {
      for (size_t m = 0; m < kMethods; ++m) {
        const ReplanQuery how = queryOf(static_cast<Method>(m), kind);
        const double begin = threadSeconds();
        for (const Trial& t : trials) {
          replanOnAxis(after.graph, change, t.start, t.goal, after.radius(), {t.path, t.lead, true}, how, again_,
                       report);
        }
        totals.seconds[m] = std::min(totals.seconds[m], threadSeconds() - begin);
      }
    }
    QueryStamp stamp;
    CorridorSearchScratch search;
    CorridorPath path;
    uint64_t expanded = 0;
    const double begin = threadSeconds();
    for (const Trial& t : trials) {
      stamp.advance();
      searchCorridor(after.graph, t.start, t.goal, after.radius(), LengthCost{}, stamp, search, path, expanded);
    }
    totals.axisSeconds = threadSeconds() - begin;
    totals.routePlain = totals.routeTight = HUGE_VAL;
    for (int round = 0; round < kRounds; ++round) {
      const auto best = [&](double& time, ReplanMethod method) {
        time = std::min(time, routeSeconds(after, worldChange, method, trials));
      };
      best(totals.routePlain, ReplanMethod::kAStar);
      best(totals.routeTight, ReplanMethod::kOdpa);
    }
    return totals;
  }

  double routeSeconds(const Version& after, const WorldChange& change, ReplanMethod method,
                      const std::vector<Trial>& trials) {
    std::vector<Route> routes;
    for (const Trial& t : trials) routes.push_back(t.route);
    ReplanReport report;
    const double begin = threadSeconds();
    for (size_t i = 0; i < trials.size(); ++i) {
      PathQuery query;
      query.from = trials[i].from;
      query.to = trials[i].to;
      query.radius = kRadius;
      query.clearance = kClearance;
      query.measure = false;
      after.navigator.replan(query, change, method, scratch_, routes[i], report);
    }
    return threadSeconds() - begin;
  }

  void print(bool seen, size_t kind, bool affected, uint64_t all) const {
    const Totals& t = totals_[seen][kind][affected];
    if (t.trials == 0) return;
    const auto n = static_cast<double>(t.trials);
    const char* events[] = {"insert", "delete", "all"};
    std::string row = fmt::format("{},{},{},{},{},{},{},{:.2f}", name_, plain_.graph.map().vertices.size(),
                                  plain_.graph.map().edges.size(), seen ? "visible" : "random", events[kind],
                                  affected ? "affected" : "unaffected", t.trials, 100 * n / static_cast<double>(all));
    for (const uint64_t e : t.expanded) row += fmt::format(",{:.1f}", static_cast<double>(e) / n);
    for (const double s : t.seconds) row += fmt::format(",{:.2f}", 1e6 * s / n);
    row += fmt::format(",{:.2f},{:.1f},{:.1f},{:.1f}", 1e6 * t.axisSeconds / n,
                       gain(t.seconds[kPlain], t.seconds[kSource]), gain(t.seconds[kPlain], t.seconds[kTight]),
                       gain(t.routePlain, t.routeTight));
    for (const Method m : {kTight, kPruned, kRepair}) row += fmt::format(",{:.6f}", t.ratio[m] / n);
    for (const Method m : {kTight, kPruned, kRepair}) row += fmt::format(",{}", t.worse[m]);
    fmt::print("{},{:016x}\n", row, t.hash.value());
    std::fflush(stdout);
  }

  std::string name_;
  Environment environment_;
  size_t squares_;
  size_t pairs_;
  Version plain_;
  Random random_;
  PlanScratch scratch_;
  AxisReplanScratch again_;
  Totals totals_[2][3][2];  // visible, event, affected
};

int runAll(size_t squares, size_t pairs, size_t worlds, size_t first) {
  struct Kind {
    std::string name;
    MakeSettings settings;
    size_t squares;  // of the source
  };
  const std::vector<Kind> kinds = {
      {"military", {"military", {{"edition", 2}}, 1, {}}, 17},
      {"zelda", {"zelda", {{"edition", 2}}, 1, {}}, 24},
      {"city", {"city", {{"edition", 2}}, 1, {}}, 70},
      {"zelda2x2", {"zelda", {{"edition", 2}, {"tiles", 2}}, 1, {}}, 106},
      {"zelda4x4", {"zelda", {{"edition", 2}, {"tiles", 4}}, 1, {}}, 235},
      {"zelda8x8", {"zelda", {{"edition", 2}, {"tiles", 8}}, 1, {}}, 470},
  };
  fmt::print(
      "world,V,E,starts,event,scenario,trials,share,astar_expanded,source_expanded,odpa_expanded,dpa_expanded,"
      "local_expanded,astar_us,source_us,odpa_us,dpa_us,local_us,axis_us,gain_source,gain_odpa,gain_odpa_route,"
      "odpa_cost,dpa_cost,local_cost,odpa_worse,dpa_worse,local_worse,hash\n");
  for (size_t i = first - 1; i < std::min(worlds, kinds.size()); ++i) {
    Result<Environment> environment = makeEnvironment(kinds[i].settings);
    if (!environment.ok()) {
      fmt::print(stderr, "{}: {}\n", kinds[i].name, environment.error().message);
      return 1;
    }
    Experiment(kinds[i].name, *std::move(environment), std::min(squares, kinds[i].squares), pairs).run();
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int count, char** arguments) {
  const auto number = [&](int i, size_t otherwise) {
    const long long value = count > i ? std::atoll(arguments[i]) : 0;
    return value > 0 ? static_cast<size_t>(value) : otherwise;
  };
  return wend::runAll(number(1, 10), number(2, 100), number(3, 6), number(4, 1));
}
