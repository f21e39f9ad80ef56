#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <wend/metrics.h>
#include <wend/navigator.h>
#include <wend/route.h>

#include <fmt/format.h>

#include "base/random.h"
#include "metrics/random_places.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "planning/point/point_planner.h"

namespace wend {
namespace {

// Relative. Answers that change within this share of the radius depend on rounding and do not count as errors.
constexpr double kCritical = 1e-6;

Status checkSettings(const PathSettings& s) {
  const auto invalid = [](std::string message) { return Error{ErrorCode::kInvalidSettings, std::move(message)}; };
  if (s.queries < 1 || s.queries > 1000000) return invalid("path metrics take 1 to 1000000 queries");
  if (s.radii.size() > 32) return invalid("path metrics take at most 32 radii");
  for (const double r : s.radii) {
    if (!(r > 0) || !std::isfinite(r)) return invalid(fmt::format("radius {} is not a positive number of metres", r));
  }
  if (!(s.sharpTurn >= 0 && s.sharpTurn <= 180)) return invalid("a sharp turn is one of 0 to 180 degrees");
  return Done{};
}

// Bends of a route and how many are sharper than a limit.
struct Turns {
  uint32_t all = 0;
  uint32_t sharp = 0;
};
Turns turnsOf(const Route& route, double sharp) {
  Turns turns;
  for (size_t i = 1; i + 1 < route.points.size(); ++i) {
    const Vec3 a = route.points[i - 1];
    const Vec3 b = route.points[i];
    const Vec3 c = route.points[i + 1];
    const Vec2 u{b.x - a.x, b.y - a.y};
    const Vec2 v{c.x - b.x, c.y - b.y};
    const double angle = std::abs(std::atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y)) * 180 / std::numbers::pi;
    turns.all += angle > 1e-6 ? 1 : 0;
    turns.sharp += angle > sharp ? 1 : 0;
  }
  return turns;
}

class PathMeasure {
 public:
  PathMeasure(const NavMesh& mesh, const NavMesh& truth, const PathSettings& settings, const Context& context)
      : settings_(settings), context_(context), truth_(truth), trueDisks_(truth), mesh_(mesh) {
    if (mesh.corridorMap() != nullptr) {
      if (auto made = CorridorNavigator::make(mesh); made.ok()) disks_ = *made;
    }
    if (disks_ == nullptr) disks_ = std::make_shared<DiskNavigator>(mesh);
  }

  Result<PathMetrics> run() {
    const RandomPlaces places(truth_.mesh());
    Random random(settings_.seed);
    for (const double r : settings_.radii) result_.radii.push_back({r, 0, 0, 0, 0, 0, 0});
    sums_.resize(settings_.radii.size());
    for (uint32_t i = 0; i < settings_.queries; ++i) {
      context_.report("paths", static_cast<double>(i) / settings_.queries);
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "measuring was cancelled"};
      PathQuery query;
      query.from = places.pick(random);
      query.to = places.pick(random);
      const double shortest = measurePoint(query);
      if (!result_.supported) return PathMetrics{.supported = false};
      for (size_t k = 0; k < settings_.radii.size(); ++k) measureDisk(query, k, shortest);
    }
    finish();
    return std::move(result_);
  }

 private:
  // The true shortest length, or a negative number.
  double measurePoint(PathQuery query) {
    ++result_.asked;
    query.method = PathMethod::kPolyanya;
    const bool possible = truth_.plan(query, scratch_, route_) == PathStatus::kFound;
    const double shortest = possible ? route_.length : -1;
    result_.possible += possible ? 1 : 0;

    const PathStatus polyanya = mesh_.plan(query, scratch_, route_);
    const double polyanyaLength = route_.length;
    query.method = PathMethod::kAStar;
    PathStatus searched = mesh_.plan(query, scratch_, route_);
    if (searched == PathStatus::kUnsupported) searched = disks_->plan(query, scratch_, route_);
    if (searched == PathStatus::kUnsupported) {
      result_.supported = false;
      return shortest;
    }
    const bool found = searched == PathStatus::kFound;
    if (possible && !found) ++result_.missed;
    if (!possible && found) ++result_.wrong;
    if (!possible || !found || shortest <= 0) return shortest;
    if (polyanya == PathStatus::kFound) shortestRatios_.push_back(polyanyaLength / shortest);
    searchedRatios_.push_back(route_.length / shortest);
    const Turns turns = turnsOf(route_, settings_.sharpTurn);
    turns_.push_back(turns.all);
    sharpTurns_.push_back(turns.sharp);
    return shortest;
  }

  void measureDisk(PathQuery query, size_t index, double shortest) {
    RadiusMetrics& m = result_.radii[index];
    query.radius = m.radius * (1 - kCritical);
    const bool smaller = trueDisks_.reachable(query, scratch_) == PathStatus::kFound;
    query.radius = m.radius * (1 + kCritical);
    const bool larger = trueDisks_.reachable(query, scratch_) == PathStatus::kFound;
    if (smaller != larger) return;
    query.radius = m.radius;
    const PathStatus status = disks_->plan(query, scratch_, route_);
    if (status == PathStatus::kUnsupported) return;
    ++m.asked;
    m.possible += larger ? 1 : 0;
    const bool found = status == PathStatus::kFound;
    if (larger && !found) ++m.missed;
    if (!larger && found) ++m.wrong;
    if (!larger || !found || shortest <= 0) return;
    ++sums_[index].count;
    sums_[index].ratio += route_.length / shortest;
    sums_[index].clearance += route_.clearance;
  }

  void finish() {
    result_.shortest = statisticsOf(shortestRatios_);
    result_.searched = statisticsOf(searchedRatios_);
    result_.turns = statisticsOf(turns_);
    result_.sharpTurns = statisticsOf(sharpTurns_);
    for (size_t i = 0; i < sums_.size(); ++i) {
      if (sums_[i].count == 0) continue;
      result_.radii[i].lengthRatio = sums_[i].ratio / sums_[i].count;
      result_.radii[i].clearance = sums_[i].clearance / sums_[i].count;
    }
  }

  struct Sum {
    uint32_t count = 0;
    double ratio = 0;
    double clearance = 0;
  };
  const PathSettings& settings_;
  const Context& context_;
  PointPlanner truth_;
  DiskNavigator trueDisks_;
  PointPlanner mesh_;
  std::shared_ptr<const RadiusNavigator> disks_;
  PlanScratch scratch_;
  Route route_;
  std::vector<double> shortestRatios_, searchedRatios_, turns_, sharpTurns_;
  std::vector<Sum> sums_;
  PathMetrics result_;
};

}  // namespace

Result<PathMetrics> measurePaths(const NavMesh& mesh, const NavMesh& truth, const PathSettings& settings,
                                 const Context& context) {
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  if (const Status status = checkTruth(mesh, truth); !status.ok()) return status.error();
  if (truth.empty()) return PathMetrics{};
  return PathMeasure(mesh, truth, settings, context).run();
}

}  // namespace wend
