#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/navmesh.h>
#include <wend/route.h>

// Which parts of the world the routes of all agents run through, coarsely: an edit finds those that it may concern
// without reading the others. Routes are known by the number of their record.
namespace wend {

class RouteIndex {
 public:
  // Divides the box of the mesh into parts; routes may leave it.
  void fit(const NavMesh& mesh);
  bool isFit() const { return scaleX_ > 0; }

  // `onAxis`: the graph of a medial axis decides which route is the best. `detour`: how many times as long a better way
  // may be.
  void set(uint32_t record, const Route& route, bool onAxis, double detour);
  bool isOnAxis(uint32_t record) const { return signs_[record].onAxis; }
  // Of an agent without a way: whatever becomes free may give it one.
  void setBlocked(uint32_t record);
  void resize(size_t records) { signs_.resize(records); }
  // Record i is the one that was order(i).
  template <typename Order>
  void reorder(size_t records, Order&& order) {
    spare_.resize(records);
    for (size_t i = 0; i < records; ++i) spare_[i] = signs_[order(i)];
    signs_.swap(spare_);
  }

  // Metres, top view.
  struct Area {
    Vec2 min;
    Vec2 max;
  };
  // The parts that an area meets, with so many metres around it.
  using Parts = std::array<uint64_t, 4>;
  void addParts(const Area& area, double around, Parts& parts) const;

  // Whether a route may come through one of the parts: false is certain.
  bool meets(uint32_t record, const Parts& parts) const {
    const Parts& own = signs_[record].parts;
    return ((own[0] & parts[0]) | (own[1] & parts[1]) | (own[2] & parts[2]) | (own[3] & parts[3])) != 0;
  }
  // Whether a way from `at` through one of the areas to the end of the route may be better than all of the route.
  bool mayShorten(uint32_t record, Vec2 at, std::span<const Area> areas) const;

 private:
  static constexpr int kSide = 16;
  struct Sign {
    Parts parts{};
    float goalX = 0;
    float goalY = 0;
    float length = -1;  // of a better way, metres, rounded up
    bool onAxis = false;
  };
  void addSegment(Vec2 a, Vec2 b, Parts& parts) const;
  int columnOf(double x) const;
  int rowOf(double y) const;

  Vec2 low_;
  double scaleX_ = 0;
  double scaleY_ = 0;
  std::vector<Sign> signs_;
  std::vector<Sign> spare_;
};

}  // namespace wend
