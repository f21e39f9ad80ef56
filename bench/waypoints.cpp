#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <wend/crowd.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "base/random.h"
#include "planning/disk/disk_navigator.h"

// Dynamic way points against the middles of portals. R. Oliva, N. Pelechano: Clearance for diversity of agents' sizes
// in navigation meshes (2015): 200 agents that walk around a donut in one direction, and agents between random places
// of a cross with obstacles, on a NEOGEN mesh.
//   bench_waypoints [SECONDS]
// Prints CSV: contacts are pairs of bodies that begin to overlap by more than a millimetre, per minute; flow is how
// many agents pass a line across the ring per minute (donut), or reach their goals (cross).
namespace wend {
namespace {

constexpr double kRadius = 0.5;  // m
constexpr Vec2 kCentre{20, 20};  // of the donut

struct Setting {
  const char* world;
  size_t agents;
  AvoidMethod avoid;
  FollowMethod follow;
};

struct Outcome {
  double contacts = 0;  // per minute
  double flow = 0;
  double speed = 0;  // m/s
  double stuck = 0;  // share of agents slower than a tenth of their speed, mean over frames
  uint64_t hash = 0;
};

double angleOf(const Vec3& p) {
  return std::atan2(p.y - kCentre.y, p.x - kCentre.x);
}

// Pairs that touch now and did not in the frame before.
class Contacts {
 public:
  void look(std::span<const AgentState> agents) {
    constexpr double kDeep = 1e-3;
    std::map<std::pair<AgentId, AgentId>, bool> now;
    for (size_t i = 0; i < agents.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const double dx = agents[i].position.x - agents[j].position.x;
        const double dy = agents[i].position.y - agents[j].position.y;
        if (std::hypot(dx, dy) < 2 * kRadius - kDeep) now[{agents[j].id, agents[i].id}] = true;
      }
    }
    for (const auto& [pair, touch] : now) begun_ += touch && before_.find(pair) == before_.end() ? 1 : 0;
    before_ = std::move(now);
  }
  size_t begun() const { return begun_; }

 private:
  std::map<std::pair<AgentId, AgentId>, bool> before_;
  size_t begun_ = 0;
};

class Run {
 public:
  Run(const Setting& setting, uint64_t seed) : setting_(setting), random_(seed) {
    environment_ = *makeEnvironment({setting.world, {}, 1, {}});
    GenerateSettings settings;
    settings.generator = "neogen";
    navigator_ = makeNavigator(bake(environment_, settings).value());
    CrowdProfile profile;
    profile.follow = setting.follow;
    profile.avoid = setting.avoid;
    profile.stream = false;
    profile.clearance = 0;
    profile.densityWeight = 0;
    Result<Crowd> made = Crowd::make(navigator_, {profile}, {});
    crowd_.emplace(std::move(made).value());
  }

  Outcome go(double seconds) {
    const bool ring = std::string_view(setting_.world) == "donut";
    while (crowd_->size() < setting_.agents) {
      AgentStart start;
      start.at = place();
      start.radius = kRadius;
      start.goal = ring ? ahead({start.at.x, start.at.y, 0}) : place();
      start.goalRadius = ring ? 3 : 1;
      (void)crowd_->add(start);
    }
    size_t passed = 0;
    const auto next = [&](Crowd& crowd, const CrowdEvent& event) {
      const AgentState* agent = crowd.find(event.agent);
      if (event.kind != CrowdEventKind::kGoalReached || agent == nullptr) return;
      passed += ring ? 0 : 1;
      crowd.setGoal(event.agent, ring ? ahead(agent->position) : place(), ring ? 3 : 1);
    };
    const auto warmUp = static_cast<int>(20 / crowd_->settings().step);
    const auto frames = static_cast<int>(seconds / crowd_->settings().step);
    for (int i = 0; i < warmUp; ++i) crowd_->step(context_, next);
    passed = 0;
    Contacts contacts;
    Outcome outcome;
    std::map<AgentId, double> before;
    for (int i = 0; i < frames; ++i) {
      crowd_->step(context_, next);
      contacts.look(crowd_->agents());
      for (const AgentState& agent : crowd_->agents()) {
        const double speed = std::hypot(agent.velocity.x, agent.velocity.y);
        outcome.speed += speed;
        outcome.stuck += speed < 0.14 ? 1 : 0;
        const double angle = angleOf(agent.position);
        const auto last = before.find(agent.id);
        if (ring && last != before.end() && last->second < 0 && angle >= 0 && angle < 1) ++passed;
        before[agent.id] = angle;
      }
    }
    const double all = static_cast<double>(frames) * static_cast<double>(setting_.agents);
    outcome.contacts = static_cast<double>(contacts.begun()) * 60 / seconds;
    outcome.flow = static_cast<double>(passed) * 60 / seconds;
    outcome.speed /= all;
    outcome.stuck /= all;
    outcome.hash = crowd_->hash();
    return outcome;
  }

 private:
  Vec3 place() {
    const Box box = boundingBox(environment_);
    for (;;) {
      const Vec2 p =
          environment_.lattice.toMetres(Vec2{random_.real(box.min.x, box.max.x), random_.real(box.min.y, box.max.y)});
      const Vec3 at{p.x, p.y, 0};
      if (navigator_.locate(at) == kNone) continue;
      const auto wall = navigator_.nearestObstacle(at, scratch_);
      if (wall && wall->distance > 1.2 * kRadius) return at;
    }
  }
  // A quarter of the ring farther, at the same distance from its middle.
  static Vec3 ahead(const Vec3& p) {
    const double angle = angleOf(p) + std::numbers::pi / 2;
    const double radius = std::clamp(std::hypot(p.x - kCentre.x, p.y - kCentre.y), 13.0, 19.0);
    return {kCentre.x + radius * std::cos(angle), kCentre.y + radius * std::sin(angle), 0};
  }

  Setting setting_;
  Random random_;
  Environment environment_;
  Navigator navigator_;
  std::optional<Crowd> crowd_;
  PlanScratch scratch_;
  Context context_;
};

int runAll(double seconds) {
  fmt::print("world,agents,avoid,follow,contacts_per_minute,flow_per_minute,mean_speed,standing,hash\n");
  for (const auto& [world, counts] :
       {std::pair<const char*, std::vector<size_t>>{"donut", {50, 100, 150, 200}}, {"cross", {75, 125, 175, 225}}}) {
    for (const AvoidMethod avoid : {AvoidMethod::kNone, AvoidMethod::kVision}) {
      for (const size_t agents : counts) {
        for (const FollowMethod follow : {FollowMethod::kCentres, FollowMethod::kWaypoints}) {
          const Outcome o = Run({world, agents, avoid, follow}, 1).go(seconds);
          fmt::print("{},{},{},{},{:.0f},{:.0f},{:.3f},{:.3f},{:016x}\n", world, agents, methodName(avoid),
                     methodName(follow), o.contacts, o.flow, o.speed, o.stuck, o.hash);
          std::fflush(stdout);
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  return wend::runAll(seconds > 0 ? seconds : 60);
}
