#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "crowd/crowd_impl.h"
#include "planning/clearance/distances.h"

// The world of a crowd, and what becomes of the agents when it changes.
namespace wend {

Status Crowd::Impl::setWorld(Navigator given) {
  if (given.mesh().empty()) {
    return Error{ErrorCode::kEmpty, "a crowd needs a mesh with at least one cell"};
  }
  navigator = std::move(given);
  const NavMesh& mesh = navigator.mesh();
  ground = Ground(mesh);
  locator = Locator(mesh);
  flatHeight.clear();
  for (const HeightField& field : mesh.info().layerHeights) {
    flatHeight.push_back(field.flat() ? field.base : std::numeric_limits<double>::quiet_NaN());
  }
  meshHash = wend::hash(mesh);
  density = std::make_unique<DensityMap>(mesh);
  for (Motion& motion : agents.motion) motion.densityCell = kNone;
  workers.clear();
  setRegions(navigator.world().environment());
  return Done{};
}

void Crowd::Impl::adoptWorld(Impl& other) {
  navigator = std::move(other.navigator);
  profiles = std::move(other.profiles);
  settings = other.settings;
  ground = std::move(other.ground);
  meshHash = other.meshHash;
  locator = std::move(other.locator);
  flatHeight = std::move(other.flatHeight);
  seam = other.seam;
  density = std::move(other.density);
  density->clear();
  regions = std::move(other.regions);
  regionCosts = std::move(other.regionCosts);
  weighted = std::move(other.weighted);
}

// Labelled regions cost memory and time; they are read only if a profile uses them.
void Crowd::Impl::setRegions(const Environment& environment) {
  weighted.clear();
  regionCosts.clear();
  regions.reset();
  const auto usesRegions = [](const CrowdProfile& profile) {
    return profile.route == RouteMethod::kWeighted || profile.route == RouteMethod::kFastest ||
           !profile.regionCost.empty();
  };
  if (std::none_of(profiles.begin(), profiles.end(), usesRegions)) return;
  regions = std::make_shared<const RegionField>(environment);
  for (const CrowdProfile& profile : profiles) {
    std::map<std::string, double> costs = profile.regionCost;
    if (profile.route == RouteMethod::kFastest) {
      // Seconds per metre, over those where nothing slows down.
      costs.clear();
      for (const auto& [label, factor] : profile.regionSpeed) costs[label] = 1 / factor;
    }
    regionCosts.emplace_back(regions, costs);
  }
}

namespace {

// Where agents of the old world may stand in the new one.
class Refuge {
 public:
  Refuge(const Ground& before, const Locator& beforeLocator, const Ground& now, const Locator& nowLocator)
      : before_(before), beforeLocator_(beforeLocator), now_(now), nowLocator_(nowLocator) {}

  // The same place if it is still free, else the nearest one that the agent could have walked to before; false if there
  // is none within kReach. `height` is the agent's, metres.
  bool find(const AgentPlace& old, double height, double radius, AgentPlace& place, NearWalls& walls,
            WallFloodScratch& scratch) const {
    if (settle(old.at, height, old.cell, place, radius, walls, scratch)) return true;
    struct Candidate {
      double distance;
      Point at;
    };
    std::vector<Candidate> candidates;
    const double r = radius / now_.unit() + 2;
    const Vec2 x = toVec2(old.at);
    for (const GroundWall& wall : now_.walls()) {
      const Vec2 foot = closestOnSegment(x, wall.a, wall.b);
      const Vec2 p{foot.x - r * wall.along.y, foot.y + r * wall.along.x};
      const double distance = length(p - x);
      if (distance * now_.unit() > kReach) continue;
      candidates.push_back(
          {distance, {static_cast<int32_t>(std::lround(p.x)), static_cast<int32_t>(std::lround(p.y))}});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.at < b.at;
    });
    for (const Candidate& candidate : candidates) {
      if (settle(candidate.at, height, old.cell, place, radius, walls, scratch)) return true;
    }
    return false;
  }

 private:
  static constexpr double kReach = 20;  // metres

  bool settle(Point at, double height, CellId oldCell, AgentPlace& place, double radius, NearWalls& walls,
              WallFloodScratch& scratch) const {
    const Vec2 metres = now_.mesh().lattice().toMetres(at);
    const Vec3 p{metres.x, metres.y, height};
    const CellId cell = nowLocator_.locate(p);
    if (cell == kNone || !now_.holds(cell, at)) return false;
    const CellId was = beforeLocator_.locate(p);
    if (was == kNone || before_.componentOf(was) != before_.componentOf(oldCell)) return false;
    place = {at, cell};
    walls = {};
    move(now_, {}, radius, place, walls, scratch);
    // Squeezed in is worse than a little farther away.
    return clearanceAt(now_, walls, toVec2(place.at)) >= 0.5 * radius;
  }

  const Ground& before_;
  const Locator& beforeLocator_;
  const Ground& now_;
  const Locator& nowLocator_;
};

}  // namespace

Status Crowd::setNavigator(Navigator navigator, const Context& given) {
  Impl& s = *impl_;
  if (navigator.mesh().lattice() != s.ground.mesh().lattice()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the new mesh has a lattice of {} m, the crowd lives on one of {} m; use the same unit",
                             navigator.mesh().lattice().unit, s.ground.unit())};
  }
  // A change is never left half done.
  Context context;
  context.threads = given.threads;
  struct Moved {
    double height = 0;
    AgentPlace place;
    bool isFound = false;
  };
  std::vector<Moved> moved(s.agents.size());
  s.eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) moved[i].height = s.placeOf(i).z;
  });
  const Ground before = s.ground;
  const Locator beforeLocator = s.locator;
  if (Status status = s.setWorld(std::move(navigator)); !status.ok()) return status;
  const Refuge refuge(before, beforeLocator, s.ground, s.locator);
  s.eachBlock(context, [&](size_t, uint32_t begin, uint32_t end) {
    CrowdWorkers::Lease worker(s.workers);
    for (uint32_t i = begin; i < end; ++i) {
      const AgentPlace old{s.agents.at(i), s.agents.cell[i]};
      moved[i].isFound = refuge.find(old, moved[i].height, s.agents.radius[i], moved[i].place, s.agents.motion[i].walls,
                                     worker->flood);
    }
  });
  std::vector<AgentId> removed;
  for (uint32_t i = 0; i < s.agents.size(); ++i) {
    if (!moved[i].isFound) {
      removed.push_back(s.agents.id[i]);
      s.events.push_back({CrowdEventKind::kRemoved, s.agents.id[i]});
      continue;
    }
    const AgentPlace& place = moved[i].place;
    if (place.at != s.agents.at(i)) s.events.push_back({CrowdEventKind::kDisplaced, s.agents.id[i]});
    s.agents.x[i] = place.at.x;
    s.agents.y[i] = place.at.y;
    s.agents.cell[i] = place.cell;
    AgentRecord& record = s.recordAt(i);
    record.route.clear();
    if (record.state != RouteState::kNone) record.state = RouteState::kWanted;
  }
  for (const AgentId agent : removed) s.erase(s.slotOf(agent));
  s.statesValid = false;
  return Done{};
}

}  // namespace wend
