#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <new>
#include <queue>

#include <wend/volume/prism_grid.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "volume/prism/voxel_limits.h"

namespace wend {
namespace {

Status check(const VoxelGrid& grid, const PrismSettings& settings) {
  for (const uint32_t side : grid.size) {
    if (side == 0 || side > kMaxVoxelSide) {
      return Error{ErrorCode::kLimit,
                   fmt::format("a grid of voxels has 1 to {} along each axis, not {}", kMaxVoxelSide, side)};
    }
  }
  const size_t count = static_cast<size_t>(grid.size[0]) * grid.size[1] * grid.size[2];
  if (count > kMaxVoxels) {
    return Error{ErrorCode::kLimit, fmt::format("{} voxels are more than {}; choose larger ones", count, kMaxVoxels)};
  }
  if (grid.free.size() != count || !(grid.voxel > 0) || !std::isfinite(grid.voxel)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("{} voxels of {} m need as many values, not {}", count, grid.voxel, grid.free.size())};
  }
  if (settings.period > kMaxVoxelSide) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the period of seeds is {}; it must be at most {}", settings.period, kMaxVoxelSide)};
  }
  return Done{};
}

class PrismGrowth {
 public:
  PrismGrowth(const VoxelGrid& grid, const PrismSettings& settings, const Context& context)
      : grid_(grid), settings_(settings), context_(context) {
    result_.size = grid.size;
    result_.voxel = grid.voxel;
    result_.origin = grid.origin;
    result_.ids.assign(grid.free.size(), 0);
  }

  bool run() {
    if (settings_.period > 0) {
      for (uint32_t z = 0; z < grid_.size[2]; z += settings_.period) {
        for (uint32_t y = 0; y < grid_.size[1]; y += settings_.period) {
          for (uint32_t x = 0; x < grid_.size[0]; x += settings_.period) addSeed({x, y, z});
        }
      }
    }
    if (!grow()) return false;
    // What no seed has reached.
    for (uint32_t z = 0; z < grid_.size[2]; ++z) {
      for (uint32_t y = 0; y < grid_.size[1]; ++y) {
        for (uint32_t x = 0; x < grid_.size[0]; ++x) {
          if (!isFree({x, y, z})) continue;
          addSeed({x, y, z});
          if (!grow()) return false;
        }
      }
    }
    return true;
  }
  PrismGrid take() { return std::move(result_); }

 private:
  using Voxel = std::array<uint32_t, 3>;
  struct State {
    uint8_t closed = 0;  // one bit per side
    uint8_t next = 0;
  };
  // East, north, west, south, up, down: axis and whether it is the high side.
  struct Side {
    uint32_t axis;
    bool high;
  };
  static constexpr std::array<Side, 6> kSides{{{0, true}, {1, true}, {0, false}, {1, false}, {2, true}, {2, false}}};

  bool isFree(const Voxel& v) const {
    const size_t i = grid_.index(v[0], v[1], v[2]);
    return grid_.free[i] != 0 && result_.ids[i] == 0;
  }
  void addSeed(const Voxel& v) {
    if (!isFree(v)) return;
    result_.prisms.push_back({v, v});
    states_.emplace_back();
    result_.ids[grid_.index(v[0], v[1], v[2])] = static_cast<uint32_t>(result_.prisms.size());
    queue_.push_back(static_cast<uint32_t>(result_.prisms.size() - 1));
  }

  // The voxels of the layer outside a side; false if that is outside the grid.
  bool layerOf(const GridPrism& prism, const Side& side, GridPrism& layer) const {
    layer = prism;
    if (side.high ? prism.high[side.axis] + 1 >= grid_.size[side.axis] : prism.low[side.axis] == 0) return false;
    const uint32_t at = side.high ? prism.high[side.axis] + 1 : prism.low[side.axis] - 1;
    layer.low[side.axis] = layer.high[side.axis] = at;
    return true;
  }
  template <typename F>
  bool everyVoxel(const GridPrism& box, F&& f) const {
    for (uint32_t z = box.low[2]; z <= box.high[2]; ++z) {
      for (uint32_t y = box.low[1]; y <= box.high[1]; ++y) {
        for (uint32_t x = box.low[0]; x <= box.high[0]; ++x) {
          if (!f(Voxel{x, y, z})) return false;
        }
      }
    }
    return true;
  }

  bool fits(const GridPrism& prism, uint32_t axis) const {
    const uint64_t side = uint64_t{prism.high[axis]} - prism.low[axis] + 1;
    if (settings_.maxSide > 0 && side + 1 > settings_.maxSide) return false;
    return settings_.maxVoxels == 0 || prism.voxels() / side * (side + 1) <= settings_.maxVoxels;
  }

  bool expand(uint32_t id) {
    State& state = states_[id];
    for (uint8_t i = 0; i < 6; ++i) {
      const auto place = static_cast<uint8_t>(settings_.memory ? (state.next + i) % 6 : i);
      if ((state.closed >> place & 1U) != 0) continue;
      const Side& side = kSides[place];
      GridPrism& prism = result_.prisms[id];
      GridPrism layer;
      if (!fits(prism, side.axis) || !layerOf(prism, side, layer) ||
          !everyVoxel(layer, [&](const Voxel& v) { return isFree(v); })) {
        state.closed |= static_cast<uint8_t>(1U << place);
        continue;
      }
      everyVoxel(layer, [&](const Voxel& v) {
        result_.ids[grid_.index(v[0], v[1], v[2])] = id + 1;
        return true;
      });
      if (side.high) {
        ++prism.high[side.axis];
      } else {
        --prism.low[side.axis];
      }
      state.next = static_cast<uint8_t>((place + 1) % 6);
      return true;
    }
    return false;
  }

  bool grow() {
    for (uint64_t calls = 0; !queue_.empty(); ++calls) {
      if (calls % 65536 == 0 && context_.cancelled()) return false;
      const uint32_t id = queue_.front();
      queue_.pop_front();
      if (expand(id)) {
        queue_.push_back(id);
      } else {
        spawnAround(result_.prisms[id]);
      }
    }
    return true;
  }

  // The first voxel of each connected free patch of each side: the runs of the plane, one dimension up.
  void spawnAround(const GridPrism prism) {
    for (const Side& side : kSides) {
      GridPrism layer;
      if (!layerOf(prism, side, layer)) continue;
      const uint32_t u = side.axis == 0 ? 1 : 0;
      const uint32_t v = side.axis == 2 ? 1 : 2;
      const uint32_t wide = layer.high[u] - layer.low[u] + 1;
      const uint32_t deep = layer.high[v] - layer.low[v] + 1;
      seen_.assign(static_cast<size_t>(wide) * deep, 0);
      const auto voxelAt = [&](uint32_t i, uint32_t j) {
        Voxel voxel = layer.low;
        voxel[u] += i;
        voxel[v] += j;
        return voxel;
      };
      for (uint32_t j = 0; j < deep; ++j) {
        for (uint32_t i = 0; i < wide; ++i) {
          if (seen_[j * wide + i] != 0 || !isFree(voxelAt(i, j))) continue;
          open_.assign(1, {i, j});
          seen_[j * wide + i] = 1;
          while (!open_.empty()) {
            const auto [a, b] = open_.back();
            open_.pop_back();
            const auto visit = [&](uint32_t c, uint32_t d) {
              if (c >= wide || d >= deep || seen_[d * wide + c] != 0 || !isFree(voxelAt(c, d))) return;
              seen_[d * wide + c] = 1;
              open_.push_back({c, d});
            };
            visit(a + 1, b);
            visit(a, b + 1);
            visit(a - 1, b);  // wraps below 0 and is refused
            visit(a, b - 1);
          }
          addSeed(voxelAt(i, j));
        }
      }
    }
  }

  const VoxelGrid& grid_;
  const PrismSettings& settings_;
  const Context& context_;
  PrismGrid result_;
  std::vector<State> states_;
  std::deque<uint32_t> queue_;
  std::vector<uint8_t> seen_;
  std::vector<std::pair<uint32_t, uint32_t>> open_;
};

size_t indexIn(const PrismGrid& grid, const std::array<uint32_t, 3>& v) {
  return (static_cast<size_t>(v[2]) * grid.size[1] + v[1]) * grid.size[0] + v[0];
}

Vec3 centreOf(const PrismGrid& grid, uint32_t prism) {
  const GridPrism& p = grid.prisms[prism];
  const auto middle = [&](size_t axis, double origin) {
    return origin + grid.voxel * (p.low[axis] + p.high[axis] + 1) / 2;
  };
  return {middle(0, grid.origin.x), middle(1, grid.origin.y), middle(2, grid.origin.z)};
}

}  // namespace

Result<PrismGrid> growPrisms(const VoxelGrid& grid, const PrismSettings& settings, const Context& context) {
  try {
    if (const Status status = check(grid, settings); !status.ok()) return status.error();
    PrismGrowth growth(grid, settings, context);
    if (!growth.run()) return Error{ErrorCode::kCancelled, "the growth of prisms was cancelled by the caller"};
    PrismGrid prisms = growth.take();
    WEND_ASSERT(checkPrisms(prisms, 1).empty(), "prisms are disjoint and fit their ids");
    return prisms;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the voxels; choose larger ones"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the growth of prisms failed: {}", exception.what())};
  }
}

uint32_t PrismGrid::locate(Vec3 metres) const {
  const std::array<double, 3> at{(metres.x - origin.x) / voxel, (metres.y - origin.y) / voxel,
                                 (metres.z - origin.z) / voxel};
  std::array<uint32_t, 3> v{};
  for (size_t i = 0; i < 3; ++i) {
    if (!(at[i] >= 0 && at[i] < size[i])) return kNone;
    v[i] = static_cast<uint32_t>(at[i]);
  }
  return ids[indexIn(*this, v)] - 1;
}

std::vector<PrismPassage> passagesOf(const PrismGrid& grid) {
  std::vector<PrismPassage> passages;
  for (uint32_t i = 0; i < grid.prisms.size(); ++i) {
    const GridPrism& prism = grid.prisms[i];
    for (uint32_t axis = 0; axis < 3; ++axis) {
      if (prism.high[axis] + 1 >= grid.size[axis]) continue;
      const uint32_t u = axis == 0 ? 1 : 0;
      const uint32_t v = axis == 2 ? 1 : 2;
      std::array<uint32_t, 3> at = prism.low;
      at[axis] = prism.high[axis] + 1;
      std::vector<uint32_t> found;
      for (at[v] = prism.low[v]; at[v] <= prism.high[v]; ++at[v]) {
        for (at[u] = prism.low[u]; at[u] <= prism.high[u];) {
          const uint32_t id = grid.ids[indexIn(grid, at)];
          if (id == 0) {
            ++at[u];
            continue;
          }
          found.push_back(id - 1);
          at[u] = grid.prisms[id - 1].high[u] + 1;
        }
      }
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      for (const uint32_t other : found) {
        const GridPrism& o = grid.prisms[other];
        passages.push_back({i,
                            other,
                            axis,
                            {std::max(prism.low[u], o.low[u]), std::max(prism.low[v], o.low[v])},
                            {std::min(prism.high[u], o.high[u]) + 1, std::min(prism.high[v], o.high[v]) + 1}});
      }
    }
  }
  return passages;
}

std::vector<uint32_t> pathOf(const PrismGrid& grid, std::span<const PrismPassage> passages, Vec3 from, Vec3 to) {
  const uint32_t start = grid.locate(from);
  const uint32_t goal = grid.locate(to);
  if (start == kNone || goal == kNone) return {};
  std::vector<std::vector<uint32_t>> next(grid.prisms.size());
  for (const PrismPassage& p : passages) {
    next[p.from].push_back(p.to);
    next[p.to].push_back(p.from);
  }
  std::vector<double> cost(grid.prisms.size(), HUGE_VAL);
  std::vector<uint32_t> before(grid.prisms.size(), kNone);
  using Item = std::pair<double, uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  cost[start] = 0;
  open.emplace(0, start);
  while (!open.empty()) {
    const auto [way, prism] = open.top();
    open.pop();
    if (way > cost[prism] || prism == goal) continue;
    const Vec3 a = centreOf(grid, prism);
    for (const uint32_t other : next[prism]) {
      const Vec3 b = centreOf(grid, other);
      const double further =
          way + std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
      if (further >= cost[other]) continue;
      cost[other] = further;
      before[other] = prism;
      open.emplace(further, other);
    }
  }
  if (cost[goal] == HUGE_VAL) return {};
  std::vector<uint32_t> path{goal};
  while (path.back() != start) path.push_back(before[path.back()]);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<uint32_t> sliceOf(const PrismGrid& grid, uint32_t z) {
  std::vector<uint32_t> slice;
  if (z >= grid.size[2]) return slice;
  for (uint32_t y = grid.size[1]; y-- > 0;) {
    const auto* row = grid.ids.data() + indexIn(grid, {0, y, z});
    slice.insert(slice.end(), row, row + grid.size[0]);
  }
  return slice;
}

}  // namespace wend
