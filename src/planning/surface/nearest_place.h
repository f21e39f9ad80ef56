#pragma once

#include <optional>
#include <vector>

#include "planning/surface/surface.h"

// The nearest place where a disk fits.
//
// It is the place itself, or a place at a radius from a wall: the nearest one of the line or the arc around one wall,
// or a place where two of them cross. All of them are tried, cell by cell from near to far.
namespace wend {

struct NearestScratch {
  CellBuckets::Scratch buckets;
  std::vector<Wall> walls;  // of one cell: a test of a place may fill the table, which moves its walls
};

// A test of places, without an allocation. Refers to a function that outlives it.
class PlaceTest {
 public:
  PlaceTest() = default;
  template <typename Function>
  explicit PlaceTest(const Function& function)
      : function_(&function),
        call_([](const void* f, const SurfacePlace& place) { return (*static_cast<const Function*>(f))(place); }) {}
  bool operator()(const SurfacePlace& place) const { return call_ == nullptr || call_(function_, place); }

 private:
  const void* function_ = nullptr;
  bool (*call_)(const void*, const SurfacePlace&) = nullptr;
};

// Up to `reach` lattice units away. `accepts` is called for places that are free and nearer than all before.
std::optional<SurfacePlace> findNearestPlace(const Surface& surface, const Place& place, double reach,
                                             NearestScratch& scratch, const PlaceTest& accepts = PlaceTest());

}  // namespace wend
