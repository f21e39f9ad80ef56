#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>
#include <wend/result.h>

// Planning that alters the mesh (Hale 2011, appendix B: ANMA): attackers plan through obstructions, defenders close
// ways; and a simulator of capture the flag that compares them.
namespace wend {

enum class LinkState : uint8_t {
  kOpen,     // a gateway
  kBlocked,  // an obstruction between two regions; it can be removed
  kGap,      // nothing to walk on; it can be bridged
};

// The graph that a contest is played on: regions of a mesh, and what lies between neighbours.
struct ContestLevel {
  struct Link {
    uint32_t a = 0;
    uint32_t b = 0;
    LinkState state = LinkState::kOpen;
    double length = 0;  // metres between the middles of its regions
    uint32_t across(uint32_t region) const { return region == a ? b : a; }
  };
  std::vector<Vec2> places;   // middle of each region, metres
  std::vector<uint8_t> half;  // the team that controls each region, 0 or 1
  std::vector<Link> links;
  std::vector<std::vector<uint32_t>> linksOf;  // per region, ascending
  uint32_t base[2] = {0, 0};
};

struct LevelSettings {
  uint32_t least = 80;  // regions, 10 to 10000; their number is drawn from least to most
  uint32_t most = 100;  // at least `least`
  double open = 0.55;   // share of links that are open at first, 0 to 1
  double gaps = 0.1;    // of the others, share that are gaps, 0 to 1
};
// Random regions that keep apart, linked to near ones. The two bases lie in the last 10 % of their halves and have at
// least three open links. Same seed, same level. kEmpty if 200 attempts give no such level.
Result<ContestLevel> makeLevel(const LevelSettings& settings, uint64_t seed);
// The cells of a mesh: portals are open links; cells without common portal that lie on both sides of an obstacle at
// most `reach` metres thick are blocked links. Halves by the middle of the longer extent; bases as far back as
// possible.
Result<ContestLevel> levelOf(const NavMesh& mesh, double reach = 3);

// What characters of a team can do.
enum class ContestantType : uint8_t {
  kAdaptive,   // takes open ways only
  kBuilder,    // opens blocked links and bridges gaps
  kBlocker,    // closes open links
  kUniversal,  // both
};
const char* contestantName(ContestantType type);
Result<ContestantType> contestantNamed(std::string_view name);

// --- The two algorithms ---------------------------------------------------------------------------------------------

struct AlterationCosts {
  double open = 12;    // metres that removing an obstruction is worth, at least 0
  double bridge = 18;  // metres that bridging a gap is worth, at least 0
};
// ANMA attacker: the cheapest way to `goal`, through obstructions too where `mayOpen`; move and conversion cost add up.
// Regions from start to goal; empty if there is none. O(n log n).
std::vector<uint32_t> planAlteringRoute(const ContestLevel& level, uint32_t start, uint32_t goal, bool mayOpen,
                                        const AlterationCosts& costs = {});
// ANMA defender: the region to close. Of the regions on the best open way from `protectedRegion` to `origin`, both left
// out, that lie in the guarded half: the one with the fewest open links, the nearest to `defender` among equals. kNone
// if no way is open or none can be closed.
uint32_t chooseRegionToBlock(const ContestLevel& level, uint32_t protectedRegion, uint32_t origin, uint8_t guardedHalf,
                             uint32_t defender);

// --- Capture the flag -----------------------------------------------------------------------------------------------

struct ContestSettings {
  ContestantType teams[2] = {ContestantType::kAdaptive, ContestantType::kAdaptive};
  uint32_t members = 10;      // per team, 1 to 1000
  uint32_t attackers = 5;     // of these, at most members; the others defend
  uint32_t openTurns = 2;     // turns to remove an obstruction, 1 to 100
  uint32_t bridgeTurns = 3;   // turns to bridge a gap, 1 to 100
  uint32_t material = 3;      // links that a character can close
  uint32_t respawnTurns = 5;  // a captured character is out for this long
  uint32_t maxTurns = 1000;   // then it is a draw
  AlterationCosts costs;
  bool record = false;  // keep the positions of every turn
};

struct ContestFrame {
  std::vector<uint32_t> regions;                        // of each character: team 0, then team 1; kNone: captured
  std::vector<std::pair<uint32_t, LinkState>> changes;  // links that changed in this turn
};
struct ContestResult {
  int winner = -1;  // -1: draw
  uint32_t turns = 0;
  uint32_t captures[2] = {0, 0};  // characters that each team captured
  uint32_t opened[2] = {0, 0};    // links
  uint32_t closed[2] = {0, 0};
  std::vector<ContestFrame> frames;  // with `record`; the first is the start
};
// One match. Attackers take the best way to the other flag; opening a link takes turns, and an open link serves both
// teams. Defenders patrol their half, step onto enemies that they see in adjacent regions (obstructions block sight),
// and close the way to their flag if they can. A character that meets an opponent on the opponent's half is captured.
// The first to reach the other base wins. Every character moves each turn if it can. Same seed, same match.
Result<ContestResult> playContest(ContestLevel level, const ContestSettings& settings, uint64_t seed);

// `matches` matches, each on a level of its own, sides swapped after half of them.
struct ContestTally {
  uint32_t wins[2] = {0, 0};
  uint32_t draws = 0;
  double meanTurns = 0;
};
Result<ContestTally> playSeries(const LevelSettings& levels, const ContestSettings& settings, uint32_t matches,
                                uint64_t seed, const Context& context = {});

// What a level looks like: a square per region, a strip per open link. For pictures and recordings.
Result<Environment> environmentOf(const ContestLevel& level);

}  // namespace wend
