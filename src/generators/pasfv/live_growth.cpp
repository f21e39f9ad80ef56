#include "generators/pasfv/live_growth.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "generators/growth_cells.h"
#include "generators/layer_triangles.h"
#include "geometry/growth/grow.h"

namespace wend::pasfv {
namespace {

using growth::GrowthSpace;
using growth::Region;
using growth::Seed;

Box boxOf(const Region& region) {
  return {{region.limit[growth::kLeft], region.limit[growth::kBottom]},
          {region.limit[growth::kRight], region.limit[growth::kTop]}};
}

bool touch(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

bool overlap(const Box& a, const Box& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

Box boxOf(const growth::Wall& wall) {
  Box box;
  box.add(wall.from);
  box.add(wall.to);
  return box;
}

Error cancelled() {
  return {ErrorCode::kCancelled, "Growth was cancelled by the caller."};
}

}  // namespace

struct LiveGrowth::Impl {
  Environment environment;
  std::vector<GrownSpace> sources;                   // one per layer
  std::vector<std::unique_ptr<GrowthSpace>> spaces;  // with their regions; null for empty layers
};

LiveGrowth::LiveGrowth(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LiveGrowth::~LiveGrowth() = default;
LiveGrowth::LiveGrowth(LiveGrowth&&) noexcept = default;
LiveGrowth& LiveGrowth::operator=(LiveGrowth&&) noexcept = default;

Result<LiveGrowth> LiveGrowth::make(const Environment& environment, const Context& context) {
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  auto sources = grownSpaces(environment, false, context);
  if (!sources.ok()) return sources.error();
  auto impl = std::make_unique<Impl>();
  impl->environment = environment;
  impl->sources = std::move(*sources);
  for (const GrownSpace& source : impl->sources) {
    impl->spaces.push_back(source.free.empty() ? nullptr : std::make_unique<GrowthSpace>(source.free, source.open));
    if (impl->spaces.back() != nullptr) {
      grow(*impl->spaces.back(), wallSeeds(*impl->spaces.back()), growth::GrowSettings{}, context);
    }
    if (context.cancelled()) return cancelled();
  }
  return LiveGrowth(std::move(impl));
}

Result<RepairReport> LiveGrowth::repair(const Environment& after, LayerId layer, const Box& changed,
                                        bool storedNeighbours, const Context& context) {
  if (after.layers.size() != impl_->environment.layers.size() || layer >= after.layers.size() ||
      after.connections.size() != impl_->environment.connections.size()) {
    return Error{ErrorCode::kInvalidSettings,
                 "A repair needs an environment with the same layers and connections; make the mesh anew instead."};
  }
  if (const Status status = checkLayers(after, context); !status.ok()) return status.error();
  auto sources = grownSpaces(after, false, context);
  if (!sources.ok()) return sources.error();
  const GrownSpace& source = (*sources)[layer];
  auto space = source.free.empty() ? nullptr : std::make_unique<GrowthSpace>(source.free, source.open);
  RepairReport report;
  const GrowthSpace* before = impl_->spaces[layer].get();
  const size_t old = before == nullptr ? 0 : before->regions().size();
  if (space != nullptr) {
    std::map<std::pair<Point, Point>, uint32_t> wallOf;
    for (uint32_t i = 0; i < space->walls().size(); ++i) {
      wallOf[{space->walls()[i].from, space->walls()[i].to}] = i;
    }
    std::vector<Box> holes{changed};
    for (size_t i = 0; i < old; ++i) {
      Region region = before->regions()[i];
      bool isKept = !overlap(boxOf(region), changed);
      for (uint32_t& contact : region.contacts) {
        const growth::Wall& wall = before->walls()[contact];
        const auto found = wallOf.find({wall.from, wall.to});
        isKept = isKept && found != wallOf.end();
        if (isKept) contact = found->second;
      }
      if (isKept) {
        space->addRegion(std::move(region));
      } else {
        holes.push_back(boxOf(before->regions()[i]));
      }
    }
    report.kept = static_cast<uint32_t>(space->regions().size());
    report.removed = static_cast<uint32_t>(old) - report.kept;
    growth::GrowSettings settings;
    settings.firstAsked = storedNeighbours ? report.kept : 0;
    const auto isBesideHole = [&](const Box& box) {
      return std::any_of(holes.begin(), holes.end(), [&](const Box& hole) { return touch(box, hole); });
    };
    std::vector<Seed> seeds;
    const std::vector<Seed> all = wallSeeds(*space);
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (isBesideHole(boxOf(space->walls()[i]))) seeds.push_back(all[i]);
    }
    if (storedNeighbours) {
      for (uint32_t i = 0; i < report.kept; ++i) {
        if (isBesideHole(boxOf(space->regions()[i]))) settings.beside.push_back(i);
      }
    }
    grow(*space, seeds, settings, context);
    if (context.cancelled()) return cancelled();
    report.added = static_cast<uint32_t>(space->regions().size()) - report.kept;
  } else {
    report.removed = static_cast<uint32_t>(old);
  }
  impl_->spaces[layer] = std::move(space);
  impl_->sources = std::move(*sources);
  impl_->environment = after;
  return report;
}

Result<NavMesh> LiveGrowth::mesh(const Context& context) const {
  MeshBuilder builder(impl_->environment, kGrownCornerTolerance);
  for (size_t i = 0; i < impl_->spaces.size(); ++i) {
    if (impl_->spaces[i] == nullptr) continue;
    const GrowthSpace& space = *impl_->spaces[i];
    std::vector<growth::Outline> cells;
    for (const Region& region : space.regions()) cells.push_back(outlineOf(region, space.walls()));
    growth::mergeConvex(cells);
    addGrownCells(builder, impl_->sources[i], cells, space.walls());
  }
  Hash hash;
  hash.add(std::string_view("pasfv live"));
  return builder.build("pasfv", hash.value(), MeshTraits{}, context);
}

}  // namespace wend::pasfv
