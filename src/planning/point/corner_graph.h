#pragma once

#include <limits>
#include <vector>

#include "planning/open_list.h"
#include "planning/point/search.h"
#include "planning/point/thin_view.h"

// The shortest path of a point over corners that see each other. The planner uses it instead of Polyanya where that
// would expand thousands of intervals: between curved walls no rule drops an interval, but there are only hundreds of
// corners. T. Lozano-Pérez, M. Wesley: An algorithm for planning
// collision-free paths among polyhedral obstacles (1979).
namespace wend {

// Which corners each corner sees, filled in as searches need it, and the memory of one search. For one mesh at a time.
class CornerGraph {
 public:
  // On larger meshes the corners would rarely be known already when a search needs them.
  static constexpr size_t kMostCorners = 4096;
  // Pairs of corners that are kept: 16 bytes each.
  static constexpr size_t kMostEdges = size_t{1} << 20;

  // Fills the bends of `path`, none if the ends see each other. False without a path, or on a mesh of more corners.
  // Each corner costs the sides in sight once; the answer does not depend on what is known already. `serial` names the
  // mesh.
  bool search(uint64_t serial, const NavMesh& mesh, const MeshAnalysis& analysis, const SearchEnds& ends,
              SearchPath& path, uint64_t& expanded);

  size_t memory() const { return edges_.capacity() * sizeof(Edge) + corners_.capacity() * sizeof(Corner); }

 private:
  struct Edge {
    VertexId to;
    double length;
  };
  // What is known of a vertex.
  struct Corner {
    SideId side = kNone;  // one that begins here
    VertexId wallBefore = kNone;
    VertexId wallAfter = kNone;
    uint32_t first = kNone;  // of its edges; kNone before the first look
    uint32_t count = 0;
  };
  struct Cone {
    SideId side;  // of the cell to be looked into; runs from its left to its right end
    VertexId left;
    VertexId right;
    uint32_t depth;  // cells that the view passed before this one
  };
  struct Node {
    double g = std::numeric_limits<double>::infinity();  // length of the way to it
    double rest = 0;  // at least this is missing; exactly this where it sees the goal
    VertexId before = kNone;
    bool seesGoal = false;
  };
  struct Root {
    Vec2 place;
    VertexId vertex;  // or kNone
    std::span<const CellId> cells;
  };

  void begin(uint64_t serial, const NavMesh& mesh);
  bool isTangent(VertexId corner, Vec2 from) const;
  void cellsAround(VertexId corner);
  // Calls sees(corner, distance) for every corner in sight at which a shortest path may bend, at both ends.
  template <typename Sees>
  void look(const Root& root, const Sees& sees);
  template <typename Sees>
  void show(const Root& root, VertexId corner, const Sees& sees);
  template <typename Sees>
  void lookThrough(const Root& root, const Cone& cone, const Sees& sees);
  void expand(VertexId corner);

  const NavMesh* mesh_ = nullptr;
  const MeshAnalysis* analysis_ = nullptr;
  uint64_t serial_ = 0;
  size_t count_ = 0;  // of corners where a path may bend
  std::vector<Corner> corners_;
  std::vector<Edge> edges_;
  std::vector<Cone> cones_;
  PassedCells passed_;
  std::vector<CellId> around_;
  const SearchEnds* wanted_ = nullptr;  // while the goal is searched in the view of the start
  bool isGoalSeen_ = false;
  StampedSet shown_;
  QueryStamp lookStamp_;
  StampedArray<Node> nodes_;
  QueryStamp stamp_;
  OpenList open_;
};

}  // namespace wend
