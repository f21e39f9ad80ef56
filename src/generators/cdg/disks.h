#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "generators/cdg/voxels.h"

// The disks of the graph: around samples on the ridge of clearance, none with its centre inside another.
namespace wend::cdg {

struct Disk {
  Vec2 centre;  // lattice units
  double radius = 0;
  LayerId layer = 0;  // of the centre
};

// Where layers meet, by layer.
class Crossings {
 public:
  explicit Crossings(const Environment& environment);

  struct Segment {
    Vec2 a;  // the layer lies left of a -> b
    Vec2 b;
    LayerId other = 0;
    uint32_t id = 0;  // the same on both sides
  };
  std::span<const Segment> of(LayerId layer) const { return segments_[layer]; }

  // The layer at the end of a straight walk that starts in a layer and meets no wall.
  LayerId walk(Vec2 from, LayerId layer, Vec2 to) const;
  // How large an empty disk may be until it holds a corner of a connection: then no connection bends inside it.
  double straightRadius(Vec2 centre, LayerId layer, double radius) const {
    return around_[layer].isFar(centre, radius) ? radius : straightRadiusNear(centre, layer, radius);
  }

 private:
  struct Around {
    Vec2 low{HUGE_VAL, HUGE_VAL};
    Vec2 high{-HUGE_VAL, -HUGE_VAL};
    void add(Vec2 p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    bool isFar(Vec2 p, double radius) const {
      return low.x - p.x > radius || p.x - high.x > radius || low.y - p.y > radius || p.y - high.y > radius;
    }
  };
  double straightRadiusNear(Vec2 centre, LayerId layer, double radius) const;

  std::vector<std::vector<Segment>> segments_;
  std::vector<Around> around_;  // the segments of each layer
};

// By falling radius, ties by the order of samples. `least` in lattice units.
std::vector<Disk> chooseDisks(const Voxels& voxels, const Crossings& crossings, double least, const Context& context);

// Two disks that overlap on the surface, and the chord that both circles have in common.
struct Portal {
  uint32_t a = 0;
  uint32_t b = 0;
  Vec2 right;  // seen from a's centre
  Vec2 left;
};

std::vector<Portal> findPortals(std::span<const Disk> disks, const Crossings& crossings);

}  // namespace wend::cdg
