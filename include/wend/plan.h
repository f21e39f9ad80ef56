#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <wend/navmesh.h>

// Routes on a mesh.
namespace wend {

enum class PlannerKind : uint8_t {
  kPolyanya,  // the true shortest path on the covered region, radius 0 (Cui, Harabor, Grastien 2017)
  kAStar,     // A* over cells and portals, then the funnel: fast, not always the shortest
};

enum class PathStatus : uint8_t {
  kFound,
  kStartOffMesh,  // the start is on no cell (inside an obstacle or outside the world)
  kGoalOffMesh,
  kUnreachable,   // no way from start to goal
  kBadQuery,      // NaN, infinity, or a negative radius
  kUnsupported,   // radius above 0 on a mesh without clearance
  kStartTooNear,  // the disk at the start reaches into an obstacle
  kGoalTooNear,
};
const char* statusName(PathStatus status);

struct DensityView;  // planning/density.h

struct PathQuery {
  Vec3 from;  // metres
  Vec3 to;
  bool withHeights = false;  // use z to choose the layer; otherwise the lowest layer under the point
  double radius = 0;         // metres, >= 0
  double clearance = 0;      // metres; the distance from obstacles to keep wherever there is room; at least the radius
  // Instead of the shortest way: 0 the middle of the room, -1 its left edge, 1 its right one, or between. Navigators
  // with a medial axis only.
  std::optional<double> side;
  PlannerKind planner = PlannerKind::kPolyanya;
  // Choose the way by the time that the crowd on it leaves, not by its length; null: by length. Only with a radius.
  const DensityView* density = nullptr;
  bool measure = true;  // fill in Route::clearance; with a medial axis it takes a fifth of the time
};

// An arc around a corner of an obstacle, on a route with a radius.
struct RouteArc {
  Vec2 centre;         // metres
  double radius = 0;   // metres
  double begin = 0;    // radians; direction from the centre to where the arc begins
  double sweep = 0;    // radians; positive counter-clockwise
  uint32_t first = 0;  // points[first] to points[last] stand for the arc
  uint32_t last = 0;
};

// The part of a portal that the centre of the disk may cross, seen in the direction of travel.
struct PortalRoom {
  Vec2 left;  // metres
  Vec2 right;
};

struct Route {
  std::vector<CellId> cells;      // crossed, in order
  std::vector<SideId> portals;    // portals[i] is the side by which cells[i] is left
  std::vector<Vec3> points;       // metres, start and goal included; z is the surface's height
  double length = 0;              // metres, projected; of the arcs, not of the polyline that stands for them
  double clearance = 0;           // metres; least distance from obstacles, 0 where the planner does not know
  std::vector<RouteArc> arcs;     // with a radius: the round parts, in order
  std::vector<PortalRoom> rooms;  // with a radius: one per portal
  // With a medial axis, for re-planning: the half-edges of the axis (2 * edge + reversed), the length walked of the
  // first one, and how far density was looked at, metres.
  std::vector<uint32_t> path;
  double pathLead = 0;
  double pathView = 0;
  void clear();
};

// Memory of one thread's queries; grows to the largest query and is then reused, so that a query allocates nothing.
class PlanScratch {
 public:
  PlanScratch();
  ~PlanScratch();
  PlanScratch(PlanScratch&&) noexcept;
  PlanScratch& operator=(PlanScratch&&) noexcept;

  uint64_t expanded = 0;  // search nodes expanded by the last query

  // What a Navigator keeps in the scratch between queries; one slot per kind of Navigator.
  struct Memory {
    virtual ~Memory() = default;
  };
  enum Slot : uint8_t { kMeshNavigator, kEcmNavigator, kWeightedGrid, kSlots };
  std::array<std::unique_ptr<Memory>, kSlots> memory;

 private:
  friend class Planner;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Answers queries on one mesh. Immutable: share it between threads, one PlanScratch each.
class Planner {
 public:
  explicit Planner(NavMesh mesh);
  // Fills `route` (its old contents are dropped, its memory reused).
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const;

  const NavMesh& mesh() const;
  const Locator& locator() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
