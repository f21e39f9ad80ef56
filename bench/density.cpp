#include "planning/density/density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"
#include "crowd/follow/follow.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"

// The density experiments of van Toll's dissertation (2017), chapter 9.
//   bench_density blocks [RATES] [WEIGHTS] [PERIODS] [SECONDS] [THREADS]
// A flow through the Blocks world: RATES people per second (comma separated) enter at the bottom and leave at the top,
// all with the same density weight, planning again every PERIODS seconds (0: never). Measured from gate to gate, for
// those who pass the first one after 100 s and the second one before the end. Prints CSV: what came in, who waits
// outside for room, who finished, time, distance and speed (mean and deviation), the densest class seen, a hash.
//   bench_density city [AGENTS] [VIEWS] [QUERIES]
// The time of planning a path again in the City, by viewing distance: path alone, and with its route.
//   bench_density follow [AGENTS] [STEPS]
// The time of route following per agent and step in the City, by method and navigator.
namespace wend {
namespace {

std::vector<double> numbers(std::span<char*> arguments, size_t i, const char* otherwise) {
  std::vector<double> out;
  for (const char* at = arguments.size() > i ? arguments[i] : otherwise; *at != 0;) {
    char* end = nullptr;
    out.push_back(std::strtod(at, &end));
    if (end == at) break;
    at = *end == ',' ? end + 1 : end;
  }
  return out;
}

// Mean and deviation of numbers added one by one.
struct Moments {
  double count = 0, sum = 0, squares = 0;
  void add(double v) {
    ++count;
    sum += v;
    squares += v * v;
  }
  double mean() const { return count > 0 ? sum / count : 0; }
  double deviation() const { return count > 0 ? std::sqrt(std::max(0.0, squares / count - mean() * mean())) : 0; }
};

// Empty if the environment cannot be made.
Navigator navigatorOf(const MakeSettings& make) {
  const Result<Environment> environment = makeEnvironment(make);
  if (!environment.ok()) return {};
  const Result<World> world = bake(*environment, {.generator = "ecm"});
  return world.ok() ? makeNavigator(*world) : Navigator();
}

// --- Blocks ---------------------------------------------------------------------------------------------------------

struct Flow {
  double rate = 30;  // people per second
  double weight = 1;
  double period = 5;  // s
  double seconds = 500;
  int threads = 2;
};

constexpr double kEntryGate = 8;  // y, metres: L_S above the bay where people start
constexpr double kExitGate = 92;  // y: L_G below the bay where they go
constexpr double kWarmUp = 100;   // s

struct Walker {
  AgentId id = kNone;
  double entered = -1;  // s, at the first gate
  double walked = 0;    // m since then
  Vec3 last;
};

class BlocksFlow {
 public:
  BlocksFlow(const Navigator& navigator, const Flow& flow) : flow_(flow), crowd_(made(navigator, flow)), random_(7) {}

  void run() {
    Context context;
    context.threads = flow_.threads;
    const double step = crowd_.settings().step;
    const auto steps = static_cast<uint64_t>(std::llround(flow_.seconds / step));
    const double begin = wallSeconds();
    for (uint64_t i = 0; i < steps; ++i) {
      enter(i, step);
      crowd_.step(context);
      observe();
    }
    const double passed = wallSeconds() - begin;
    fmt::print("{},{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.3f},{:.3f},{:.3f},{},{:.0f},{:016x}\n", flow_.rate,
               flow_.weight, flow_.period, entered_, waiting_, times_.count, times_.mean(), times_.deviation(),
               lengths_.mean(), lengths_.deviation(), speeds_.mean(), speeds_.deviation(), densest_, crowd_.size(),
               passed, crowd_.hash());
    std::fflush(stdout);
  }

 private:
  static Crowd made(const Navigator& navigator, const Flow& flow) {
    CrowdProfile profile;
    profile.clearance = 5;
    profile.densityWeight = flow.weight;
    profile.replanEvery = flow.period;
    return Crowd::make(navigator, {profile}, {}).value();
  }

  // Everyone has a place of their own: who finds none now waits outside.
  void enter(uint64_t frame, double step) {
    const auto before = static_cast<uint64_t>(static_cast<double>(frame) * step * flow_.rate);
    const auto after = static_cast<uint64_t>(static_cast<double>(frame + 1) * step * flow_.rate);
    waiting_ += after - before;
    std::vector<Vec3> near;
    for (const AgentState& a : crowd_.agents()) {
      if (a.position.y < kEntryGate) near.push_back(a.position);
    }
    while (waiting_ > 0) {
      AgentStart start;
      bool placed = false;
      for (int attempt = 0; attempt < 50 && !placed; ++attempt) {
        start.at = {random_.real(11, 39), random_.real(0.5, 7.5), 0};
        placed = std::none_of(near.begin(), near.end(),
                              [&](Vec3 p) { return std::hypot(p.x - start.at.x, p.y - start.at.y) < 0.49; });
      }
      if (!placed) return;
      start.goal = {random_.real(10, 40), random_.real(93, 99), 0};
      const Result<AgentId> id = crowd_.add(start);
      if (!id.ok()) continue;
      const Vec3 at{start.at.x, start.at.y, 0};
      walkers_.push_back({*id, -1, 0, at});
      near.push_back(at);
      --waiting_;
      ++entered_;
    }
  }

  void observe() {
    const double now = crowd_.time();
    std::vector<AgentId> gone;
    size_t next = 0;
    for (const AgentState& a : crowd_.agents()) {
      while (next < walkers_.size() && walkers_[next].id < a.id) ++next;
      if (next == walkers_.size()) break;
      Walker& w = walkers_[next];
      if (w.id != a.id) continue;
      if (w.entered >= 0) w.walked += std::hypot(a.position.x - w.last.x, a.position.y - w.last.y);
      if (w.entered < 0 && a.position.y >= kEntryGate) w.entered = now;
      w.last = a.position;
      if (a.position.y < kExitGate) continue;
      gone.push_back(a.id);
      if (w.entered < kWarmUp) continue;
      times_.add(now - w.entered);
      lengths_.add(w.walked);
      speeds_.add(w.walked / std::max(now - w.entered, 1e-9));
    }
    if (crowd_.frame() % 10 == 0 && now > kWarmUp) {
      for (const AgentState& a : crowd_.agents()) densest_ = std::max(densest_, crowd_.densityAt(a.id));
    }
    for (const AgentId id : gone) crowd_.remove(id);
    std::erase_if(walkers_, [&](const Walker& w) { return std::binary_search(gone.begin(), gone.end(), w.id); });
  }

  Flow flow_;
  Crowd crowd_;
  Random random_;
  std::vector<Walker> walkers_;  // by id
  uint64_t entered_ = 0;
  uint64_t waiting_ = 0;
  Moments times_;
  Moments lengths_;
  Moments speeds_;
  double densest_ = 0;
};

int blocks(std::span<char*> arguments) {
  const auto navigator = navigatorOf({.kind = "blocks", .parameters = {{"layout", 2}}});
  if (navigator.mesh().empty()) return 1;
  fmt::print(
      "rate,weight,period_s,entered,waiting,finished,time_s,time_sd,distance_m,distance_sd,speed_ms,speed_sd,"
      "densest,inside,clock_s,hash\n");
  const std::vector<double> seconds = numbers(arguments, 5, "500");
  const std::vector<double> threads = numbers(arguments, 6, "2");
  for (const double rate : numbers(arguments, 2, "15,30")) {
    for (const double period : numbers(arguments, 4, "0,5")) {
      for (const double weight : numbers(arguments, 3, "0,1,3,5,10,20")) {
        Flow flow;
        flow.rate = rate;
        flow.weight = weight;
        flow.period = period;
        flow.seconds = seconds.front();
        flow.threads = static_cast<int>(threads.front());
        BlocksFlow(navigator, flow).run();
      }
    }
  }
  return 0;
}

// --- City -----------------------------------------------------------------------------------------------------------

Vec3 freePlace(const Navigator& navigator, Random& random, PlanScratch& scratch) {
  while (true) {
    const Vec3 p{random.real(0, 500), random.real(0, 500), 0};
    const auto wall = navigator.nearestObstacle(p, scratch);
    if (wall && wall->distance > 0.3) return p;
  }
}

// Half of the people spread at random, the others in a few crowds, as after some time of walking.
void fill(DensityMap& map, const Navigator& navigator, size_t agents, Random& random, PlanScratch& scratch) {
  for (size_t i = 0; i < agents / 2; ++i) {
    const Vec3 p = freePlace(navigator, random, scratch);
    map.add(map.cellOf(navigator.locate(p)), DensityMap::areaOf(0.24));
  }
  constexpr size_t kInCrowd = 100;
  for (size_t i = 0; i < agents / 2; i += kInCrowd) {
    const uint32_t cell = map.cellOf(navigator.locate(freePlace(navigator, random, scratch)));
    map.add(cell, static_cast<DensityMap::Covered>(kInCrowd) * DensityMap::areaOf(0.24));
  }
}

int city(std::span<char*> arguments) {
  MakeSettings make;
  make.kind = "city";
  make.parameters = {{"edition", 2}};
  const auto navigator = navigatorOf(make);
  if (navigator.mesh().empty()) return 1;
  const auto agents = static_cast<size_t>(numbers(arguments, 2, "10000").front());
  const auto queries = static_cast<int>(numbers(arguments, 4, "2000").front());
  fmt::print("view_m,queries,vertices,expanded,path_us,route_us,kept,changed\n");
  for (const double view : numbers(arguments, 3, "0.1,100,200,350,500,100000")) {
    DensityMap before(navigator.mesh());
    DensityMap after(navigator.mesh());
    PlanScratch scratch;
    Random random(5);
    fill(before, navigator, agents, random, scratch);
    fill(after, navigator, agents, random, scratch);
    DensityView seen;
    seen.weight = 10;
    seen.view = view;
    struct Row {
      double queries = 0, expanded = 0, path = 0, route = 0, vertices = 0, kept = 0, changed = 0;
    };
    std::array<Row, 4> rows;  // by the number of vertices: below 15, 30, 60, and more
    for (int i = 0; i < queries; ++i) {
      PathQuery query;
      query.from = freePlace(navigator, random, scratch);
      query.to = freePlace(navigator, random, scratch);
      query.radius = 0.24;
      query.clearance = 4;
      query.density = &seen;
      seen.map = &before;
      Route route;
      if (navigator.plan(query, scratch, route) != PathStatus::kFound) continue;
      // 10 s later: 14 m further on the route, the crowd as it is then.
      double left = 14;
      for (size_t k = 1; k < route.points.size() && left > 0; ++k) {
        const Vec3 a = route.points[k - 1];
        const Vec3 b = route.points[k];
        const double d = std::hypot(b.x - a.x, b.y - a.y);
        const double t = d > left ? left / d : 1;
        query.from = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), 0};
        left -= d;
      }
      seen.map = &after;
      const size_t vertices = route.path.size();
      Row& row = rows[vertices < 15 ? 0 : vertices < 30 ? 1 : vertices < 60 ? 2 : 3];
      constexpr int kRepeats = 5;
      double least = 1e9;
      bool changed = false;
      Route copy;
      // The old way always stays: what is left is the path.
      seen.hysteresis = 1;
      for (int r = 0; r < kRepeats; ++r) {
        copy = route;
        const double start = threadSeconds();
        (void)navigator.replan(query, scratch, copy, changed);
        least = std::min(least, threadSeconds() - start);
      }
      row.expanded += static_cast<double>(scratch.expanded);
      row.path += least;
      seen.hysteresis = 0.05;
      least = 1e9;
      for (int r = 0; r < kRepeats; ++r) {
        copy = route;
        const double start = threadSeconds();
        (void)navigator.replan(query, scratch, copy, changed);
        least = std::min(least, threadSeconds() - start);
      }
      row.route += least;
      row.vertices += static_cast<double>(vertices);
      ++row.queries;
      ++(changed ? row.changed : row.kept);
    }
    for (const Row& row : rows) {
      if (row.queries == 0) continue;
      fmt::print("{},{},{:.0f},{:.1f},{:.2f},{:.2f},{},{}\n", view, row.queries, row.vertices / row.queries,
                 row.expanded / row.queries, 1e6 * row.path / row.queries, 1e6 * row.route / row.queries, row.kept,
                 row.changed);
    }
    std::fflush(stdout);
  }
  return 0;
}

// --- Following ------------------------------------------------------------------------------------------------------

// Everyone walks by the preferred velocity alone; only follow() is timed.
int following(std::span<char*> arguments) {
  MakeSettings make;
  make.kind = "city";
  make.parameters = {{"edition", 2}};
  const Result<Environment> environment = makeEnvironment(make);
  const auto agents = static_cast<size_t>(numbers(arguments, 2, "2000").front());
  const auto steps = static_cast<int>(numbers(arguments, 3, "50").front());
  fmt::print("navigator,method,agents,steps,us_per_agent_step,lost\n");
  for (const bool ecm : {true, false}) {
    const Navigator navigator =
        makeNavigator(bake(*environment, {.generator = ecm ? "ecm" : "hertel-mehlhorn"}).value());
    PlanScratch scratch;
    Random random(3);
    std::vector<Route> routes;
    while (routes.size() < agents) {
      PathQuery query;
      query.from = freePlace(navigator, random, scratch);
      query.to = freePlace(navigator, random, scratch);
      query.radius = 0.24;
      query.clearance = ecm ? 4 : 0.5;
      Route route;
      if (navigator.plan(query, scratch, route) == PathStatus::kFound) routes.push_back(std::move(route));
    }
    for (const FollowMethod method : {FollowMethod::kIrm, FollowMethod::kMiran, FollowMethod::kWaypoints}) {
      std::vector<FollowState> states(agents);
      std::vector<FollowInput> inputs(agents);
      for (size_t i = 0; i < agents; ++i) {
        inputs[i].position = routes[i].points.front();
        inputs[i].cell = navigator.locate(inputs[i].position);
        inputs[i].radius = 0.24;
        inputs[i].speed = 1.4;
        inputs[i].maxStep = 0.14;
      }
      std::vector<FollowResult> results(agents);
      double seconds = 0;
      uint64_t lost = 0;
      for (int step = 0; step < steps; ++step) {
        const double start = threadSeconds();
        for (size_t i = 0; i < agents; ++i) {
          results[i] = follow(method, navigator, inputs[i], routes[i], states[i], scratch);
        }
        seconds += threadSeconds() - start;
        for (size_t i = 0; i < agents; ++i) {
          lost += results[i].status == FollowStatus::kLost ? 1 : 0;
          const Vec2 from{inputs[i].position.x, inputs[i].position.y};
          const Vec2 to{from.x + 0.1 * results[i].preferred.x, from.y + 0.1 * results[i].preferred.y};
          const StraightWay way = navigator.straightWay(inputs[i].cell, from, to, 0, scratch);
          if (way.cell == kNone) continue;
          inputs[i].position = {to.x, to.y, 0};
          inputs[i].cell = way.cell;
        }
      }
      fmt::print("{},{},{},{},{:.3f},{}\n", ecm ? "ecm" : "mesh", methodName(method), agents, steps,
                 1e6 * seconds / static_cast<double>(agents) / steps, lost);
      std::fflush(stdout);
    }
  }
  return 0;
}

int main(std::span<char*> arguments) {
  if (arguments.size() > 1 && std::strcmp(arguments[1], "follow") == 0) return following(arguments);
  if (arguments.size() > 1 && std::strcmp(arguments[1], "city") == 0) return city(arguments);
  return blocks(arguments);
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  return wend::main({argv, static_cast<size_t>(argc)});
}
