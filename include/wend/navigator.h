#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <wend/navmesh.h>
#include <wend/plan.h>

// What a crowd sees of a mesh. One implementation works on any NavMesh with its clearance table, one on the Explicit
// Corridor Map; the caller cannot tell them apart.
namespace wend {

struct NearestObstacle {
  Vec3 point;           // metres
  double distance = 0;  // metres, in top view
};

// A star-shaped polygon in top view, counter-clockwise; lifted to the layers it passes.
struct VisibilityPolygon {
  std::vector<Vec3> points;  // metres
  std::vector<uint8_t>
      window;  // window[i]: the side from points[i] to the next is no wall (range limit, or a sight line)
};

// Thread safety: const and shared; each thread brings its own scratch.
class Navigator {
 public:
  virtual ~Navigator() = default;

  virtual const NavMesh& mesh() const = 0;
  // Cell under a place, or kNone.
  virtual CellId locate(Vec3 metres, bool withHeights) const = 0;
  // Route for a disk; honours query.radius and query.clearance.
  virtual PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const = 0;
  // Whether a disk of that radius can get from one place to the other at all; cheaper than plan().
  virtual PathStatus reachable(const PathQuery& query, PlanScratch& scratch) const = 0;
  virtual std::optional<NearestObstacle> nearestObstacle(Vec3 metres, bool withHeights, PlanScratch& scratch) const = 0;
  // The free room seen from a place, up to `range` metres (0 = unlimited). False off the mesh.
  virtual bool visibility(Vec3 metres, bool withHeights, double range, PlanScratch& scratch,
                          VisibilityPolygon& out) const = 0;
  // The largest radius of a disk that can travel the straight segment; negative if the segment is blocked or off the
  // mesh.
  virtual double straightClearance(Vec3 from, Vec3 to, bool withHeights, PlanScratch& scratch) const = 0;
};

}  // namespace wend
