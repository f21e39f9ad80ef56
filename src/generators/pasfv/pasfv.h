#pragma once

#include <vector>

#include <wend/generator.h>

// Planar Adaptive Space Filling Volumes (Hale 2011): convex regions grow from seeds until they touch walls or each
// other. A region whose corner meets a slanted wall follows it, so slanted sides lie on walls, and sides between two
// regions are axis-aligned. Seeds are planted beside unclaimed space until there is none; then regions whose union is
// convex are joined.
//
// Exact growth covers free space exactly. At most four cells meet in a point inside free space. Regions are decided in
// whole numbers: a limit is a lattice line, a slanted side a part of a wall; corners off the lattice are rounded when
// they become vertices (below 1e-6 units). Works on every layer, with portals across connections; with `terrain`, no
// cell lies on two terrain classes. Near O(n log n) for n vertices that are spread evenly.
namespace wend::pasfv {

enum class Seeding : uint8_t { kWalls, kGrid, kRandom, kPoints };
enum class Turns : uint8_t { kSingle, kAll };
enum class Growth : uint8_t { kExact, kSteps };
enum class Order : uint8_t { kShortest, kLongest, kGiven, kShuffled };

struct Settings {
  Seeding seeding = Seeding::kWalls;  // beside the middle of each wall; on a grid; random places; `points`
  double pitch = 5;                   // metres, 0.01 to 1e5: of the grid
  uint32_t count = 100;               // 1 to 1e6: of random seeds, per layer
  std::vector<Vec2> points;           // metres: seeds by hand, planted in every layer in which they are free
  bool reseed = true;                 // off: only what the first seeds claim ("on demand")
  Turns turns = Turns::kSingle;       // one region after the other, or all together in rounds
  Growth growth = Growth::kExact;     // up to contact, or by whole steps as in the source
  double step = 0;        // metres, 0 to 1e4, of a side per turn; 0 = in proportion (exact) or a 1000th of the world
  double resolution = 0;  // metres, 0 to 1e4: steps halve on collision down to this; 0 = they do not. Steps only
  bool follow = true;     // off: no contour following
  bool merge = true;      // off: regions as they grew
  bool terrain = true;    // off: cells may lie on several terrain classes
  Order order = Order::kShortest;  // of the first seeds: by the length of their walls, as they come, shuffled
  uint32_t tries = 1;              // 1 to 1000: orders tried; the fewest cells win. From the second on, shuffled
  uint32_t frames = 0;             // 0 to 1e9: stop after so many regions or rounds, for pictures; 0 = never
  uint64_t seed = 1;               // of random numbers

  uint64_t hash() const;
};

// What growth did, summed over all spaces (of the best try).
struct Report {
  uint64_t regions = 0;  // before joining
  uint64_t steps = 0;    // tries to move a side
  uint64_t tests = 0;    // exact tests of a strip against a wall or a region
  uint64_t rounds = 0;   // of the space that took most
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {},
                         Report* report = nullptr);

Generator entry();

}  // namespace wend::pasfv
