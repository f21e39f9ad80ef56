#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <wend/environment.h>

#include "geometry/int128.h"

// Writing of numbers so that reading gives them back exactly.
namespace wend {

// Lattice coordinates as metres: as few decimals as the unit needs, so that snapping finds the same lattice point.
class CoordinateText {
 public:
  explicit CoordinateText(const Lattice& lattice);
  void append(std::string& out, int32_t units) const;
  // x, separator, y.
  void append(std::string& out, Point p, char separator) const;

 private:
  double unit_;
  int decimals_;
  bool decimal_;  // the unit is a power of ten: integer arithmetic suffices
};

// The shortest decimal that reads as the same double.
std::string shortest(double value);

std::string toText(Int128 value);
std::optional<Int128> int128FromText(std::string_view text);

// A boundary walk cut where it visits a vertex again, into simple rings that touch in that vertex: what the OGC (WKT,
// GeoJSON) calls valid.
struct SimpleRings {
  Ring outer;
  std::vector<Ring> holes;
};
SimpleRings simpleRings(const Polygon& polygon);

}  // namespace wend
