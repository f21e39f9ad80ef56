#pragma once

#include <memory>

#include <wend/navmesh.h>
#include <wend/route.h>

// Routes of a point: Polyanya, or A* with the funnel.
namespace wend {

struct MeshAnalysis;

// Answers queries of radius 0 on one mesh of convex cells. Immutable: shared between threads, one PlanScratch each.
class PointPlanner {
 public:
  explicit PointPlanner(NavMesh mesh);
  // The same for the mesh after an edit of that of `before`; it answers as one made anew.
  PointPlanner(const PointPlanner& before, NavMesh mesh);
  // Every method but kAStar means Polyanya. kUnsupported for a radius above 0, cells that are not convex, and Polyanya
  // on overlapping cells.
  PathStatus plan(const PathQuery& query, PlanScratch& scratch, Route& route) const;

  const NavMesh& mesh() const;
  const Locator& locator() const;
  // Made when it is first asked for.
  const MeshAnalysis& analysis() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace wend
