#include "scene/make/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/kind_parameters.h"

namespace wend::make {

void SceneBuilder::label(std::string_view name) {
  const auto known = std::find(scene_.labels.begin(), scene_.labels.end(), name);
  label_ = static_cast<uint32_t>(known - scene_.labels.begin());
  if (known == scene_.labels.end()) scene_.labels.emplace_back(name);
}

void SceneBuilder::place(Vec2 origin, double degrees) {
  origin_ = origin;
  const double angle = degrees * std::numbers::pi / 180;
  sine_ = std::sin(angle);
  cosine_ = std::cos(angle);
  // Quarter turns are exact.
  if (std::fmod(degrees, 90) == 0) {
    sine_ = std::round(sine_);
    cosine_ = std::round(cosine_);
  }
}

uint32_t SceneBuilder::vertex(Vec3 p) {
  return table_.findOrAppend(scene_.vertices,
                             {origin_.x + cosine_ * p.x - sine_ * p.y, origin_.y + sine_ * p.x + cosine_ * p.y, p.z});
}

void SceneBuilder::triangle(Vec3 a, Vec3 b, Vec3 c) {
  if (scene_.labels.empty()) label("");
  // In the order of the corners, whatever order the compiler evaluates arguments in.
  const uint32_t i = vertex(a);
  const uint32_t j = vertex(b);
  const uint32_t k = vertex(c);
  if (i != j && j != k && k != i) scene_.triangles.push_back({{i, j, k}, label_});
}

void SceneBuilder::quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  triangle(a, b, c);
  triangle(a, c, d);
}

void SceneBuilder::floor(double x0, double y0, double x1, double y1, double z) {
  quad({x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z});
}

namespace {

// The lines that the sides of an outline and its holes lie on.
struct SlabLines {
  std::vector<double> xs;
  std::vector<double> ys;
};

SlabLines linesOf(const SceneBuilder::Rect& outline, std::span<const SceneBuilder::Rect> holes) {
  SlabLines lines{{outline.x0, outline.x1}, {outline.y0, outline.y1}};
  for (const SceneBuilder::Rect& hole : holes) {
    lines.xs.insert(lines.xs.end(), {hole.x0, hole.x1});
    lines.ys.insert(lines.ys.end(), {hole.y0, hole.y1});
  }
  for (auto* list : {&lines.xs, &lines.ys}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return lines;
}

}  // namespace

void SceneBuilder::floor(const Rect& outline, std::span<const Rect> holes, double z, bool upward) {
  const auto [xs, ys] = linesOf(outline, holes);
  for (size_t j = 0; j + 1 < ys.size(); ++j) {
    for (size_t i = 0; i + 1 < xs.size(); ++i) {
      const double x = (xs[i] + xs[i + 1]) / 2;
      const double y = (ys[j] + ys[j + 1]) / 2;
      if (std::any_of(holes.begin(), holes.end(),
                      [&](const Rect& h) { return x > h.x0 && x < h.x1 && y > h.y0 && y < h.y1; })) {
        continue;
      }
      const Vec3 a{xs[i], ys[j], z};
      const Vec3 b{xs[i + 1], ys[j], z};
      const Vec3 c{xs[i + 1], ys[j + 1], z};
      const Vec3 d{xs[i], ys[j + 1], z};
      if (upward) {
        quad(a, b, c, d);
      } else {
        quad(a, d, c, b);
      }
    }
  }
}

void SceneBuilder::wall(Vec2 a, Vec2 b, double low, double high) {
  quad({b.x, b.y, low}, {a.x, a.y, low}, {a.x, a.y, high}, {b.x, b.y, high});
}

void SceneBuilder::box(Vec3 low, Vec3 high) {
  slab({low.x, low.y, high.x, high.y}, {}, low.z, high.z);
}

void SceneBuilder::slab(const Rect& outline, std::span<const Rect> holes, double low, double high) {
  floor(outline, holes, high, true);
  floor(outline, holes, low, false);
  // The sides are cut where the floors are, so that all meet in whole edges.
  const SlabLines lines = linesOf(outline, holes);
  const std::vector<double>& xs = lines.xs;
  const std::vector<double>& ys = lines.ys;
  const auto around = [&](const Rect& r, bool outside) {
    const auto side = [&](Vec2 a, Vec2 b) {
      if (outside) {
        wall(b, a, low, high);
      } else {
        wall(a, b, low, high);
      }
    };
    for (size_t i = 0; i + 1 < xs.size(); ++i) {
      if (xs[i] < r.x0 || xs[i + 1] > r.x1) continue;
      side({xs[i], r.y0}, {xs[i + 1], r.y0});
      side({xs[i + 1], r.y1}, {xs[i], r.y1});
    }
    for (size_t j = 0; j + 1 < ys.size(); ++j) {
      if (ys[j] < r.y0 || ys[j + 1] > r.y1) continue;
      side({r.x1, ys[j]}, {r.x1, ys[j + 1]});
      side({r.x0, ys[j + 1]}, {r.x0, ys[j]});
    }
  };
  around(outline, true);
  for (const Rect& hole : holes) around(hole, false);
}

void SceneBuilder::cylinder(Vec3 base, double radius, double height, int sides) {
  const Vec2 profile[2] = {{radius, 0}, {radius, height}};
  lathe(base, profile, sides);
}

void SceneBuilder::lathe(Vec3 base, std::span<const Vec2> profile, int sides) {
  const auto at = [&](Vec2 p, int k) -> Vec3 {
    const double angle = 2 * std::numbers::pi * (k % sides) / sides;
    return {base.x + p.x * std::cos(angle), base.y + p.x * std::sin(angle), base.z + p.y};
  };
  const Vec2 foot = profile.front();
  const Vec2 top = profile.back();
  for (int k = 0; k < sides; ++k) {
    triangle({base.x, base.y, base.z + foot.y}, at(foot, k + 1), at(foot, k));
    for (size_t i = 0; i + 1 < profile.size(); ++i) {
      quad(at(profile[i], k), at(profile[i], k + 1), at(profile[i + 1], k + 1), at(profile[i + 1], k));
    }
    triangle({base.x, base.y, base.z + top.y}, at(top, k), at(top, k + 1));
  }
}

Scene SceneBuilder::finish() {
  return std::move(scene_);
}

void addFlight(SceneBuilder& b, const Flight& f) {
  b.place(f.foot, f.degrees);
  const double w = f.width / 2;
  const double rise = (f.high - f.low) / f.risers;
  for (int i = 0; i + 1 < f.risers; ++i) {
    const double x = f.tread * i;
    const double next = f.tread * (i + 1);
    const double z = f.low + rise * i;
    const double up = f.low + rise * (i + 1);
    b.quad({x, w, z}, {x, -w, z}, {x, -w, up}, {x, w, up});
    b.quad({x, -w, up}, {next, -w, up}, {next, w, up}, {x, w, up});
    b.quad({x, w, f.low}, {next, w, f.low}, {next, -w, f.low}, {x, -w, f.low});
    // The sides meet those of the step before in all their corners.
    for (const double y : {-w, w}) {
      const Vec3 foot{next, y, f.low};
      const Vec3 ring[4] = {{next, y, up}, {x, y, up}, {x, y, z}, {x, y, f.low}};
      for (int k = 0; k < 3; ++k) {
        if (y < 0) {
          b.triangle(foot, ring[k], ring[k + 1]);
        } else {
          b.triangle(foot, ring[k + 1], ring[k]);
        }
      }
    }
  }
  const double end = f.tread * (f.risers - 1);
  const double top = f.low + rise * (f.risers - 1);
  b.quad({end, -w, f.low}, {end, w, f.low}, {end, w, top}, {end, -w, top});
  b.place({}, 0);
}

void addRamp(SceneBuilder& b, const Ramp& r) {
  b.place(r.foot, r.degrees);
  const double w = r.width / 2;
  b.quad({0, -w, r.low}, {r.length, -w, r.high}, {r.length, w, r.high}, {0, w, r.low});
  b.quad({0, w, r.low}, {r.length, w, r.low}, {r.length, -w, r.low}, {0, -w, r.low});
  b.triangle({0, -w, r.low}, {r.length, -w, r.low}, {r.length, -w, r.high});
  b.triangle({0, w, r.low}, {r.length, w, r.high}, {r.length, w, r.low});
  b.quad({r.length, -w, r.low}, {r.length, w, r.low}, {r.length, w, r.high}, {r.length, -w, r.high});
  b.place({}, 0);
}

double SceneRecipe::number(std::string_view name) const {
  return parameterValue(kind_.parameters, settings_.parameters, name);
}

}  // namespace wend::make
