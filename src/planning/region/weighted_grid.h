#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/navigator.h>

#include "planning/region/region_field.h"

// Routes over labelled regions with personal costs: A* on squares of 1 m (van Toll 2017, chapter 10). The squares are
// those whose centre keeps the radius from walls; two of them are joined where the disk can walk straight from centre
// to centre over the mesh, also across connections.
namespace wend {

class WeightedGrid {
 public:
  // For disks up to this radius. O(squares), about 10 microseconds each; parallel. Keeps the navigator.
  WeightedGrid(Navigator navigator, const RegionField& regions, double radius, const Context& context);

  static constexpr double kSquare = 1;  // metres
  static constexpr uint64_t kMostSquares = 1U << 24U;

  // After an edit of the world that changed nothing but what lies in the areas (metres): the same as made anew, in the
  // time of the squares around them. The regions must be those of before.
  struct Area {
    Vec2 min;
    Vec2 max;
  };
  void follow(Navigator navigator, const RegionField& regions, std::span<const Area> changed, const Context& context);

  double radius() const { return radius_; }
  // How many are open to the disk.
  size_t squares() const { return open_; }
  // One more than the largest number of a square.
  size_t numbers() const { return squares_.size(); }
  bool empty() const { return open_ == 0; }

  // The cheapest path from square to square, and straight between them and the ends. kUnreachable also where the
  // squares are too coarse for the only path; a navigator may find it. Route::length is in metres, not in costs.
  PathStatus plan(const PathQuery& query, const RegionCosts& costs, PlanScratch& scratch, Route& route) const;

  // The square around a place, or kNone if it is not open. Numbers ascend with the layer, the row and the column.
  uint32_t squareAt(Vec2 metres, LayerId layer) const;
  struct Square {
    Vec2 at;  // centre, metres
    RegionField::Label label = 0;
    LayerId layer = 0;
    bool isOpen = false;
  };
  const Square& square(uint32_t id) const { return squares_[id]; }
  // Squares that can be walked to in a straight line, at most 8.
  std::span<const uint32_t> joined(uint32_t id) const { return {joined_[id].ids.data(), joined_[id].count}; }

 private:
  struct Index {
    int64_t x = 0;  // of the first square
    int64_t y = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t begin = 0;  // the number of the first square
  };
  struct Joined {
    std::array<uint32_t, 8> ids{};
    uint32_t count = 0;
  };
  struct Memory;
  struct End;
  void makeAnew(const RegionField& regions, const Context& context);
  // Both for squares by their numbers; ascending.
  void findOpen(std::span<const uint32_t> squares, const Context& context);
  void join(std::span<const uint32_t> squares, const Context& context);
  uint32_t idAt(int64_t x, int64_t y, LayerId layer) const;
  bool findEnd(const Place& place, double radius, PlanScratch& scratch, End& end) const;
  void write(const PathQuery& query, const End& start, std::span<const uint32_t> way, Memory& memory,
             Route& route) const;

  Navigator navigator_;
  Locator locator_;
  double radius_;
  std::vector<Index> layers_;
  std::vector<Square> squares_;
  std::vector<Joined> joined_;
  size_t open_ = 0;
};

}  // namespace wend
