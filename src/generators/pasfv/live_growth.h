#pragma once

#include <memory>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// Dynamic Adaptive Space Filling Volumes (Hale 2011, section 4.4): keeps the grown regions of an environment and
// repairs them where it changes, by local removal, re-seeding and re-growth.
//
// Regions that reach into a changed box, or follow a wall that is gone, are removed; the others stay as they are.
// Beside an obstacle that was taken away every region that followed one of its slanted walls is removed too, so the
// mesh obeys the same laws as a new one: exact, convex, axis-aligned portals, at most four cells at a point. It is not
// the mesh that a new run would make.
namespace wend::pasfv {

struct RepairReport {
  uint32_t removed = 0;  // regions
  uint32_t added = 0;
  uint32_t kept = 0;
};

class LiveGrowth {
 public:
  // Grows the environment. An error is that of generate().
  static Result<LiveGrowth> make(const Environment& environment, const Context& context = {});
  ~LiveGrowth();
  LiveGrowth(LiveGrowth&&) noexcept;
  LiveGrowth& operator=(LiveGrowth&&) noexcept;

  // Repairs the regions of one layer so that they are those of `after`, which differs from the environment so far only
  // within the box (lattice units, border included) of that layer. With `storedNeighbours`, unclaimed space
  // is searched beside regions that touch a removed one; otherwise beside all, as in the source without connectivity.
  // The layers and connections must be the same in number, or it is kInvalidSettings.
  Result<RepairReport> repair(const Environment& after, LayerId layer, const Box& changed, bool storedNeighbours = true,
                              const Context& context = {});

  // The mesh of the regions as they are, joined where the union of two is convex.
  Result<NavMesh> mesh(const Context& context = {}) const;

 private:
  struct Impl;
  explicit LiveGrowth(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wend::pasfv
