#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/crowd.h>

#include "crowd/follow/follow.h"
#include "crowd/local/group.h"
#include "crowd/move.h"
#include "crowd/neighbours/neighbour_lanes.h"

// The state of all agents, in three parts. The quantities that neighbours read lie in one array each, in the order of
// the neighbour grid; a "slot" is a position in that order and changes every step. The quantities that only the agent
// itself needs in each step are one Motion per slot. Routes and other data that is rarely used stay in records, which
// are sorted into the same order from time to time.
namespace wend {

inline constexpr uint32_t kMaxContacts = 16;

// Slots of others, nearest first.
struct ContactList {
  uint32_t count = 0;
  std::array<uint32_t, kMaxContacts> slots;
  std::span<const uint32_t> all() const { return {slots.data(), count}; }
};
struct NeighbourList {
  uint32_t count = 0;
  std::array<uint32_t, kAvoidNeighbours> slots;
  std::span<const uint32_t> all() const { return {slots.data(), count}; }
};

// How an agent moves.
struct alignas(64) Motion {
  uint32_t record = kNone;
  float speed = 0;           // preferred, m/s
  Vec2f velocity;            // of the last step as it was, pushes included, m/s
  Vec2f preferred;           // m/s
  Vec2f heading;             // unit, or 0 before the first move
  float stuckFor = 0;        // s, the jam clock
  Vec2f wish;                // unit: the direction that others expect it to take, or zero
  bool stepsBack = false;    // it gives way to others
  Vec2f givesWay;            // unit: the direction in which it stepped back in the last step, or zero
  int32_t lastSide = 0;      // of the preferred direction, chosen by the avoidance
  bool looksAround = false;  // avoidance sees those behind too
  bool streams = false;      // joins streams: walks, and its profile says so
  bool isDriven = false;     // a disk of a body: crowd_bodies.cpp
  AvoidMethod avoid = AvoidMethod::kNone;
  uint32_t profile = 0;          // as in the record, which lies anywhere in memory
  float late = 0;                // 0: in time; 1: on its route for twice the expected time
  float crowdedFor = 0;          // s, in the densest class
  float slowFor = 0;             // s, slower than kSlow times its speed
  uint32_t densityCell = kNone;  // where it is counted
  float toGoal = 0;              // metres along the route; while it walks
  float reach = 0;               // metres; how far to look for neighbours at first
  NearWalls walls;
};

// The state of an agent at the begin of the step, as others read it when they choose their velocity. Half a cache line,
// so that one access to memory reads it.
struct alignas(32) Glance {
  Point at;
  CellId cell = kNone;
  AgentId id = kNone;
  Vec2f velocity;
  float radius = 0;
  float free = 0;  // metres around the agent known to be without walls
};

// A disk without walls around an agent, which need not be its centre.
struct OpenDisk {
  Point centre;
  float radius = -1;  // metres; negative: none known
};

enum class RouteState : uint8_t {
  kNone,    // no goal, or arrived: stands
  kWanted,  // to be planned in the next step
  kWalking,
  kBlocked,  // there is none
};

struct AgentRecord {
  AgentId id = kNone;
  uint32_t profile = 0;
  Vec3 goal;    // metres, on the surface
  Vec3 target;  // where the route ends: the goal, or the nearest place to it where the disk fits
  double goalRadius = 0.5;
  RouteState state = RouteState::kNone;
  uint64_t plannedAt = 0;  // frame in which it set out for the goal
  float expected = 0;      // s that the route takes at preferred speed
  uint64_t replanAt = 0;   // frame
  float lostFor = 0;       // s
  AgentId rejoin = kNone;  // the member of its group that the route leads to instead of the goal
  MemberState member;      // of its group
  bool isDriven = false;   // as in the motion
  uint32_t hops = kNone;   // row of the next hops, for RouteMethod::kTable; found anew after loading
  FollowState follow;
  uint32_t routeEdit = 0;  // the edit of the world after which the ids in its route were right
  uint32_t knows = 0;      // the version of the world that it believes in, and that its route belongs to
  Route route;
};

struct Agents {
  std::vector<int32_t> x;  // lattice
  std::vector<int32_t> y;
  std::vector<CellId> cell;  // holds the point x, y
  std::vector<float> vx;     // m/s, as others expect it to go on: before contact
  std::vector<float> vy;
  std::vector<float> radius;  // metres
  std::vector<AgentId> id;
  std::vector<GroupId> group;
  std::vector<Motion> motion;
  std::vector<Glance> glance;  // made in each step
  std::vector<OpenDisk> open;  // likewise
  std::vector<Vec2f> bound;    // likewise: unit, straight towards the end of its route, or zero
  // The positions at the begin of the step, with kScanPadding entries more than there are agents.
  std::vector<int32_t> startX;
  std::vector<int32_t> startY;
  std::vector<float> startRadius;

  void resizeStart() {
    startX.resize(size() + kScanPadding);
    startY.resize(size() + kScanPadding);
    startRadius.resize(size() + kScanPadding);
  }
  size_t size() const { return x.size(); }
  Point at(uint32_t slot) const { return {x[slot], y[slot]}; }
  template <typename F>
  void eachArray(F&& f) {
    f(x);
    f(y);
    f(cell);
    f(vx);
    f(vy);
    f(radius);
    f(id);
    f(group);
    f(motion);
  }
  void swapArrays(Agents& other) {
    x.swap(other.x);
    y.swap(other.y);
    cell.swap(other.cell);
    vx.swap(other.vx);
    vy.swap(other.vy);
    radius.swap(other.radius);
    id.swap(other.id);
    group.swap(other.group);
    motion.swap(other.motion);
  }
};

}  // namespace wend
