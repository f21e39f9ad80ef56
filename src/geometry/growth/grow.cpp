#include "geometry/growth/grow.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace wend::growth {
namespace {

// A side moves by this share of its region's extent per turn, so that regions grow in all directions alike; and by this
// share of the typical distance of walls at least, so that they do not begin with hundreds of tiny steps.
constexpr int64_t kShareOfExtent = 4;
constexpr int64_t kShareOfPitch = 8;

using Move = Grower::Move;

class Growth {
 public:
  Growth(GrowthSpace& space, const GrowSettings& settings, const Context& context, const BeginRegion& begin)
      : space_(space), settings_(settings), context_(context), begin_(begin), grower_(space, settings.rules) {}

  GrowReport run(std::span<const Seed> seeds) {
    if (settings_.turns == Turns::kSingle) {
      growOneByOne(seeds);
    } else {
      growTogether(seeds);
    }
    report_.counts = grower_.counts();
    return report_;
  }

 private:
  bool isOver() {
    if (isCancelled_) return true;
    if ((++asked_ & 0xffU) == 0 && context_.cancelled()) isCancelled_ = true;
    const uint64_t done = settings_.turns == Turns::kSingle ? report_.seeds : report_.rounds;
    return isCancelled_ || (settings_.frames > 0 && done >= settings_.frames);
  }

  void growOneByOne(std::span<const Seed> seeds) {
    for (const Seed& seed : seeds) {
      if (isOver()) return;
      growSeed(seed);
    }
    if (!settings_.reseed) return;
    for (const uint32_t id : settings_.beside) fillBeside(id);
    for (uint32_t id = settings_.firstAsked; id < space_.regions().size(); ++id) fillBeside(id);
  }

  // Seeds what a region's sides border on until nothing is unclaimed there.
  void fillBeside(uint32_t id) {
    bool planted = true;
    while (planted) {
      planted = false;
      for (const Seed& seed : freeSideSeeds(space_, id, settings_.gap)) {
        if (isOver()) return;
        planted = growSeed(seed) || planted;
      }
      if (settings_.gap > 0) break;  // a stretch beside a step that fell short may stay free
    }
  }

  // A seed that fits: in growth by steps it is a square of one step, or else the gaps beside sides that fell short
  // would be seeded again and again.
  std::optional<Region> plantFitting(const Seed& seed) {
    std::optional<Region> region = plant(space_, seed);
    if (!region || settings_.rules.snap) return region;
    const int64_t size = settings_.resolution > 0 ? settings_.resolution : settings_.step;
    std::array<bool, 4> isStopped{};
    lookAround(*region, size, isStopped);
    Grower exact(space_, {settings_.rules.follow, true});
    exact.look(grower_.window());
    for (const Side4 side : kSides) {
      const auto extent = [&] { return std::abs(int64_t{region->limit[side]} - region->limit[opposite(side)]); };
      if (extent() < size) exact.advance(*region, side, size - extent(), kNone);
    }
    const Limits& limit = region->limit;
    const bool fits = int64_t{limit[kTop]} - limit[kBottom] >= size && int64_t{limit[kRight]} - limit[kLeft] >= size;
    if (!fits) region.reset();
    return region;
  }

  bool growSeed(const Seed& seed) {
    std::optional<Region> region = plantFitting(seed);
    if (!region) return false;
    ++report_.seeds;
    growAlone(*region, begin_ ? begin_(grower_, *region) : kNoneStopped);
    space_.addRegion(std::move(*region));
    return true;
  }

  int64_t stepOf(const Region& region) const {
    if (settings_.step > 0) return settings_.step;
    const Limits& limit = region.limit;
    const int64_t extent = std::max(int64_t{limit[kRight]} - limit[kLeft], int64_t{limit[kTop]} - limit[kBottom]);
    return std::max({int64_t{1}, extent / kShareOfExtent, space_.pitch() / kShareOfPitch});
  }

  // Collects what lies around a region, as far as it may come in the next turns.
  void lookAround(const Region& region, int64_t reach, const std::array<bool, 4>& isStopped) {
    const auto limit = [&](Side4 side) {
      const int64_t far = int64_t{region.limit[side]} + (isStopped[side] ? 0 : forward(side) * reach);
      return static_cast<int32_t>(std::clamp<int64_t>(far, -kMaxCoordinate, kMaxCoordinate));
    };
    grower_.look({{limit(kLeft), limit(kBottom)}, {limit(kRight), limit(kTop)}});
  }

  void growAlone(Region& region, StoppedSides stoppedAt) {
    std::array<int64_t, 4> rate{};
    std::array<bool, 4> isStopped{};
    rate.fill(settings_.step);
    bool hasLooked = static_cast<bool>(begin_);
    bool moved = true;
    while (moved) {
      moved = false;
      ++rounds_;
      const int64_t step = stepOf(region);
      for (const Side4 side : kSides) {
        if (stoppedAt[side] == region.version) continue;
        const int64_t now = settings_.rules.snap ? step : rate[side];
        Limits ahead = region.limit;
        ahead[side] = static_cast<int32_t>(
            std::clamp<int64_t>(int64_t{ahead[side]} + forward(side) * now, -kMaxCoordinate, kMaxCoordinate));
        if (!hasLooked || !grower_.covers(ahead)) {
          for (const Side4 s : kSides) isStopped[s] = stoppedAt[s] == region.version;
          lookAround(region, std::max(4 * now, space_.pitch()), isStopped);
          hasLooked = true;
        }
        moved = take(region, side, now, kNone, stoppedAt[side], rate[side]) || moved;
      }
    }
    report_.rounds = std::max(report_.rounds, rounds_);
    rounds_ = 0;
  }

  // One turn of a side. Returns whether the region changed or may change in the next round.
  bool take(Region& region, Side4 side, int64_t step, uint32_t self, uint32_t& stoppedAt, int64_t& rate) {
    switch (grower_.advance(region, side, step, self)) {
      case Move::kWhole:
        return true;
      case Move::kPart:
        stoppedAt = region.version;
        return true;
      case Move::kInactive:
        return false;
      case Move::kStopped:
        break;
    }
    if (!settings_.rules.snap && settings_.resolution > 0 && rate > settings_.resolution) {
      rate = std::max(rate / 2, settings_.resolution);
      return true;
    }
    stoppedAt = region.version;
    return false;
  }

  struct Turn {
    uint32_t region = 0;
    StoppedSides stoppedAt = kNoneStopped;
    std::array<int64_t, 4> rate{};
  };

  void growTogether(std::span<const Seed> seeds) {
    std::vector<Turn> turns;
    const auto plantAll = [&](std::span<const Seed> list) {
      for (const Seed& seed : list) {
        std::optional<Region> region = plantFitting(seed);
        if (!region) continue;
        ++report_.seeds;
        turns.push_back({space_.addRegion(std::move(*region))});
        turns.back().rate.fill(settings_.step);
      }
    };
    plantAll(seeds);
    uint32_t asked = 0;  // regions whose sides were searched for free stretches
    while (!turns.empty() && !isOver()) {
      while (!turns.empty() && !isOver()) {
        ++report_.rounds;
        std::erase_if(turns, [&](Turn& turn) { return !takeTurn(turn); });
      }
      if (!settings_.reseed || isOver()) break;
      std::vector<Seed> more;
      const auto count = static_cast<uint32_t>(space_.regions().size());
      for (uint32_t id = settings_.gap > 0 ? asked : 0; id < count; ++id) {
        const std::vector<Seed> here = freeSideSeeds(space_, id, settings_.gap);
        more.insert(more.end(), here.begin(), here.end());
      }
      asked = count;
      plantAll(more);
    }
  }

  bool takeTurn(Turn& turn) {
    bool moved = false;
    for (const Side4 side : kSides) {
      Region& region = space_.regions()[turn.region];
      if (turn.stoppedAt[side] == region.version) continue;
      const Limits before = region.limit;
      const int64_t step = settings_.rules.snap ? stepOf(region) : turn.rate[side];
      std::array<bool, 4> isStopped{};
      isStopped.fill(true);
      isStopped[side] = false;
      lookAround(region, step, isStopped);
      moved = take(region, side, step, turn.region, turn.stoppedAt[side], turn.rate[side]) || moved;
      space_.enter(turn.region, before, false);
    }
    return moved;
  }

  GrowthSpace& space_;
  const GrowSettings& settings_;
  const Context& context_;
  const BeginRegion& begin_;
  Grower grower_;
  GrowReport report_;
  uint64_t rounds_ = 0;
  uint32_t asked_ = 0;
  bool isCancelled_ = false;
};

}  // namespace

GrowReport grow(GrowthSpace& space, std::span<const Seed> seeds, const GrowSettings& settings, const Context& context,
                const BeginRegion& begin) {
  return Growth(space, settings, context, begin).run(seeds);
}

}  // namespace wend::growth
