#include "crowd/simulation/placement.h"

#include <tuple>

namespace wend {
namespace {

// Persons this far above each other do not meet.
constexpr double kStorey = 1.5;  // m
constexpr double kNear = 1.5;    // m; members of a group are placed within this of each other
constexpr int kNearTries = 60;
constexpr double kDenser = 0.97;           // a lattice without room for all is tried again with this spacing
constexpr size_t kMaxLattice = 4'000'000;  // points of a lattice

struct LatticeSpot {
  Vec2 at;
  LayerId layer;
};

// Points of a hexagonal or square lattice over the box of the area, in rows from below.
std::vector<LatticeSpot> latticeSpots(const Placing& p, double spacing) {
  std::vector<LatticeSpot> spots;
  const bool hex = p.placement != SourcePlacement::kGrid;
  const double rise = hex ? spacing * std::sqrt(3.0) / 2 : spacing;
  const LayerId first = p.area.everywhere ? 0 : p.area.layer;
  const LayerId last = p.area.everywhere ? static_cast<LayerId>(p.world.environment().layers.size() - 1) : p.area.layer;
  for (LayerId layer = first; layer <= last; ++layer) {
    size_t row = 0;
    for (double y = p.area.min.y + spacing / 2; y <= p.area.max.y; y += rise, ++row) {
      const double shift = hex && row % 2 == 1 ? spacing / 2 : 0;
      for (double x = p.area.min.x + spacing / 2 + shift; x <= p.area.max.x; x += spacing) {
        if (!p.area.contains({x, y}) || spots.size() >= kMaxLattice) continue;
        spots.push_back({{x, y}, layer});
      }
    }
  }
  return spots;
}

std::vector<Vec3> latticePlaces(const Placing& p, double spacing, double jitter, double radius,
                                const OccupiedPlaces& occupied, Random& random, PlanScratch& scratch) {
  std::vector<Vec3> places;
  for (const LatticeSpot& spot : latticeSpots(p, spacing)) {
    const Vec2 moved{spot.at.x + jitter * random.real(-1, 1), spot.at.y + jitter * random.real(-1, 1)};
    for (const Vec2 at : {moved, spot.at}) {
      const std::optional<Vec3> place = p.world.lift(at, spot.layer);
      if (!place || !p.area.contains(at, spot.layer) || !p.world.fits(*place, radius, scratch) ||
          !occupied.isFree(*place, radius, p.gap)) {
        continue;
      }
      places.push_back(*place);
      break;
    }
  }
  return places;
}

std::vector<Vec3> onLattice(const Placing& p, std::span<const double> radii, OccupiedPlaces& occupied, Random& random,
                            PlanScratch& scratch) {
  const double radius = *std::max_element(radii.begin(), radii.end());
  const double least = 2 * radius + p.gap + 1e-3;
  const double box = (p.area.max.x - p.area.min.x) * (p.area.max.y - p.area.min.y);
  double spacing = std::sqrt(2 * box / (std::sqrt(3.0) * static_cast<double>(radii.size())));
  std::vector<Vec3> places;
  while (true) {
    spacing = std::max(spacing, least);
    const double jitter = p.placement == SourcePlacement::kGrid ? 0 : (spacing - least) / 2 / std::sqrt(2.0);
    places = latticePlaces(p, spacing, jitter, radius, occupied, random, scratch);
    if (places.size() >= radii.size() || spacing == least) break;
    spacing *= kDenser;
  }
  random.shuffle(places);
  places.resize(std::min(places.size(), radii.size()));
  // Row by row: persons that follow each other in the list stand beside each other.
  if (std::any_of(p.joins.begin(), p.joins.end(), [](uint8_t joined) { return joined != 0; })) {
    std::sort(places.begin(), places.end(),
              [](Vec3 a, Vec3 b) { return std::tie(a.z, a.y, a.x) < std::tie(b.z, b.y, b.x); });
  }
  for (size_t i = 0; i < places.size(); ++i) occupied.add(places[i], radii[i]);
  return places;
}

std::optional<Vec3> placeNear(const Placing& p, Vec3 other, double radius, Random& random, PlanScratch& scratch) {
  const Vec2 at{other.x + random.real(-kNear, kNear), other.y + random.real(-kNear, kNear)};
  for (LayerId layer = 0; layer < p.world.environment().layers.size(); ++layer) {
    if (!p.area.contains(at, layer)) continue;
    const std::optional<Vec3> place = p.world.lift(at, layer);
    if (place && std::abs(place->z - other.z) < kStorey && p.world.fits(*place, radius, scratch)) return place;
  }
  return {};
}

std::vector<Vec3> atPoints(const Placing& p, std::span<const double> radii, OccupiedPlaces& occupied,
                           PlanScratch& scratch) {
  std::vector<Vec3> places;
  for (size_t i = 0; i < p.points.size() && places.size() < radii.size(); ++i) {
    const std::optional<Vec3> place = p.world.lift(p.points[i], p.area.layer);
    const double radius = radii[places.size()];
    if (!place || !p.world.fits(*place, radius, scratch) || !occupied.isFree(*place, radius, p.gap)) continue;
    occupied.add(*place, radius);
    places.push_back(*place);
  }
  return places;
}

}  // namespace

uint64_t OccupiedPlaces::key(double x, double y) const {
  const auto i = static_cast<int64_t>(std::floor(x / cell_));
  const auto j = static_cast<int64_t>(std::floor(y / cell_));
  return static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15ULL ^ static_cast<uint64_t>(j);
}

void OccupiedPlaces::add(Vec3 place, double radius) {
  largest_ = std::max(largest_, radius);
  cells_[key(place.x, place.y)].push_back({place, radius});
}

bool OccupiedPlaces::isFree(Vec3 place, double radius, double gap) const {
  const double reach = radius + largest_ + gap;
  const int n = static_cast<int>(std::ceil(reach / cell_));
  for (int dx = -n; dx <= n; ++dx) {
    for (int dy = -n; dy <= n; ++dy) {
      const auto found = cells_.find(key(place.x + dx * cell_, place.y + dy * cell_));
      if (found == cells_.end()) continue;
      for (const Disk& disk : found->second) {
        const double d = std::hypot(disk.place.x - place.x, disk.place.y - place.y);
        if (d < radius + disk.radius + gap && std::abs(disk.place.z - place.z) < kStorey) return false;
      }
    }
  }
  return true;
}

std::optional<Vec3> randomPlace(const ScenarioWorld& world, const PlacedArea& area, double radius, Random& random,
                                PlanScratch& scratch, int tries) {
  for (int i = 0; i < tries; ++i) {
    const Vec2 at{random.real(area.min.x, area.max.x), random.real(area.min.y, area.max.y)};
    // One box for all layers: each is met in proportion to its area.
    const LayerId layer =
        area.everywhere ? static_cast<LayerId>(random.below(world.environment().layers.size())) : area.layer;
    if (!area.contains(at, layer)) continue;
    const std::optional<Vec3> place = world.lift(at, layer);
    if (place && world.fits(*place, radius, scratch)) return place;
  }
  return {};
}

std::vector<Vec3> placePersons(const Placing& p, std::span<const double> radii, OccupiedPlaces& occupied,
                               Random& random, PlanScratch& scratch) {
  if (radii.empty()) return {};
  if (!p.points.empty()) return atPoints(p, radii, occupied, scratch);
  if (p.placement != SourcePlacement::kRandom) return onLattice(p, radii, occupied, random, scratch);
  OccupiedPlaces before = radii.size() > 1 ? occupied : OccupiedPlaces(0);
  std::vector<Vec3> places;
  for (size_t k = 0; k < radii.size(); ++k) {
    const double radius = radii[k];
    std::optional<Vec3> place;
    for (int i = 0; i < p.tries && !place; ++i) {
      const bool near = k > 0 && k < p.joins.size() && p.joins[k] != 0 && i < kNearTries;
      place = near ? placeNear(p, places[k - 1], radius, random, scratch)
                   : randomPlace(p.world, p.area, radius, random, scratch, 1);
      if (place && !occupied.isFree(*place, radius, p.gap)) place.reset();
    }
    if (!place) break;
    occupied.add(*place, radius);
    places.push_back(*place);
  }
  if (places.size() == radii.size() || radii.size() == 1) return places;
  std::vector<Vec3> packed = onLattice(p, radii, before, random, scratch);
  if (packed.size() <= places.size()) return places;
  occupied = std::move(before);
  return packed;
}

}  // namespace wend
