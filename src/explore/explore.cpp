#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <wend/game/explore.h>
#include <wend/generate.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "base/random.h"
#include "explore/obstacle_slices.h"

namespace wend {
namespace {

// Arms of the spiral are this many sights apart: every point between two arms, also at the corners, is then within
// 0.7 * sqrt 2 < 1 sights of one.
constexpr double kArms = 1.4;
// Destinations that are tried before an explorer waits for its next turn.
constexpr int kTries = 30;

double distance(Vec2 p, Vec2 q) {
  return std::hypot(p.x - q.x, p.y - q.y);
}

struct Explorer {
  uint32_t team = 0;
  Vec2 position;
  std::vector<Vec2> way;   // points ahead, the next one last
  std::vector<Vec2> tour;  // of the spiral, the next one last
};

struct Knowledge {
  std::vector<bool> known;
  uint32_t count = 0;
  double area = 0;
  Vec2 low;  // believed bounds, metres
  Vec2 high;
  bool found = true;    // something to mesh since the last mesh
  bool blocked = true;  // of it, an obstacle: ways may be cut
  bool merged = false;
  std::vector<uint32_t> fresh;  // slices that the mesh lacks
  Vec2 meshLow;                 // bounds of the mesh
  Vec2 meshHigh;
  World world;
  Navigator navigator;
  ExploreTeam report;
};

class Exploration {
 public:
  Exploration(const Environment& truth, const ExploreSettings& settings, std::vector<ObstacleSlice> slices,
              const Context& context)
      : truth_(truth),
        settings_(settings),
        slices_(std::move(slices)),
        context_(context),
        random_(settings.seed, 0x4e) {
    const Box box = boundingBox(truth.layers.front().free);
    low_ = truth.lattice.toMetres(box.min);
    high_ = truth.lattice.toMetres(box.max);
    result_.slices = static_cast<uint32_t>(slices_.size());
    for (const ObstacleSlice& slice : slices_) result_.obstacleArea += slice.area;
  }

  Result<ExploreResult> run() {
    place();
    double nextSample = 0;
    for (uint64_t tick = 0;; ++tick) {
      const double now = static_cast<double>(tick) * settings_.step;
      result_.seconds = now;
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while exploring"};
      context_.report("explore", std::min(1.0, now / settings_.maxSeconds));
      if (const Status status = extend(); !status.ok()) return status.error();
      for (const Explorer& explorer : explorers_) look(explorer);
      for (uint32_t t = 0; t < teams_.size(); ++t) {
        if (const Status status = refresh(t); !status.ok()) return status.error();
        if (teams_[t].report.complete < 0 && teams_[t].count == slices_.size()) teams_[t].report.complete = now;
      }
      keepFrame();
      if (now >= nextSample) {
        sample(now);
        nextSample += settings_.sample;
      }
      if (isOver(now)) break;
      for (Explorer& explorer : explorers_) move(explorer);
    }
    if (result_.samples.empty() || result_.samples.back().seconds < result_.seconds) sample(result_.seconds);
    for (Knowledge& team : teams_) {
      team.report.error = errorOf(team);
      team.report.world = team.world;
      result_.teams.push_back(std::move(team.report));
    }
    return std::move(result_);
  }

 private:
  bool isFreeInTruth(Vec2 p) const {
    const Vec2 units = truth_.lattice.toUnits(p);
    return locate(truth_.layers.front().free, {static_cast<int32_t>(std::lround(units.x)),
                                               static_cast<int32_t>(std::lround(units.y))}) == Side::kInside;
  }

  // The free place nearest to the middle, on rings around it; random places for explorers that wander.
  void place() {
    const Vec2 middle{(low_.x + high_.x) / 2, (low_.y + high_.y) / 2};
    teams_.resize(settings_.teams);
    for (uint32_t i = 0; i < settings_.explorers; ++i) {
      Explorer& explorer = explorers_.emplace_back();
      explorer.team = i % settings_.teams;
      explorer.position = middle;
      if (settings_.pattern == ExplorePattern::kRandom) {
        for (int k = 0; k < 10000; ++k) {
          const Vec2 p{random_.real(low_.x, high_.x), random_.real(low_.y, high_.y)};
          explorer.position = p;
          if (isFreeInTruth(p)) break;
        }
      }
      const double reach = distance(low_, high_);
      for (double r = 0; !isFreeInTruth(explorer.position) && r < reach; r += 0.25) {
        for (int k = 0; k < 16 && !isFreeInTruth(explorer.position); ++k) {
          explorer.position = {middle.x + r * std::cos(k * 0.3927), middle.y + r * std::sin(k * 0.3927)};
        }
      }
    }
    if (settings_.pattern == ExplorePattern::kSpiral) planTours(middle);
    for (uint32_t t = 0; t < teams_.size(); ++t) {
      Knowledge& team = teams_[t];
      team.known.assign(slices_.size(), false);
      team.low = settings_.growBounds ? high_ : low_;
      team.high = settings_.growBounds ? low_ : high_;
    }
  }

  // Rings around the middle, each shared among the explorers of a team.
  void planTours(Vec2 middle) {
    const double arm = kArms * settings_.sight;
    const Vec2 half{(high_.x - low_.x) / 2, (high_.y - low_.y) / 2};
    const Vec2 last{std::max(0.0, half.x - arm / 2), std::max(0.0, half.y - arm / 2)};
    std::vector<Vec2> tour;
    const double spacing = settings_.sight / 4;
    for (int ring = 1;; ++ring) {
      const Vec2 reach{std::min(ring * arm, last.x), std::min(ring * arm, last.y)};
      const std::array<Vec2, 5> corners{{{middle.x - reach.x, middle.y - reach.y},
                                         {middle.x + reach.x, middle.y - reach.y},
                                         {middle.x + reach.x, middle.y + reach.y},
                                         {middle.x - reach.x, middle.y + reach.y},
                                         {middle.x - reach.x, middle.y - reach.y}}};
      for (size_t i = 0; i + 1 < corners.size(); ++i) {
        const double length = distance(corners[i], corners[i + 1]);
        const int parts = std::max(1, static_cast<int>(std::ceil(length / spacing)));
        for (int k = 0; k < parts; ++k) {
          const double t = static_cast<double>(k) / parts;
          tour.push_back({corners[i].x + t * (corners[i + 1].x - corners[i].x),
                          corners[i].y + t * (corners[i + 1].y - corners[i].y)});
        }
      }
      tour.push_back(corners[0]);
      if (reach.x >= last.x && reach.y >= last.y) break;
    }
    const size_t perTeam = (explorers_.size() + teams_.size() - 1) / teams_.size();
    for (size_t i = 0; i < explorers_.size(); ++i) {
      const size_t part = i / teams_.size();
      const size_t begin = tour.size() * part / perTeam;
      const size_t end = tour.size() * (part + 1) / perTeam;
      explorers_[i].tour.assign(tour.rbegin() + static_cast<std::ptrdiff_t>(tour.size() - end),
                                tour.rbegin() + static_cast<std::ptrdiff_t>(tour.size() - begin));
    }
  }

  // Requests the parts beyond those ends of the world that an explorer sees.
  Status extend() {
    if (!settings_.more) return Done{};
    for (size_t e = 0; e < explorers_.size(); ++e) {
      const Vec2 p = explorers_[e].position;
      const std::array<double, 4> apart{p.x - low_.x, p.y - low_.y, high_.x - p.x, high_.y - p.y};
      for (size_t side = 0; side < apart.size(); ++side) {
        if (isEnd_[side] || apart[side] > settings_.sight) continue;
        if (const Status status = addPart(side); !status.ok()) return status;
      }
    }
    return Done{};
  }

  // Sides: towards smaller x, smaller y, larger x, larger y.
  Status addPart(size_t side) {
    const auto axis = side % 2 == 0 ? &Vec2::x : &Vec2::y;
    Vec2 low = low_;
    Vec2 high = high_;
    if (side < 2) {
      high.*axis = low.*axis;
      low.*axis -= settings_.part;
    } else {
      low.*axis = high.*axis;
      high.*axis += settings_.part;
    }
    const Result<Point> from = truth_.lattice.snap(low);
    const Result<Point> to = truth_.lattice.snap(high);
    const std::optional<Environment> made = from.ok() && to.ok() ? settings_.more(low, high) : std::nullopt;
    if (!made) {
      isEnd_[side] = true;
      return Done{};
    }
    if (made->layers.size() != 1 || made->lattice.unit != truth_.lattice.unit) {
      return Error{ErrorCode::kUnsupported, "a part of the world must have one layer and the lattice of the others"};
    }
    Result<std::vector<ObstacleSlice>> slices = sliceObstacles(*made, Box{*from, *to}, settings_.slice);
    if (!slices.ok()) return slices.error();
    (side < 2 ? low_ : high_) = side < 2 ? low : high;
    for (ObstacleSlice& slice : *slices) {
      result_.obstacleArea += slice.area;
      slices_.push_back(std::move(slice));
    }
    result_.slices = static_cast<uint32_t>(slices_.size());
    for (Knowledge& team : teams_) {
      team.known.resize(slices_.size(), false);
      team.report.complete = -1;
      if (settings_.growBounds) continue;  // they grow when an explorer sees more
      team.low = low_;
      team.high = high_;
      team.found = true;
    }
    return Done{};
  }

  void look(const Explorer& explorer) {
    Knowledge& team = teams_[explorer.team];
    if (settings_.growBounds) {
      const Vec2 p = explorer.position;
      const Vec2 low{std::max(low_.x, std::min(team.low.x, p.x - settings_.sight)),
                     std::max(low_.y, std::min(team.low.y, p.y - settings_.sight))};
      const Vec2 high{std::min(high_.x, std::max(team.high.x, p.x + settings_.sight)),
                      std::min(high_.y, std::max(team.high.y, p.y + settings_.sight))};
      if (!(low == team.low && high == team.high)) team.found = true;
      team.low = low;
      team.high = high;
    }
    for (uint32_t i = 0; i < slices_.size(); ++i) {
      if (team.known[i] || slices_[i].distanceTo(explorer.position, truth_.lattice) > settings_.sight) continue;
      team.known[i] = true;
      team.fresh.push_back(i);
      team.area += slices_[i].area;
      ++team.count;
      team.found = true;
      team.blocked = true;
    }
  }

  Result<Environment> believed(const Knowledge& team) const {
    EnvironmentDraft draft;
    draft.lattice = truth_.lattice;
    draft.name = truth_.name;
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = truth_.layers.front().id;
    layer.walkable.push_back({{team.low, {team.high.x, team.low.y}, team.high, {team.low.x, team.high.y}}});
    for (uint32_t i = 0; i < slices_.size(); ++i) {
      if (!team.known[i]) continue;
      Loops loops;
      const auto add = [&](const Ring& ring) {
        std::vector<Vec2>& loop = loops.emplace_back();
        for (const Point p : ring) loop.push_back(truth_.lattice.toMetres(p));
      };
      add(slices_[i].shape.outer);
      for (const Ring& hole : slices_[i].shape.holes) add(hole);
      layer.obstacles.push_back(std::move(loops));
    }
    return buildEnvironment(draft);
  }

  // What was found is put into the mesh there is, where its generator can do that.
  std::optional<World> repaired(const Knowledge& team, const Environment& environment) const {
    const NavMesh& mesh = team.world.mesh();
    if (mesh.empty() || !(team.low == team.meshLow && team.high == team.meshHigh)) return std::nullopt;
    GenerateSettings settings;
    settings.generator = mesh.info().generator;
    const GeneratorInfo* info = findGenerator(settings.generator);
    if (info == nullptr || !info->inPlace) return std::nullopt;
    ChangedArea changed;
    for (const uint32_t i : team.fresh) {
      changed.boxes.push_back({0, boundingBox(std::span<const Point>(slices_[i].shape.outer))});
    }
    Result<MeshUpdate> update = updateMesh(mesh, team.world.environment(), environment, changed, settings);
    if (!update.ok() || !update->inPlace) return std::nullopt;
    Result<World> world = World::of(environment, std::move(update->mesh));
    if (!world.ok()) return std::nullopt;
    return *std::move(world);
  }

  // After a find the mesh is repaired, or made anew quickly; larger cells are made when there is time.
  Status refresh(uint32_t index) {
    Knowledge& team = teams_[index];
    if (!team.found && team.merged) return Done{};
    GenerateSettings generate;
    generate.generator = team.found ? settings_.quickGenerator : settings_.idleGenerator;
    Result<Environment> environment = team.found ? believed(team) : team.world.environment();
    if (!environment.ok()) return environment.error();
    if (team.found && settings_.record && index == 0) {
      result_.believed.emplace_back(static_cast<uint32_t>(result_.frames.size()), *environment);
    }
    std::optional<World> local = team.found ? repaired(team, *environment) : std::nullopt;
    if (local) {
      team.world = *std::move(local);
      ++team.report.repairs;
    } else {
      Result<World> world = bake(*std::move(environment), generate);
      if (!world.ok()) return world.error();
      team.world = *std::move(world);
      ++(team.found ? team.report.quickMeshes : team.report.idleMeshes);
      team.merged = !team.found || settings_.quickGenerator == settings_.idleGenerator;
    }
    team.navigator = makeNavigator(team.world);
    team.meshLow = team.low;
    team.meshHigh = team.high;
    for (Explorer& explorer : explorers_) {
      // Ways stay as they are while only the bounds grow.
      if (explorer.team == index && team.found && team.blocked) explorer.way.clear();
    }
    team.fresh.clear();
    team.found = false;
    team.blocked = false;
    return Done{};
  }

  double errorOf(const Knowledge& team) const {
    if (team.count == slices_.size()) return 0;
    return result_.obstacleArea > 0 ? std::max(0.0, 1 - team.area / result_.obstacleArea) : 0;
  }

  void sample(double now) {
    for (uint32_t t = 0; t < teams_.size(); ++t) {
      result_.samples.push_back({now, t, errorOf(teams_[t]), teams_[t].count, teams_[t].world.mesh().cellCount()});
    }
  }

  void keepFrame() {
    if (!settings_.record) return;
    std::vector<Vec2>& frame = result_.frames.emplace_back();
    for (const Explorer& explorer : explorers_) frame.push_back(explorer.position);
  }

  bool isOver(double now) const {
    if (now >= settings_.maxSeconds) return true;
    const bool all =
        std::all_of(teams_.begin(), teams_.end(), [](const Knowledge& t) { return t.report.complete >= 0; });
    // A spiral goes to its end: before that, more may be left.
    if (settings_.pattern == ExplorePattern::kRandom) {
      // More may come where no explorer has looked yet.
      if (settings_.more && !std::all_of(isEnd_.begin(), isEnd_.end(), [](bool end) { return end; })) return false;
      return all && std::all_of(teams_.begin(), teams_.end(),
                                [&](const Knowledge& t) { return t.low == low_ && t.high == high_; });
    }
    return std::all_of(explorers_.begin(), explorers_.end(),
                       [](const Explorer& e) { return e.tour.empty() && e.way.empty(); });
  }

  // Plans to a place; false if it cannot be reached in what the team believes.
  bool planTo(Explorer& explorer, Vec2 goal) {
    const Navigator& navigator = teams_[explorer.team].navigator;
    const PathQuery query{.from = explorer.position, .to = goal};
    if (navigator.plan(query, scratch_, route_) != PathStatus::kFound) return false;
    explorer.way.clear();
    for (size_t i = route_.points.size(); i > 1; --i) {
      explorer.way.push_back({route_.points[i - 1].x, route_.points[i - 1].y});
    }
    return true;
  }

  void chooseWay(Explorer& explorer) {
    if (settings_.pattern == ExplorePattern::kSpiral) {
      while (explorer.way.empty() && !explorer.tour.empty()) {
        planTo(explorer, explorer.tour.back());  // what is blocked is left out
        // After a find the way is planned again to the same point, so it stays until it is reached.
        if (!explorer.way.empty()) return;
        explorer.tour.pop_back();
      }
      return;
    }
    const Knowledge& team = teams_[explorer.team];
    for (int k = 0; k < kTries; ++k) {
      const Vec2 goal{random_.real(team.low.x, team.high.x), random_.real(team.low.y, team.high.y)};
      if (planTo(explorer, goal)) return;
    }
  }

  void move(Explorer& explorer) {
    double left = settings_.speed * settings_.step;
    while (left > 0) {
      if (explorer.way.empty()) chooseWay(explorer);
      if (explorer.way.empty()) return;
      const Vec2 goal = explorer.way.back();
      const double length = distance(explorer.position, goal);
      if (length <= left) {
        explorer.position = goal;
        explorer.way.pop_back();
        if (explorer.way.empty() && !explorer.tour.empty() && distance(goal, explorer.tour.back()) < 1e-6) {
          explorer.tour.pop_back();
        }
        left -= length;
        if (length == 0 && explorer.way.empty() && settings_.pattern == ExplorePattern::kRandom) return;
        continue;
      }
      explorer.position = {explorer.position.x + left / length * (goal.x - explorer.position.x),
                           explorer.position.y + left / length * (goal.y - explorer.position.y)};
      return;
    }
  }

  const Environment& truth_;
  const ExploreSettings& settings_;
  std::vector<ObstacleSlice> slices_;
  const Context& context_;
  Random random_;
  Vec2 low_;
  Vec2 high_;
  std::array<bool, 4> isEnd_{};  // sides on which nothing more comes
  std::vector<Explorer> explorers_;
  std::vector<Knowledge> teams_;
  PlanScratch scratch_;
  Route route_;
  ExploreResult result_;
};

std::optional<Error> checkSettings(const ExploreSettings& s) {
  const auto bad = [](std::string sentence) {
    return std::optional<Error>(Error{ErrorCode::kInvalidSettings, std::move(sentence)});
  };
  if (s.explorers < 1 || s.explorers > 1000)
    return bad(fmt::format("{} explorers; there must be 1 to 1000", s.explorers));
  if (s.teams < 1 || s.teams > s.explorers)
    return bad(fmt::format("{} teams of {} explorers; each needs one", s.teams, s.explorers));
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  if (!within(s.sight, 0.1, 10000)) return bad(fmt::format("the sight is {} m; it must be 0.1 to 10000 m", s.sight));
  if (!(s.speed > 0 && s.speed <= 100))
    return bad(fmt::format("the speed is {} m/s; it must be above 0 and at most 100", s.speed));
  if (!(s.step > 0 && s.speed * s.step < s.sight)) {
    return bad(fmt::format("in {} s an explorer walks {} m and sees {} m: the step must be shorter", s.step,
                           s.speed * s.step, s.sight));
  }
  if (!within(s.slice, 0.1, 10000)) return bad(fmt::format("the slice is {} m; it must be 0.1 to 10000 m", s.slice));
  if (!(s.maxSeconds > 0) || !(s.sample >= s.step))
    return bad("the time must be above 0, and a sample no shorter than a step");
  if (s.more && (s.pattern != ExplorePattern::kRandom || !(s.part >= 1)))
    return bad("parts on demand are at least 1 m wide and for explorers that wander");
  for (const std::string& name : {s.quickGenerator, s.idleGenerator}) {
    const GeneratorInfo* info = findGenerator(name);
    if (info != nullptr && !info->traits.disjoint) {
      return bad(
          fmt::format("explorers need cells that share portals, and those of '{}' overlap and share none", name));
    }
  }
  if (s.maxSeconds / s.step > 1e7) return bad("more than ten million steps; choose longer ones");
  return std::nullopt;
}

}  // namespace

Result<ExploreResult> explore(const Environment& environment, const ExploreSettings& settings, const Context& context) {
  if (auto error = checkSettings(settings)) return *std::move(error);
  if (environment.layers.size() != 1) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the environment has {} layers; explorers know one only", environment.layers.size())};
  }
  if (environment.layers.front().free.empty()) return Error{ErrorCode::kEmpty, "the environment has no free space"};
  Result<std::vector<ObstacleSlice>> slices = sliceObstacles(environment, settings.slice);
  if (!slices.ok()) return slices.error();
  return Exploration(environment, settings, *std::move(slices), context).run();
}

}  // namespace wend
