#pragma once

#include <string>
#include <vector>

#include <wend/environment.h>

#include "geometry/int128.h"

// A made world while it is being built: polygons go in together with what is known about them, so that the truth is
// counted along the way and never read back from the result.
namespace wend::make {

// Worlds are built on the default lattice, 0.1 mm, and moved to another unit at the end.
inline constexpr int32_t kMetre = 10000;
inline constexpr double kUnit = 1e-4;

// Metres to lattice units of the default lattice.
int32_t units(double metres);
Point point(double xMetres, double yMetres);

// An axis-aligned rectangle in lattice units.
struct Rect {
  int32_t x0 = 0;
  int32_t y0 = 0;
  int32_t x1 = 0;
  int32_t y1 = 0;
  int32_t width() const { return x1 - x0; }
  int32_t depth() const { return y1 - y0; }
};
Rect rect(double x0, double y0, double x1, double y1);  // metres
Ring outline(const Rect& r);                            // counter-clockwise from the lower left corner
Ring reversed(Ring ring);
Ring moved(Ring ring, Point offset);

// The direction in which a ramp rises.
enum class Rise : uint8_t { kEast, kNorth, kWest, kSouth };

class Construction {
 public:
  explicit Construction(std::string name);

  uint32_t addLayer(std::string name, double height);
  // A polygon with its area as the caller knows it, twice, in lattice units; returns its index in the layer.
  uint32_t addFloor(uint32_t layer, Ring outer, Int128 doubledArea);
  uint32_t addFloor(uint32_t layer, const Rect& r);
  // An obstacle given counter-clockwise (it is turned around), with its doubled area.
  void addObstacle(uint32_t layer, uint32_t floor, Ring outline, Int128 doubledArea);
  void addObstacle(uint32_t layer, uint32_t floor, Ring outline);
  void addObstacle(uint32_t layer, uint32_t floor, const Rect& r);
  // Polygons that share one area count (a traced plan).
  void addFloors(uint32_t layer, std::vector<Polygon> polygons, Int128 doubledArea);
  // A sloped rectangle in the height field of the layer; `from` is the height at its low end.
  void slope(uint32_t layer, const Rect& r, double from, double to, Rise rise);
  // A layer of its own that is one sloped rectangle.
  uint32_t addRamp(std::string name, const Rect& r, double from, double to, Rise rise);
  // `line` has the interior of layer `a` on its left.
  void connect(uint32_t a, uint32_t b, std::vector<Point> line);
  // Opens the low end of a ramp towards `low` and its high end towards `high`.
  void joinRamp(uint32_t ramp, const Rect& r, Rise rise, uint32_t low, uint32_t high);

  size_t vertices() const;
  double area() const;  // m2
  const Environment& environment() const { return environment_; }
  Environment& environment() { return environment_; }

  // The world with its truth. Components and boundaries are what the builder of the world derived; the genus follows
  // from Euler's relation over the polygons, holes and connections that went in.
  Environment finish(uint32_t components, uint32_t boundaries) &&;

 private:
  Environment environment_;
  Int128 doubledArea_ = 0;
  int64_t floors_ = 0;
  int64_t holes_ = 0;
};

// The two ends of a ramp as directed segments with the ramp on their left.
std::pair<Point, Point> lowEnd(const Rect& r, Rise rise);
std::pair<Point, Point> highEnd(const Rect& r, Rise rise);

// Moves a finished world to another lattice; false if a coordinate leaves it.
bool changeLattice(Environment& environment, const Lattice& lattice);

}  // namespace wend::make
