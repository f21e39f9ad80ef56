#pragma once

#include <deque>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "crowd/contact.h"
#include "crowd/crowd_hops.h"
#include "crowd/local/avoid.h"
#include "crowd/local_obstacles.h"
#include "crowd/route_index.h"
#include "planning/density/density.h"
#include "planning/region/weighted_grid.h"
#include "planning/replan/replan_queue.h"
#include "planning/replan/world_versions.h"

// The inside of Crowd, shared by the files that implement it: crowd.cpp (agents come and go), crowd_step.cpp (a frame),
// crowd_plan.cpp (routes), crowd_replan.cpp (routes after a change), crowd_groups.cpp (groups), crowd_bodies.cpp
// (bodies), crowd_world.cpp (the mesh changes), crowd_edit.cpp (in part), crowd_state.cpp (save, load, hash).
namespace wend {

class RouteKeeper;

// The memory of one thread; taken for a block of work and given back.
struct CrowdWorker {
  PlanScratch plan;
  WallFloodScratch flood;
  std::vector<LocalView> views;
  std::vector<NeighbourList> neighbours;
};

class CrowdWorkers {
 public:
  class Lease {
   public:
    explicit Lease(CrowdWorkers& pool) : pool_(pool), worker_(pool.take()) {}
    ~Lease() { pool_.give(std::move(worker_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    CrowdWorker* operator->() { return worker_.get(); }
    CrowdWorker& operator*() { return *worker_; }

   private:
    CrowdWorkers& pool_;
    std::unique_ptr<CrowdWorker> worker_;
  };
  void clear() { free_.clear(); }

 private:
  std::unique_ptr<CrowdWorker> take();
  void give(std::unique_ptr<CrowdWorker> worker);

  std::mutex mutex_;
  std::vector<std::unique_ptr<CrowdWorker>> free_;
};

struct Crowd::Impl {
  Navigator navigator;
  std::vector<CrowdProfile> profiles;
  CrowdSettings settings;
  Ground ground;
  mutable std::optional<uint64_t> meshHash;  // of the mesh, from the first request on
  Locator locator;
  std::vector<double> flatHeight;  // per layer; not a number where the layer is not flat
  PeriodicStrip strip;
  std::unique_ptr<DensityMap> density;
  std::shared_ptr<const RegionField> regions;           // null: none
  std::vector<RegionCosts> regionCosts;                 // per profile, if there are regions
  LocalObstacles obstacles;                             // of settings.localObstacles
  std::vector<std::unique_ptr<WeightedGrid>> weighted;  // by ascending radius
  std::vector<std::optional<Navigator>> planners;       // per profile: that of planOn()
  WorldVersions versions;                               // the newest is that of `navigator`
  ReplanQueue waiting;                                  // agents that noticed a change and have no new route yet
  std::unique_ptr<CrowdHops> hops;                      // of profiles with RouteMethod::kTable
  RouteIndex routes;                                    // by record
  uint32_t edits = 0;                                   // that followEdit() has seen
  std::vector<uint32_t> edgeEdits;                      // per edge of the axis: the last edit that changed it
  double largestDisk = 0;                               // of those that agents saw free, metres

  // A body, as disks that are agents without a goal.
  struct Body {
    BodyId id = kNone;
    LayerId layer = 0;
    std::vector<Vec2> outline;  // around its own point
    Placement place;            // now
    Placement next;             // after the next step
    std::vector<Vec2> offsets;  // of the disks, around its own point
    std::vector<AgentId> disks;
  };
  std::vector<Body> bodies;  // by id
  BodyId nextBody = 0;
  size_t driven = 0;                // disks of bodies among the agents
  std::vector<uint32_t> drivenNow;  // of a step: their slots

  uint64_t frame = 0;
  AgentId nextId = 0;
  Agents agents;
  std::vector<AgentRecord> records;
  std::vector<uint32_t> slotOfRecord;  // kNone: the agent is gone
  std::vector<uint32_t> byId;          // records in the order of ids; those of agents that are gone until tidy()
  std::vector<uint32_t> freeRecords;
  std::deque<AgentRecord> pool;    // of agents that left, the first to leave first: their memory is used again
  uint64_t constructed = 0;        // records ever made
  bool isTidy = true;              // no agent of `byId` is gone
  std::vector<CrowdEvent> events;  // of this frame, and of calls since the last one
  NeighbourGrid grid;
  float largestRadius = 0;
  float largestSpeed = 0;
  Overlap overlap;
  CrowdTimes times;

  // Of a step: by slot.
  std::vector<ContactList> contacts;
  std::vector<Vec2f> wanted;  // velocity before contact, m/s
  std::vector<int32_t> nextX;
  std::vector<int32_t> nextY;
  std::vector<CellId> nextCell;
  std::vector<uint8_t> happened;
  std::vector<Overlap> blockOverlap;
  struct Largest {
    float radius = 0;
    float speed = 0;
    double disk = 0;
  };
  std::vector<Largest> blockLargest;
  Agents spare;  // the other buffers of the sort
  std::vector<AgentRecord> spareRecords;
  std::vector<uint8_t> dueKind;    // 3: after a change; 2: has no route; 1: its time has come
  std::vector<uint32_t> turns;     // agents whose turn it is after a change
  std::vector<uint8_t> notices;    // per slot
  std::vector<uint32_t> due;       // slots to be planned for
  std::vector<uint32_t> inGroups;  // slots of members that walk, by group and id
  std::vector<uint32_t> groupStarts;
  std::vector<CrowdEvent> delivered;  // memory of step()
  CrowdWorkers workers;

  // The caller's view, made on demand.
  mutable std::vector<AgentState> states;
  mutable bool statesValid = false;

  Status setWorld(Navigator given);
  // Puts the agents of the old world into the new one, which is set already: each where it was, or where it can go.
  struct OldWorld {
    Navigator navigator;
    Ground ground;
    Locator locator;
    std::vector<double> heights;  // of each slot, metres
  };
  OldWorld leaveWorld(const Context& context) const;
  void settleAgents(const OldWorld& before, const UpdateReport* report, ChangeKind kind, const Context& context);
  // The same in the time of what an edit changes: crowd_edit.cpp.
  bool followsEdits() const;
  // Whether a profile learns of edits by sight or when it meets them.
  bool learnsLate() const;
  void followEdit(Navigator given, const UpdateReport& report, const Context& context);
  void freshen(AgentRecord& record) const;
  // Edges of the axis that an edit changed, ascending; the areas that they take up with their clearance, before and
  // after it; and a point of each new one, as an area: a way over an edge passes all its points.
  struct ChangedEdges {
    std::vector<uint32_t> edges;
    std::vector<RouteIndex::Area> areas;
    std::vector<RouteIndex::Area> passed;
  };
  ChangedEdges changedEdges(const std::shared_ptr<const CorridorMap>& was,
                            const std::shared_ptr<const CorridorMap>& now, const RouteKeeper& keeper) const;
  void noteEdges(const ChangedEdges& changed, size_t count);
  void forgetSurroundings(const Ground::Next& next, const OldWorld& before, const RouteKeeper& keeper);
  void settleNear(const OldWorld& before, const RouteKeeper& keeper, const Context& context);
  void findConcerned(const UpdateReport& report, const RouteKeeper& keeper, const Context& context);
  void findOnAxis(const ChangedEdges& changed, const RouteKeeper& keeper, uint32_t old, const Context& context);
  void keepBeliefs(uint32_t old, bool opens);
  void followRegions(const RouteKeeper& keeper, const std::vector<SetCost>& costsBefore, const Context& context);
  void keepAwaited();
  // Whether the graph of the axis decides which route of an agent is the best.
  bool isOnAxis(const AgentRecord& record) const;
  bool knowsNewest(const AgentRecord& record) const { return record.knows >= versions.newest(); }
  void indexRoutes();
  uint64_t hashOfMesh() const;
  uint64_t hashOfSettings() const;
  void setRegions(const Environment& environment);
  void setRegionCosts();
  // Takes everything but the agents from another crowd, which is left empty.
  void adoptWorld(Impl& other);
  template <typename Sink>
  void write(Sink& sink) const;
  bool isSound(const AgentRecord& record, const AgentPlace& place, const Motion& motion, float radius) const;
  double height(Vec2 metres, LayerId layer) const {
    return std::isnan(flatHeight[layer]) ? locator.height(metres, layer) : flatHeight[layer];
  }
  Vec3 placeOf(uint32_t slot) const;
  AgentState stateOf(uint32_t slot) const;
  uint32_t slotOf(AgentId agent) const;  // kNone if it is gone
  AgentRecord& recordAt(uint32_t slot) { return records[agents.motion[slot].record]; }
  AgentRecord takeRecord();
  void erase(uint32_t slot);
  void tidy();
  Status admit(const AgentStart& start, AgentPlace& place, NearWalls& walls);
  void insert(AgentRecord record, const AgentPlace& place, float radius, GroupId group, const Motion& motion);
  void setGoal(AgentRecord& record, const Place& goal, double goalRadius);

  // Substeps, in the order of a frame.
  void sortAgents(const Context& context);
  void sortRecords(const Context& context);
  void planRoutes(const Context& context);
  void followRoutes(const Context& context);
  void walkInGroups(const Context& context);
  void chooseVelocities(const Context& context);
  void moveAgents(const Context& context);
  void separateAgents(const Context& context);
  void finish(const Context& context);
  void updateDensity(const Context& context);
  void noticeCrowding(const Context& context);

  void driveBodies();
  void placeBodies();
  void walkInGroup(std::span<const uint32_t> slots, const Neighbours& near);
  PathStatus planRoute(AgentRecord& record, uint32_t slot, CrowdWorker& worker) const;
  PathStatus replanRoute(AgentRecord& record, uint32_t slot, CrowdWorker& worker, bool& changed) const;
  PathQuery queryFor(const AgentRecord& record, uint32_t slot, DensityView& seen) const;
  PathStatus replanAfterChange(AgentRecord& record, uint32_t slot, CrowdWorker& worker, bool& changed) const;
  ReplanTrigger noticeOf(const AgentRecord& record) const;
  // After a change of the world: which agents keep their routes, wait, or do not know yet.
  void adaptRoutes(const Context& context);
  void noticeChanges(const Context& context);
  void forgetVersions();
  bool replans(const AgentRecord& record) const;
  bool isDue(const AgentRecord& record, const Motion& motion) const;
  uint64_t replanFrame(const AgentRecord& record, bool first) const;
  void chooseDue(const Context& context);
  bool isWeighted(const AgentRecord& record) const;
  // Its route has points alone: neither cells nor an axis of the mesh that it walks on.
  bool plansApart(const AgentRecord& record) const {
    return isWeighted(record) || planners[record.profile].has_value();
  }
  PathStatus planElsewhere(const Navigator& planner, AgentRecord& record, uint32_t slot, CrowdWorker& worker) const;
  // How many times as long as its route a cheaper way may be.
  double detourOf(const AgentRecord& record) const;
  const WeightedGrid* weightedGrid(double radius) const;
  void makeWeightedGrids(const Context& context);
  bool usesHops(const AgentRecord& record) const;
  void findHops(const Context& context);
  PathStatus planByHops(AgentRecord& record, uint32_t slot) const;
  bool shareGoal(uint32_t i, uint32_t j) const;
  ObstacleView obstacleView(uint32_t slot) const;
  void displace(uint32_t slot, Vec2f by, float most, double free, AgentPlace& place, WallFloodScratch& flood);
  void lookAround(uint32_t slot, const Neighbours& near, const NeighbourList& neighbours, LocalView& view) const;
  Neighbours neighbours() const;
  bool agentsAreInCells() const;
  template <typename F>
  void eachBlock(const Context& context, F&& work) const;
};

// An agent slower than `kSlow * speed` for kSlowPatience seconds re-plans.
inline constexpr float kSlow = 0.2F;
inline constexpr float kSlowPatience = 5;  // s

// One thread handles all agents of a block, so sums over a block do not depend on the number of threads.
inline constexpr size_t kBlock = 1024;

// Records lie anywhere in memory: they are prefetched this many agents ahead.
inline constexpr uint32_t kAhead = 16;

template <typename F>
void Crowd::Impl::eachBlock(const Context& context, F&& work) const {
  const size_t blocks = (agents.size() + kBlock - 1) / kBlock;
  parallelFor(blocks, context, [&](size_t block) {
    const auto begin = static_cast<uint32_t>(block * kBlock);
    work(block, begin, static_cast<uint32_t>(std::min(agents.size(), (block + 1) * kBlock)));
  });
}

}  // namespace wend
