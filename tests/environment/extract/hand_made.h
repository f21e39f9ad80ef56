#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numbers>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/scene.h>

#include "base/random.h"

// Scenes made by hand, with what extraction must find in them. Metres, z up.
namespace wend::testing {

struct SceneMaker {
  Scene scene;
  SceneMaker() { scene.labels = {""}; }

  void triangle(Vec3 a, Vec3 b, Vec3 c) {
    const auto first = static_cast<uint32_t>(scene.vertices.size());
    for (const Vec3& v : {a, b, c}) scene.vertices.push_back(v);
    scene.triangles.push_back({{first, first + 1, first + 2}, 0});
  }
  // Counter-clockwise seen from its front.
  void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  // Level, facing up.
  void floor(double x0, double y0, double x1, double y1, double z) {
    quad({x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z});
  }
  // Vertical, over the line from (x0, y0) to (x1, y1), facing to its right.
  void wall(double x0, double y0, double x1, double y1, double z0, double z1) {
    quad({x0, y0, z0}, {x1, y1, z0}, {x1, y1, z1}, {x0, y0, z1});
  }
  void box(double x0, double y0, double x1, double y1, double z0, double z1) {
    floor(x0, y0, x1, y1, z1);
    quad({x0, y0, z0}, {x0, y1, z0}, {x1, y1, z0}, {x1, y0, z0});
    wall(x0, y0, x1, y0, z0, z1);
    wall(x1, y0, x1, y1, z0, z1);
    wall(x1, y1, x0, y1, z0, z1);
    wall(x0, y1, x0, y0, z0, z1);
  }
};

inline Scene rotated(Scene scene, double degrees, Vec3 shift = {}) {
  const double c = degrees == 90    ? 0
                   : degrees == 180 ? -1
                   : degrees == 270 ? 0
                                    : std::cos(degrees * std::numbers::pi / 180);
  const double s = degrees == 90    ? 1
                   : degrees == 180 ? 0
                   : degrees == 270 ? -1
                                    : std::sin(degrees * std::numbers::pi / 180);
  for (Vec3& v : scene.vertices) v = {c * v.x - s * v.y + shift.x, s * v.x + c * v.y + shift.y, v.z + shift.z};
  return scene;
}

// What must come out; areas of the components, largest first.
struct Expected {
  std::string name;
  Scene scene;
  std::vector<double> areas;
  uint32_t leastLayers = 1;
  uint32_t mostLayers = 1;
  uint32_t connections = 0;
  uint32_t holes = 0;       // of the whole surface
  double tolerance = 0.01;  // m2
};

// For the framework, which takes letters, digits and underscores.
inline std::string testName(const Expected& scene) {
  std::string name = scene.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  std::erase(name, '-');
  return name;
}

inline std::vector<Expected> smallScenes() {
  std::vector<Expected> scenes;
  const auto add = [&](const std::string& name, const std::function<void(SceneMaker&)>& make, std::vector<double> areas,
                       uint32_t least, uint32_t most, uint32_t connections, uint32_t holes) {
    SceneMaker maker;
    make(maker);
    scenes.push_back({name, maker.scene, std::move(areas), least, most, connections, holes, 0.01});
  };
  const auto ground = [](SceneMaker& m) { m.floor(0, 0, 10, 10, 0); };

  add("S01 floor", ground, {100}, 1, 1, 0, 0);
  add(
      "S02 box",
      [&](SceneMaker& m) {
        ground(m);
        m.box(4, 4, 6, 6, 0, 1);
      },
      {96, 4}, 1, 2, 0, 1);
  add(
      "S03 low box",
      [&](SceneMaker& m) {
        ground(m);
        m.box(4, 4, 6, 6, 0, 0.3);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S04 tall box",
      [&](SceneMaker& m) {
        ground(m);
        m.box(4, 4, 6, 6, 0, 5);
      },
      {96, 4, 3.992}, 2, 3, 0, 1);
  add(
      "S05 fence",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(5, 0, 5, 10, 0, 3);
      },
      {50, 49.99}, 1, 2, 0, 0);
  add(
      "S06 short fence",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(5, 2, 5, 8, 0, 3);
      },
      {99.994}, 1, 1, 0, 1);
  add(
      "S07 low fence",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(5, 0, 5, 10, 0, 0.3);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S08 rail",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(5, 0, 5, 10, 0.9, 1.1);
      },
      {50, 49.99}, 1, 2, 0, 0);
  add(
      "S09 fence on a segment",
      [](SceneMaker& m) {
        m.floor(0, 0, 5, 10, 0);
        m.floor(5, 0, 10, 10, 0);
        m.wall(5, 0, 5, 10, 0, 3);
      },
      {50, 49.99}, 1, 2, 0, 0);
  add(
      "S10 floor twice and a decal",
      [&](SceneMaker& m) {
        ground(m);
        ground(m);
        m.floor(2, 2, 5, 5, 0.0004);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S11 decal above",
      [&](SceneMaker& m) {
        ground(m);
        m.floor(2, 2, 5, 5, 0.01);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S12 low slab",
      [&](SceneMaker& m) {
        ground(m);
        m.box(0, 4, 10, 6, 1.5, 1.7);
      },
      {40, 40, 20}, 1, 3, 0, 0);
  add(
      "S13 high slab",
      [&](SceneMaker& m) {
        ground(m);
        m.box(0, 4, 10, 6, 2.2, 2.4);
      },
      {100, 20}, 2, 2, 0, 0);
  const auto stairs = [](SceneMaker& m, double nosing) {
    for (int i = 0; i < 10; ++i) {
      const double x = 0.3 * i;
      m.floor(x - (i > 0 ? nosing : 0), 0, x + 0.3, 2, 0.2 * (i + 1));
      m.wall(x, 2, x, 0, 0.2 * i, 0.2 * (i + 1));
    }
  };
  add(
      "S14 stairs", [&](SceneMaker& m) { stairs(m, 0); }, {6}, 1, 1, 0, 0);
  add(
      "S15 stairs with nosings", [&](SceneMaker& m) { stairs(m, 0.03); }, {6}, 1, 1, 0, 0);
  add(
      "S16 ramp above the floor",
      [&](SceneMaker& m) {
        ground(m);
        m.quad({2, 4, 0.05}, {6, 4, 2}, {6, 6, 2}, {2, 6, 0.05});
      },
      {100}, 1, 1, 0, 1);
  add(
      "S17 ramp through the floor",
      [&](SceneMaker& m) {
        ground(m);
        m.quad({1, 4, -0.5}, {6, 4, 2}, {6, 6, 2}, {1, 6, -0.5});
      },
      {100}, 1, 1, 0, 1);
  add(
      "S18 crack",
      [](SceneMaker& m) {
        m.floor(0, 0, 5, 10, 0);
        m.floor(5.01, 0, 10, 10, 0);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S19 gap",
      [](SceneMaker& m) {
        m.floor(0, 0, 5, 10, 0);
        m.floor(5.03, 0, 10, 10, 0);
      },
      {50, 49.7}, 1, 2, 0, 0);
  const auto halves = [](SceneMaker& m, double z, double wallTop) {
    m.floor(0, 0, 5, 10, 0);
    m.floor(5, 0, 10, 10, z);
    m.wall(5, 10, 5, 0, 0, wallTop);
  };
  add(
      "S20 step", [&](SceneMaker& m) { halves(m, 0.4, 0.4); }, {100}, 1, 1, 0, 0);
  add(
      "S21 high step", [&](SceneMaker& m) { halves(m, 0.41, 0.41); }, {50, 50}, 1, 2, 0, 0);
  add(
      "S22 crossing floors",
      [&](SceneMaker& m) {
        ground(m);
        m.quad({0, 0, -1}, {10, 0, 1}, {10, 10, 1}, {0, 10, -1});
      },
      {100}, 1, 1, 0, 0);
  add(
      "S23 spiral",
      [](SceneMaker& m) {
        const auto at = [](double r, int i) {
          const double angle = 2 * std::numbers::pi * i / 16;
          return Vec3{r * std::cos(angle), r * std::sin(angle), 2.5 * i / 16};
        };
        for (int i = 0; i < 48; ++i) m.quad(at(2, i), at(4, i), at(4, i + 1), at(2, i + 1));
      },
      {110.21}, 3, 3, 2, 0);
  add(
      "S24 pyramid",
      [&](SceneMaker& m) {
        ground(m);
        const Vec3 top{5, 5, 1.5};
        const std::array<Vec3, 4> base{Vec3{4.5, 4.5, 0}, {5.5, 4.5, 0}, {5.5, 5.5, 0}, {4.5, 5.5, 0}};
        for (size_t i = 0; i < 4; ++i) m.triangle(base[i], base[(i + 1) % 4], top);
      },
      {99.463}, 1, 1, 0, 1);
  add(
      "S25 ramp to a box",
      [&](SceneMaker& m) {
        ground(m);
        m.box(6, 4, 8, 6, 0, 1);
        m.quad({2, 4.5, 0}, {6, 4.5, 1}, {6, 5.5, 1}, {2, 5.5, 0});
      },
      {99.988}, 1, 1, 0, 1);
  add(
      "S26 parapet on a step", [&](SceneMaker& m) { halves(m, 0.3, 0.6); }, {50, 50}, 1, 2, 0, 0);
  add(
      "S27 walls facing in",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(7, 3, 3, 3, 0, 3);
        m.wall(7, 7, 7, 3, 0, 3);
        m.wall(3, 7, 7, 7, 0, 3);
        m.wall(3, 3, 3, 7, 0, 3);
      },
      {83.984, 16}, 1, 2, 0, 1);
  add(
      "S28 walls facing out",
      [&](SceneMaker& m) {
        ground(m);
        m.wall(3, 3, 7, 3, 0, 3);
        m.wall(7, 3, 7, 7, 0, 3);
        m.wall(7, 7, 3, 7, 0, 3);
        m.wall(3, 7, 3, 3, 0, 3);
      },
      {84, 15.984}, 1, 2, 0, 1);
  add(
      "S29 sloped risers",
      [](SceneMaker& m) {
        for (int i = 0; i < 6; ++i) {
          const double x = 0.3 * i;
          const double z = 0.2 * i;
          m.floor(x, 0, x + 0.25, 2, z);
          if (i < 5) m.quad({x + 0.25, 0, z}, {x + 0.3, 0, z + 0.2}, {x + 0.3, 2, z + 0.2}, {x + 0.25, 2, z});
        }
      },
      {3.5}, 1, 1, 0, 0);
  add(
      "S30 chamfered curb",
      [&](SceneMaker& m) {
        ground(m);
        m.floor(5.1, 0, 10, 10, 0.2);
        m.quad({5, 0, 0}, {5.1, 0, 0.2}, {5.1, 10, 0.2}, {5, 10, 0});
      },
      {100}, 1, 1, 0, 0);
  add(
      "S31 cracked T-junction",
      [](SceneMaker& m) {
        m.floor(0, 0, 5, 10, 0);
        m.floor(5.0003, 0, 10, 4, 0);
        m.floor(5.0003, 4, 10, 10, 0);
      },
      {100}, 1, 1, 0, 0);
  add(
      "S32 table",
      [&](SceneMaker& m) {
        ground(m);
        m.box(4, 4, 6, 5, 0.7, 0.75);
        for (const double x : {4.0, 5.95}) {
          for (const double y : {4.0, 4.95}) m.box(x, y, x + 0.05, y + 0.05, 0, 0.7);
        }
      },
      {98, 2}, 1, 2, 0, 1);
  return scenes;
}

// Square metres of all layers.
inline double areaOf(const Extraction& extraction) {
  return extraction.environment.lattice.area(topology(extraction.environment).doubledArea);
}

// Of all layers.
inline size_t holesOf(const Environment& environment) {
  size_t holes = 0;
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) holes += polygon.holes.size();
  }
  return holes;
}

// Every corner of every triangle moved by up to `by`, so that all sides are cracks.
inline Scene torn(const Scene& scene, double by, uint64_t seed) {
  Random random(seed);
  Scene result;
  result.labels = scene.labels;
  for (Scene::Triangle t : scene.triangles) {
    for (uint32_t& v : t.vertices) {
      const Vec3& p = scene.vertices[v];
      result.vertices.push_back({p.x + random.real(-by, by), p.y + random.real(-by, by), p.z + random.real(-by, by)});
      v = static_cast<uint32_t>(result.vertices.size() - 1);
    }
    result.triangles.push_back(t);
  }
  return result;
}

}  // namespace wend::testing
