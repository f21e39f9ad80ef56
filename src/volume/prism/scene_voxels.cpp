#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <new>

#include <wend/volume/prism_grid.h>

#include <fmt/format.h>

#include "geometry/int128.h"
#include "volume/prism/voxel_limits.h"
#include "volume/vasfv/scene_bodies.h"

// Triangles to voxels, exactly. A voxel is the box [low, high): shrunk by an infinitesimal at its upper sides, so that
// each place belongs to one voxel.
namespace wend {
namespace {

constexpr size_t kMaxTriangles = 10'000'000;

using Triple = std::array<int64_t, 3>;

Triple minus(const Triple& a, const Triple& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A triangle against voxels of side `side` units; coordinates are units from the grid's lowest corner.
class Triangle {
 public:
  Triangle(const std::array<Triple, 3>& corners, int64_t side) : side_(side), corners_(corners) {
    const std::array<Triple, 3> edges{minus(corners[1], corners[0]), minus(corners[2], corners[1]),
                                      minus(corners[0], corners[2])};
    normal_ = cross(edges[0], edges[1]);
    for (size_t axis = 0; axis < 3; ++axis) {
      Triple unit{};
      unit[axis] = 1;
      addAxis(unit);
    }
    for (const Triple& edge : edges) {
      for (size_t axis = 0; axis < 3; ++axis) {
        Triple unit{};
        unit[axis] = 1;
        addAxis(cross(edge, unit));
      }
    }
    addAxis(normal_);
  }

  // Calls use(x, y, z) for each voxel within the grid that the triangle meets.
  template <typename Use>
  void eachVoxel(const std::array<uint32_t, 3>& size, Use&& use) const {
    Triple first{};
    Triple last{};
    for (size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax({corners_[0][i], corners_[1][i], corners_[2][i]});
      first[i] = std::max<int64_t>(0, low / side_);
      last[i] = std::min<int64_t>(int64_t{size[i]} - 1, high / side_);
    }
    size_t w = 0;
    for (size_t i = 1; i < 3; ++i) {
      if (std::abs(normal_[i]) > std::abs(normal_[w])) w = i;
    }
    const size_t u = (w + 1) % 3;
    const size_t v = (w + 2) % 3;
    Triple at{};
    for (at[u] = first[u]; at[u] <= last[u]; ++at[u]) {
      for (at[v] = first[v]; at[v] <= last[v]; ++at[v]) {
        // Where the plane passes the column, rounded outwards; the exact test follows.
        const auto [low, high] = planeOver(u, v, w, at);
        const int64_t begin = std::max(first[w], static_cast<int64_t>(std::floor(low)) - 1);
        const int64_t end = std::min(last[w], static_cast<int64_t>(std::floor(high)) + 1);
        for (at[w] = begin; at[w] <= end; ++at[w]) {
          if (meets(at)) use(static_cast<uint32_t>(at[0]), static_cast<uint32_t>(at[1]), static_cast<uint32_t>(at[2]));
        }
      }
    }
  }

 private:
  // A direction that may separate, and what the triangle covers along it.
  struct Axis {
    std::array<Int128, 3> n{};
    Int128 low = 0;
    Int128 high = 0;
  };
  void addAxis(const Triple& n) {
    if (n == Triple{}) return;
    Axis axis;
    for (size_t i = 0; i < 3; ++i) axis.n[i] = n[i];
    for (size_t c = 0; c < 3; ++c) {
      Int128 at = 0;
      for (size_t i = 0; i < 3; ++i) at += axis.n[i] * corners_[c][i];
      axis.low = c == 0 ? at : std::min(axis.low, at);
      axis.high = c == 0 ? at : std::max(axis.high, at);
    }
    axes_[count_++] = axis;
  }

  // The separating axes of a triangle and a box. With upper sides that lie an infinitesimal lower, what touches there
  // is apart.
  bool meets(const Triple& voxel) const {
    for (size_t a = 0; a < count_; ++a) {
      const Axis& axis = axes_[a];
      Int128 low = 0;
      Int128 high = 0;
      bool rises = false;
      bool falls = false;
      for (size_t i = 0; i < 3; ++i) {
        const Int128 begin = axis.n[i] * (voxel[i] * side_);
        const Int128 end = axis.n[i] * ((voxel[i] + 1) * side_);
        low += std::min(begin, end);
        high += std::max(begin, end);
        rises = rises || axis.n[i] > 0;
        falls = falls || axis.n[i] < 0;
      }
      if (rises ? axis.low >= high : axis.low > high) return false;
      if (falls ? axis.high <= low : axis.high < low) return false;
    }
    return true;
  }

  std::pair<double, double> planeOver(size_t u, size_t v, size_t w, const Triple& at) const {
    const auto n = [&](size_t i) { return static_cast<double>(normal_[i]); };
    const auto side = static_cast<double>(side_);
    double low = 0;
    double high = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const double du = static_cast<double>((at[u] + corner % 2) * side_ - corners_[0][u]);
      const double dv = static_cast<double>((at[v] + corner / 2) * side_ - corners_[0][v]);
      const double height = (static_cast<double>(corners_[0][w]) - (n(u) * du + n(v) * dv) / n(w)) / side;
      low = corner == 0 ? height : std::min(low, height);
      high = corner == 0 ? height : std::max(high, height);
    }
    return {low, high};
  }

  int64_t side_;
  std::array<Triple, 3> corners_;
  Triple normal_{};
  std::array<Axis, 13> axes_;
  size_t count_ = 0;
};

class Voxeliser {
 public:
  Voxeliser(const vasfv::SceneBodies& bodies, int64_t side, const SceneVoxelSettings& settings,
            SceneVoxelReport& report)
      : bodies_(bodies), side_(side), settings_(settings), report_(report) {}

  Result<VoxelGrid> run(const Context& context) {
    const Point3 low = bodies_.bounds.low;
    const Point3 high = bodies_.bounds.high;
    const std::array<int64_t, 3> extent{int64_t{high.x} - low.x, int64_t{high.y} - low.y, int64_t{high.z} - low.z};
    size_t count = 1;
    for (size_t i = 0; i < 3; ++i) {
      const int64_t voxels = std::max<int64_t>(1, (extent[i] + side_ - 1) / side_);
      if (voxels > kMaxVoxelSide) return tooMany();
      grid_.size[i] = static_cast<uint32_t>(voxels);
      count *= grid_.size[i];
    }
    if (count > kMaxVoxels) return tooMany();
    grid_.voxel = static_cast<double>(side_) * bodies_.lattice.unit;
    grid_.origin = bodies_.lattice.toMetres({double(low.x), double(low.y), double(low.z)});
    grid_.free.assign(count, 1);
    for (const vasfv::Body& body : bodies_.bodies) {
      if (context.cancelled()) return cancelled();
      for (const vasfv::LatticeTriangle& triangle : body.triangles) block(triangle);
    }
    if (settings_.solid || !settings_.seeds.empty()) {
      label();
      if (context.cancelled()) return cancelled();
      if (settings_.solid) fillBodies();
      if (const Status status = keepReached(); !status.ok()) return status.error();
    }
    return std::move(grid_);
  }

 private:
  static Error cancelled() { return {ErrorCode::kCancelled, "the making of voxels was cancelled by the caller"}; }
  Error tooMany() const {
    return {ErrorCode::kLimit,
            fmt::format("voxels of {:g} m are too many for this scene: at most {} along each axis "
                        "and {} in all; choose larger ones",
                        static_cast<double>(side_) * bodies_.lattice.unit, kMaxVoxelSide, kMaxVoxels)};
  }

  Triple relative(const Point3& p) const {
    const Point3& low = bodies_.bounds.low;
    return {int64_t{p.x} - low.x, int64_t{p.y} - low.y, int64_t{p.z} - low.z};
  }

  void block(const vasfv::LatticeTriangle& t) {
    const Triangle triangle({relative(t[0]), relative(t[1]), relative(t[2])}, side_);
    triangle.eachVoxel(grid_.size, [&](uint32_t x, uint32_t y, uint32_t z) {
      uint8_t& free = grid_.free[grid_.index(x, y, z)];
      report_.touched += free;
      free = 0;
    });
  }

  // Numbers the components of free voxels from 1. No surface runs through one, so it lies in a body as a whole or not
  // at all.
  void label() {
    labels_.assign(grid_.free.size(), 0);
    const std::array<size_t, 3> step{1, grid_.size[0], size_t{grid_.size[0]} * grid_.size[1]};
    std::vector<size_t> open;
    for (size_t first = 0; first < grid_.free.size(); ++first) {
      if (grid_.free[first] == 0 || labels_[first] != 0) continue;
      firsts_.push_back(first);
      const auto number = static_cast<uint32_t>(firsts_.size());
      labels_[first] = number;
      open.assign(1, first);
      while (!open.empty()) {
        const size_t at = open.back();
        open.pop_back();
        const std::array<size_t, 3> place = placeOf(at);
        for (size_t axis = 0; axis < 3; ++axis) {
          for (const bool up : {false, true}) {
            if (up ? place[axis] + 1 >= grid_.size[axis] : place[axis] == 0) continue;
            const size_t next = up ? at + step[axis] : at - step[axis];
            if (grid_.free[next] == 0 || labels_[next] != 0) continue;
            labels_[next] = number;
            open.push_back(next);
          }
        }
      }
    }
    isBlocked_.assign(firsts_.size() + 1, 0);
  }
  std::array<size_t, 3> placeOf(size_t index) const {
    return {index % grid_.size[0], index / grid_.size[0] % grid_.size[1], index / grid_.size[0] / grid_.size[1]};
  }

  // Counts how often the line upwards from one voxel of each component crosses each closed body.
  void fillBodies() {
    struct Sample {
      Triple at;  // doubled units, so that centres are whole
      uint32_t component;
    };
    std::vector<Sample> samples;
    for (uint32_t i = 0; i < firsts_.size(); ++i) {
      const std::array<size_t, 3> place = placeOf(firsts_[i]);
      Triple at{};
      for (size_t axis = 0; axis < 3; ++axis) at[axis] = (2 * static_cast<int64_t>(place[axis]) + 1) * side_;
      samples.push_back({at, i + 1});
    }
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.at < b.at; });
    for (const vasfv::Body& body : bodies_.bodies) {
      if (!body.closed) continue;
      std::map<uint32_t, uint32_t> crossings;  // by component
      for (const vasfv::LatticeTriangle& t : body.triangles) {
        std::array<Triple, 3> corners{relative(t[0]), relative(t[1]), relative(t[2])};
        for (Triple& corner : corners) {
          for (int64_t& value : corner) value *= 2;
        }
        const auto [low, high] = std::minmax({corners[0][0], corners[1][0], corners[2][0]});
        auto sample = std::lower_bound(samples.begin(), samples.end(), low,
                                       [](const Sample& s, int64_t x) { return s.at[0] < x; });
        for (; sample != samples.end() && sample->at[0] <= high; ++sample) {
          if (isAbove(corners, sample->at)) ++crossings[sample->component];
        }
      }
      for (const auto& [component, count] : crossings) {
        if (count % 2 == 1) isBlocked_[component] = 1;
      }
    }
    for (size_t i = 0; i < grid_.free.size(); ++i) {
      if (grid_.free[i] == 0 || isBlocked_[labels_[i]] == 0) continue;
      grid_.free[i] = 0;
      ++report_.inside;
    }
  }

  // The side of p at the line from a to b in top view, with p moved by an infinitesimal so that it is never on it.
  static int sideOf(const Triple& a, const Triple& b, const Triple& p) {
    const Int128 turn = Int128{b[0] - a[0]} * (p[1] - a[1]) - Int128{b[1] - a[1]} * (p[0] - a[0]);
    if (turn != 0) return turn > 0 ? 1 : -1;
    if (b[1] != a[1]) return b[1] > a[1] ? -1 : 1;
    return b[0] > a[0] ? 1 : -1;
  }
  // Whether the line upwards from p passes the triangle.
  static bool isAbove(const std::array<Triple, 3>& t, const Triple& p) {
    const int side = sideOf(t[0], t[1], p);
    if (sideOf(t[1], t[2], p) != side || sideOf(t[2], t[0], p) != side) return false;
    const Triple n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    const Triple d = minus(p, t[0]);
    const Int128 height = Int128{n[0]} * d[0] + Int128{n[1]} * d[1] + Int128{n[2]} * d[2];
    return n[2] > 0 ? height < 0 : height > 0;
  }

  Status keepReached() {
    if (!settings_.seeds.empty()) {
      std::vector<uint8_t> isReached(firsts_.size() + 1, 0);
      for (const Vec3& seed : settings_.seeds) {
        const std::array<double, 3> at{(seed.x - grid_.origin.x) / grid_.voxel, (seed.y - grid_.origin.y) / grid_.voxel,
                                       (seed.z - grid_.origin.z) / grid_.voxel};
        uint32_t component = 0;
        if (at[0] >= 0 && at[0] < grid_.size[0] && at[1] >= 0 && at[1] < grid_.size[1] && at[2] >= 0 &&
            at[2] < grid_.size[2]) {
          component = labels_[grid_.index(static_cast<uint32_t>(at[0]), static_cast<uint32_t>(at[1]),
                                          static_cast<uint32_t>(at[2]))];
        }
        if (component == 0 || isBlocked_[component] != 0) {
          return Error{ErrorCode::kNotOnMesh,
                       fmt::format("the seed ({:g}, {:g}, {:g}) m is in no free voxel; move it off the surfaces, or "
                                   "choose smaller voxels",
                                   seed.x, seed.y, seed.z)};
        }
        isReached[component] = 1;
      }
      for (size_t i = 0; i < grid_.free.size(); ++i) {
        if (grid_.free[i] == 0 || isReached[labels_[i]] != 0) continue;
        grid_.free[i] = 0;
        ++report_.unreached;
      }
      for (size_t c = 1; c < isBlocked_.size(); ++c) {
        if (isReached[c] == 0) isBlocked_[c] = 1;
      }
    }
    report_.components = static_cast<uint32_t>(std::count(isBlocked_.begin() + 1, isBlocked_.end(), 0));
    return Done{};
  }

  const vasfv::SceneBodies& bodies_;
  int64_t side_;
  const SceneVoxelSettings& settings_;
  SceneVoxelReport& report_;
  VoxelGrid grid_;
  std::vector<uint32_t> labels_;    // per voxel; 0: not free
  std::vector<size_t> firsts_;      // the first voxel of each component
  std::vector<uint8_t> isBlocked_;  // per component
};

}  // namespace

Result<VoxelGrid> sceneVoxels(const Scene& scene, const SceneVoxelSettings& settings, const Context& context,
                              SceneVoxelReport* report) {
  try {
    if (!(settings.voxel >= 0.01 && settings.voxel <= 100)) {
      return Error{ErrorCode::kInvalidSettings,
                   fmt::format("a voxel of {} m is not possible; its side is 0.01 to 100 m", settings.voxel)};
    }
    GrowthSettings growth;
    growth.above = settings.above;
    growth.around = settings.around;
    growth.below = settings.below;
    growth.maxTriangles = kMaxTriangles;
    GrowthReport bodyReport;
    const Result<vasfv::SceneBodies> bodies = vasfv::sceneBodies(scene, growth, bodyReport);
    if (!bodies.ok()) return bodies.error();
    SceneVoxelReport own;
    own.triangles = bodyReport.triangles;
    own.closedBodies = bodyReport.closedBodies;
    own.openTriangles = bodyReport.openTriangles;
    const auto side = static_cast<int64_t>(std::llround(settings.voxel / bodies->lattice.unit));
    if (side < 1) {
      return Error{ErrorCode::kLimit, fmt::format("a voxel of {:g} m is finer than the unit of {:g} m that a scene of "
                                                  "this extent gets; choose larger ones",
                                                  settings.voxel, bodies->lattice.unit)};
    }
    Result<VoxelGrid> grid = Voxeliser(*bodies, side, settings, own).run(context);
    if (grid.ok() && report != nullptr) *report = own;
    return grid;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the voxels; choose larger ones"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the making of voxels failed: {}", exception.what())};
  }
}

}  // namespace wend
