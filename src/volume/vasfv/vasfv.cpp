#include <algorithm>
#include <cmath>

#include <wend/volume/grow_volumes.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/wall_clock.h"
#include "geometry/solid/volume_sum.h"
#include "volume/vasfv/free_space.h"
#include "volume/vasfv/growth.h"

namespace wend {
namespace vasfv {
namespace {

std::optional<Error> checkSettings(const GrowthSettings& s) {
  const auto bad = [](std::string sentence) {
    return std::optional<Error>(Error{ErrorCode::kInvalidSettings, std::move(sentence)});
  };
  if (!(s.unit == 0 || (s.unit >= 1e-6 && s.unit <= 1))) {
    return bad(fmt::format("the lattice unit is {} m; it must be 0 (chosen by the scene) or 1e-6 to 1 m", s.unit));
  }
  for (const auto& [name, value] : {std::pair{"above", s.above}, {"around", s.around}, {"below", s.below}}) {
    if (!(value >= 0 && value <= 10000))
      return bad(fmt::format("the margin {} is {} m; it must be 0 to 10000 m", name, value));
  }
  for (const auto& [name, value] : {std::pair{"seed", s.seed}, {"step", s.step}}) {
    if (!(value > 0 && value <= 1000))
      return bad(fmt::format("the {} is {} m; it must be above 0 and at most 1000 m", name, value));
  }
  for (const Vec3 p : s.seeds) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return bad("a seed is not finite");
  }
  return std::nullopt;
}

uint64_t hashOf(const GrowthSettings& s) {
  Hash hash;
  hash.add(s.method);
  for (const double value : {s.unit, s.above, s.around, s.below, s.seed, s.step}) hash.add(value);
  for (const bool value : {s.gravity, s.follow, s.merge}) hash.add(value);
  for (const Vec3 p : s.seeds) {
    for (const double value : {p.x, p.y, p.z}) hash.add(value);
  }
  for (const VolumeClass& c : s.classes) {
    hash.add(c.name);
    for (const std::string& label : c.labels) hash.add(label);
  }
  return hash.value();
}

int32_t inUnits(double metres, double unit) {
  return static_cast<int32_t>(std::clamp(std::round(metres / unit), 1.0, static_cast<double>(kMaxVolumeCoordinate)));
}

class Run {
 public:
  Run(const Scene& scene, const GrowthSettings& settings, const Context& context)
      : scene_(scene), settings_(settings), context_(context) {}

  Result<GrownVolumes> run() {
    if (auto error = checkSettings(settings_)) return *std::move(error);
    context_.report("bodies", 0);
    Result<SceneBodies> bodies = sceneBodies(scene_, settings_, report_);
    if (!bodies.ok()) return bodies.error();
    Result<std::vector<Piece>> obstacles = obstaclesOf(*bodies);
    if (!obstacles.ok()) return obstacles.error();
    stage("obstacles");
    Result<std::vector<Polyhedron>> free = freePieces(bodies->bounds, *obstacles, settings_.maxPieces);
    if (!free.ok()) return free.error();
    if (free->empty()) return Error{ErrorCode::kEmpty, "nothing of the scene's bounds is free"};
    VolumeSum volume;
    for (const Polyhedron& piece : *free) volume.add(piece);
    report_.freePieces = free->size();
    stage("free space");
    const double total = volume.cubicUnits();
    Result<std::vector<Piece>> regions = grow(*bodies, *std::move(obstacles), *std::move(free), total);
    if (!regions.ok()) return regions.error();
    stage("growth");
    if (settings_.merge) regions = mergePieces(*std::move(regions));
    stage("merging");
    Result<VolumeMesh> mesh = meshOf(*bodies, *regions, volume);
    if (!mesh.ok()) return mesh.error();
    stage("gateways");
    return GrownVolumes{*std::move(mesh), std::move(report_)};
  }

 private:
  void stage(const char* name) {
    const double now = wallSeconds();
    report_.seconds.emplace_back(name, now - started_);
    started_ = now;
  }
  Error cancelled() const { return {ErrorCode::kCancelled, "cancelled while volumes grew"}; }

  Result<std::vector<Piece>> obstaclesOf(const SceneBodies& bodies) {
    std::vector<Piece> all;
    for (const Body& body : bodies.bodies) {
      if (context_.cancelled()) return cancelled();
      Result<std::vector<Piece>> pieces = convexPieces(body, settings_.maxPieces);
      if (!pieces.ok()) return pieces.error();
      std::move(pieces->begin(), pieces->end(), std::back_inserter(all));
      if (all.size() > settings_.maxPieces) {
        return Error{ErrorCode::kLimit, fmt::format("the obstacles fall into more than {} convex pieces: simplify the "
                                                    "scene or raise the limit",
                                                    settings_.maxPieces)};
      }
    }
    report_.obstaclePieces = all.size();
    return all;
  }

  Result<std::vector<Piece>> grow(const SceneBodies& bodies, std::vector<Piece> obstacles, std::vector<Polyhedron> free,
                                  double total) {
    Growth growth(bodies.bounds, std::move(obstacles), settings_, report_);
    FreeSpace space(bodies.bounds, std::move(free), settings_.gravity);
    const int32_t size = inUnits(settings_.seed, bodies.lattice.unit);
    const int32_t step = inUnits(settings_.step, bodies.lattice.unit);
    double claimed = 0;
    const auto claim = [&](Region& region) {
      growth.grow(region, step);
      growth.finish(region);
      space.subtract(region.shape, growth.blockers().back().box);
      ++report_.seeds;
      claimed += volumeOf(region.shape);
      context_.report("grow", std::min(1.0, claimed / total));
    };
    Region region;
    for (const Vec3 seed : settings_.seeds) {
      if (growth.seedCube(bodies.lattice.toUnits(seed), size, region)) claim(region);
    }
    while (!space.empty()) {
      if (context_.cancelled()) return cancelled();
      if (report_.seeds > settings_.maxPieces || space.size() > settings_.maxPieces) {
        return Error{ErrorCode::kLimit,
                     fmt::format("more than {} volumes: simplify the scene or raise the limit", settings_.maxPieces)};
      }
      const Polyhedron& pocket = space.first();
      if (!growth.seedCube(middleOf(pocket), size, region)) {
        region = growth.seedPiece(pocket);
        ++report_.thinSeeds;
      }
      claim(region);
    }
    const auto& blockers = growth.blockers();
    return std::vector<Piece>(blockers.begin() + static_cast<std::ptrdiff_t>(growth.obstacleCount()), blockers.end());
  }

  Result<VolumeMesh> meshOf(const SceneBodies& bodies, std::span<const Piece> regions, const VolumeSum& volume) {
    VolumeDraft draft;
    draft.lattice = bodies.lattice;
    draft.low = bodies.bounds.low;
    draft.high = bodies.bounds.high;
    draft.generator = settings_.method == GrowthMethod::kWavefront ? "wavefront" : "vasfv";
    draft.settingsHash = hashOf(settings_);
    for (const VolumeClass& c : settings_.classes) draft.labels.push_back(c.name);
    for (const Piece& region : regions) {
      VolumeDraft::Cell& cell = draft.cells.emplace_back();
      cell.label = region.label;
      for (const Polyhedron::Face& face : region.solid.faces) cell.planes.push_back(face.plane);
    }
    const double unit = bodies.lattice.unit;
    draft.freeVolume = ExactVolume{volume.cubicUnits() * unit * unit * unit, volume.residues()};
    return buildVolumes(std::move(draft), context_);
  }

  const Scene& scene_;
  const GrowthSettings& settings_;
  const Context& context_;
  GrowthReport report_;
  double started_ = wallSeconds();
};

}  // namespace
}  // namespace vasfv

Result<GrownVolumes> growVolumes(const Scene& scene, const GrowthSettings& settings, const Context& context) {
  Result<GrownVolumes> grown = vasfv::Run(scene, settings, context).run();
  WEND_ASSERT(!grown.ok() || checkVolumes(grown->mesh, 1).empty(), "grown volumes are convex and disjoint");
  return grown;
}

}  // namespace wend
