#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/make_scene.h>

#include "scene/vertex_table.h"

// Builds scenes from faces and solids. Equal corners become one vertex, so that solids are closed.
namespace wend::make {

class SceneBuilder {
 public:
  // What is added from here on carries this label.
  void label(std::string_view name);

  void triangle(Vec3 a, Vec3 b, Vec3 c);
  // Counter-clockwise seen from its front.
  void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
  // A level floor, seen from above.
  void floor(double x0, double y0, double x1, double y1, double z);
  // A level floor without `holes` (x0, y0, x1, y1, inside it and disjoint).
  struct Rect {
    double x0 = 0;
    double y0 = 0;
    double x1 = 0;
    double y1 = 0;
    double area() const { return (x1 - x0) * (y1 - y0); }
  };
  void floor(const Rect& outline, std::span<const Rect> holes, double z, bool upward = true);
  // A vertical quad over the segment; its front is to the left of the way from a to b.
  void wall(Vec2 a, Vec2 b, double low, double high);
  // A closed box, fronts outside.
  void box(Vec3 low, Vec3 high);
  void box(const Rect& base, double low, double high) { box({base.x0, base.y0, low}, {base.x1, base.y1, high}); }
  // A closed slab with holes.
  void slab(const Rect& outline, std::span<const Rect> holes, double low, double high);
  // A closed upright prism with `sides` corners.
  void cylinder(Vec3 base, double radius, double height, int sides);
  // A closed body of revolution about the vertical through `base`: (radius, height) from its foot to its top.
  void lathe(Vec3 base, std::span<const Vec2> profile, int sides);

  // Where the parts of one solid are drawn: turned about the vertical, then moved.
  void place(Vec2 origin, double degrees);

  Scene finish();
  size_t triangleCount() const { return scene_.triangles.size(); }

 private:
  uint32_t vertex(Vec3 p);

  Scene scene_;
  VertexTable table_;
  uint32_t label_ = 0;
  Vec2 origin_;
  double sine_ = 0;
  double cosine_ = 1;
};

// A straight flight of solid steps from `low` up to `high`. The last riser is the edge of the floor at `high`, which
// must be at least as thick: so there is one tread fewer than risers, and in top view length() by width is covered.
struct Flight {
  Vec2 foot;           // middle of the first riser
  double degrees = 0;  // direction of ascent
  double width = 1.5;
  double low = 0;
  double high = 3;
  int risers = 18;
  double tread = 0.3;

  double length() const { return tread * (risers - 1); }
};
void addFlight(SceneBuilder& builder, const Flight& flight);

// A solid wedge, from `low` at its foot up to `high`.
struct Ramp {
  Vec2 foot;
  double degrees = 0;
  double width = 2;
  double low = 0;
  double high = 3;
  double length = 24;
};
void addRamp(SceneBuilder& builder, const Ramp& ramp);

// What a kind is given: its parameters, already within their ranges, and the seed.
class SceneRecipe {
 public:
  SceneRecipe(const MakeSceneSettings& settings, const SceneKind& kind) : settings_(settings), kind_(kind) {}

  uint64_t seed() const { return settings_.seed; }
  double number(std::string_view name) const;
  int whole(std::string_view name) const { return static_cast<int>(number(name)); }

 private:
  const MakeSceneSettings& settings_;
  const SceneKind& kind_;
};

struct SceneEntry {
  SceneKind kind;
  MadeScene (*make)(const SceneRecipe&);
};

std::vector<SceneEntry> smallScenes();     // s01 to s32 of the tests of extraction
std::vector<SceneEntry> interiorScenes();  // office, house, city-block
std::vector<SceneEntry> stationScenes();
std::vector<SceneEntry> stadiumScenes();
std::vector<SceneEntry> terrainScenes();  // terrain, spiral

}  // namespace wend::make
