#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/edit.h>
#include <wend/navigator.h>

// Agents on a world. W. van Toll: Navigation for characters and crowds in complex virtual environments (2017), chapters
// 9 and 10: global route, route following, local movement, each chosen per profile.
//
// Hard guarantee: the centre of an agent lies in the closed cell it is assigned to, reached by a walk through portals,
// and its disk keeps out of every wall by its radius, or by as much as the free width allows (an agent wider than that
// keeps to the middle).
namespace wend {

enum class RouteMethod : uint8_t {
  kShort,     // the shortest that keeps the profile's clearance wherever there is space
  kMedial,    // in the middle of the free width
  kLeft,      // along its left side
  kRight,     // along its right side
  kSide,      // between: CrowdProfile::side
  kWeighted,  // the cheapest over labelled regions, with the profile's own costs
  kFastest,   // the one that takes the least time, with the profile's own speeds in labelled regions
  kTable,     // none: the next hop towards the goal is read in each step (next_hop_table.h); for crowds with few goals.
              // Follows the vector field of passage coverage; FollowMethod::kCentres aims at the middle of portals
};
enum class FollowMethod : uint8_t {
  kIrm,        // the farthest point of the route in the largest empty disk around the agent
  kMiran,      // the best point of the route in straight sight, by region costs
  kWaypoints,  // a dynamic way point: a place on the next portal that depends on the place of the agent
  kCentres,    // the middle of the next portal: for comparison
};
enum class AvoidMethod : uint8_t {
  kVision,           // Moussaid, Helbing, Theraulaz 2011
  kKaramouzas,       // Karamouzas, Overmars 2010: velocity sampling
  kPredictive,       // Karamouzas, Heil, van Beek, Overmars 2009: predictive forces
  kPowerLaw,         // Karamouzas, Skinner, Guy 2014
  kOrca,             // van den Berg, Guy, Lin, Manocha 2011
  kSocialForce,      // Helbing, Farkas, Vicsek 2000
  kSpeed,            // Tordeux, Chraibi, Seyfried 2016: collision-free speed
  kNone,             // the preferred velocity as it is: contact and walls alone
  kSocialForce1995,  // Helbing, Molnar 1995: elliptical territories
  kAnticipation,     // Xu, Chraibi, Seyfried 2021: anticipation velocity model
  kSpeedTurn,        // collision-free speed with rotational steering, JuPedSim's third variant
};

const char* methodName(RouteMethod method);
const char* methodName(FollowMethod method);
const char* methodName(AvoidMethod method);

// How a kind of agent moves. Lengths in metres, speeds in m/s, times in seconds.
struct CrowdProfile {
  std::string name = "person";
  RouteMethod route = RouteMethod::kShort;
  double side = 0;         // -1 left edge, 0 middle, 1 right edge; for kSide
  double clearance = 0.5;  // 0 to 10 m; kept from obstacles where there is space; includes the radius
  FollowMethod follow = FollowMethod::kIrm;
  AvoidMethod avoid = AvoidMethod::kVision;
  bool stream = true;  // adapt to neighbours that walk the same way (van Goethem et al. 2015)
  // Headway: walking speed is at most (distance to the agent ahead - bodyLength) / timeGap. Measured time gaps are 0.4
  // to 1.1 s; shorter ones pass more agents through doors. timeGap 0 switches headway off.
  double timeGap = 0.55;     // 0 to 5 s
  double bodyLength = 0.48;  // 0 to 2 m between centres of a standing queue; at least the two radii count
  int keepSide = 1;          // where others come the opposite way: 1 keeps right, -1 left, 0 neither

  double densityWeight = 1;  // 0: ignores the crowd; 1: the estimated fastest route; more: avoids crowds
  double densityView = std::numeric_limits<double>::infinity();  // > 0 m; how far along the route density counts
  double replanEvery = 5;                                        // 0 = never, to 1e4 s
  FundamentalDiagram diagram = FundamentalDiagram::kLinear;

  // After a change of the world (apply, setNavigator). A route that the change cannot concern stays. The others are
  // planned anew: by this method if densityWeight is 0, else by density.
  ReplanMethod afterChange = ReplanMethod::kOdpa;
  // When the agent learns of a change. Until then it plans on the world that it knows. kSight and kNextEdge need
  // FollowMethod::kIrm or kMiran; with the others an agent knows at once.
  ReplanTrigger notice = ReplanTrigger::kInstant;
  double sight = 0;  // 0 to 1e4 m; how far the agent sees a change; 0 = any distance. For kSight

  std::map<std::string, double> regionCost;   // label -> cost per metre, 0.01 to infinity; 1 where not named
  std::map<std::string, double> regionSpeed;  // label -> factor on the speed, 0.01 to 2; 1 where not named
};

using AgentId = uint32_t;  // given in order, never reused
using GroupId = uint32_t;  // kNone: alone

struct AgentStart {
  Place at;
  Place goal;
  double radius = 0.24;  // 0.05 to 2 m
  double speed = 1.4;    // preferred, 0.05 to 5 m/s
  uint32_t profile = 0;  // index
  GroupId group = kNone;
  double goalRadius = 0.5;  // the goal is reached within this; at least the radius counts
};

// One agent as the caller sees it.
struct AgentState {
  AgentId id = kNone;
  Vec3 position;  // metres; z is the height of the surface
  Vec2 velocity;  // m/s
  Vec2 heading;   // unit vector, or 0, 0 before the first move
  CellId cell = kNone;
  LayerId layer = 0;
  double radius = 0;
};

// A body that moves through the crowd: a vehicle, a trolley, a wall that slides. The world does not contain it, so
// routes ignore it. Agents avoid it as they avoid each other; nothing pushes it. When it stops, remove it and add an
// obstacle in its place (World::apply), so that routes lead around it.
struct BodyStart {
  std::vector<Vec2> outline;  // metres, around the point that `place` puts somewhere; 2 points: a wall
  Placement place;
  LayerId layer = 0;
};
using BodyId = uint32_t;  // given in order, never reused
struct BodyState {
  BodyId id = kNone;
  std::vector<Vec2> outline;  // metres, where it is now
  LayerId layer = 0;
};

enum class CrowdEventKind : uint8_t {
  kGoalReached,
  kRouteBlocked,  // no path to the goal for this radius, at planning or after a change of the mesh
  kOvercrowded,   // stood in the densest class for 10 s
  kLostGroup,     // does not see its group any more
  kDisplaced,     // a change of the mesh pushed it to the nearest free place of its component
  kRemoved,       // a change of the mesh left it no place
};
const char* eventName(CrowdEventKind kind);

struct CrowdEvent {
  CrowdEventKind kind;
  AgentId agent = kNone;
};

struct CrowdSettings {
  double step = 0.1;         // (0, 0.5] s
  uint64_t seed = 1;         // of the agents' private choices
  int separationSweeps = 4;  // 0 to 16; passes that push overlapping disks apart after each step
  // Routes planned anew per step at most, 0 = no limit: first those that a change of the world concerns, in the order
  // in which the agents noticed it, then those whose time has come. New goals are not limited.
  uint32_t replanBudget = 0;
  double jamPatience = 1;  // s; agents that stand this long turn aside a little
  // For measurements in endless corridors: the line at x = periodicFrom joins to that at periodicTo. Equal: none.
  double periodicFrom = 0;
  double periodicTo = 0;
  // Regions with these labels are obstacles of the local movement: agents walk around them, planners do not know them.
  // For small things. "object" is what a top view leaves out (image/range_image.h). Empty: none.
  std::vector<std::string> localObstacles = {"object"};
};

// Time of each substep of the last step, seconds.
struct CrowdTimes {
  double replanning = 0, following = 0, neighbours = 0, groups = 0, stream = 0, avoidance = 0, movement = 0,
         separation = 0, density = 0;
  double total() const;
};

// A crowd simulation. One thread calls it; step() uses context.threads threads inside and gives the same bits for any
// number. Agents are added, removed and given goals between steps.
class Crowd {
 public:
  static Result<Crowd> make(Navigator navigator, std::vector<CrowdProfile> profiles, const CrowdSettings& settings);
  Crowd(Crowd&&) noexcept;
  Crowd& operator=(Crowd&&) noexcept;
  ~Crowd();

  // Errors: off the mesh, nearer to a wall than fits, a bad number. Overlapping agents are pushed apart. An unreachable
  // goal is not an error: the agent stands, and step() reports an event.
  Result<AgentId> add(const AgentStart& start);
  // All these do nothing for an agent that is gone.
  void remove(AgentId agent);
  void setGoal(AgentId agent, const Place& goal, double goalRadius = 0.5);
  // The agent stands where it is until it gets a goal.
  void stop(AgentId agent);
  void setSpeed(AgentId agent, double speed);
  // The crowd holds the members of a group together, so all of them need the same goal. An agent with another goal must
  // leave the group (kNone) or join another one.
  void setGroup(AgentId agent, GroupId group);
  // Puts an agent elsewhere, on any component (a lift, a turnstile). It stands there and plans anew if it has a goal.
  // Errors as for add(); then it stays where it is.
  Status moveTo(AgentId agent, const Place& place);
  // Bodies. The outline is covered by at most kBodyDisks disks of at most 1 m. Agents keep out of them as far as walls
  // and other agents allow; an agent caught between a body and a wall overlaps the body. Errors: fewer than two points,
  // a coordinate that is not finite, too many disks, or no part of the body on the mesh.
  static constexpr size_t kBodyDisks = 1024;
  Result<BodyId> addBody(const BodyStart& start);
  // Where the body is after the next step; without a call it stays. Walls stop the parts of it that meet them.
  void moveBody(BodyId body, const Placement& place);
  void removeBody(BodyId body);
  std::vector<BodyState> bodies() const;

  // An edit changed the world (World::apply), between two steps. Agents keep their place where it is still free; else
  // they go to the nearest free place by walking in what was free before (kDisplaced); else they are removed
  // (kRemoved). No agent is left inside an obstacle. Routes that the change cannot concern stay. The others are planned
  // anew once their agents notice it: CrowdProfile::afterChange and notice. Profiles take the world's costs. The second
  // form takes a navigator that makeNavigator(update.world) gave.
  Status apply(const WorldUpdate& update, const Context& context);
  Status apply(const WorldUpdate& update, Navigator navigator, const Context& context);
  // Another world altogether: as apply(), without the help of a report. `kind` matters to ReplanMethod::kDpa alone.
  Status setNavigator(Navigator navigator, const Context& context, ChangeKind kind = ChangeKind::kMixed);
  // Agents of this profile plan on another world than they walk in: one in which more is closed (stairs, for
  // wheelchairs). They plan without densities and labelled regions, and need FollowMethod::kIrm or kMiran. The route of
  // an agent on closed ground begins with the nearest open place. Routes of the profile are planned anew. Call it again
  // after the world changed. A navigator without a world ends it.
  Status planOn(uint32_t profile, Navigator navigator);

  // One frame. At its end `planner` gets the events of the frame, in the order of agent ids; it may call any of the
  // above.
  void step(const Context& context, const std::function<void(Crowd&, const CrowdEvent&)>& planner = {});

  uint64_t frame() const;  // steps done
  double time() const;     // frame * step
  size_t size() const;
  // Agents whose memory was made so far. Agents that leave give it back, and new ones take it in the same order: a
  // crowd of at most n agents at a time makes n.
  uint64_t constructed() const;
  // In the order of ids; valid until the next call that changes the crowd.
  std::span<const AgentState> agents() const;
  const AgentState* find(AgentId agent) const;
  const Navigator& navigator() const;
  const CrowdSettings& settings() const;
  const CrowdTimes& times() const;
  // The deepest overlap of two disks after the last step, metres, and the mean over overlapping pairs.
  double deepestOverlap() const;
  double meanOverlap() const;
  // Covered share of the density cell an agent is in, 0 to 1.
  double densityAt(AgentId agent) const;
  // Metres that the route of an agent still has; negative for an agent without one.
  double routeLeft(AgentId agent) const;
  // Agents that have not noticed the last change of the world, and agents that wait for their turn to re-plan.
  size_t unaware() const;
  size_t waiting() const;
  // Of everything that decides the future: equal hashes, equal runs.
  uint64_t hash() const;
  // The whole state as bytes; load() continues bit for bit on a navigator over an equal mesh with equal profiles.
  std::vector<std::byte> save() const;
  Status load(std::span<const std::byte> bytes);

 private:
  struct Impl;
  explicit Crowd(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wend
