#include "generators/cdg/cdg.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/cdg/disks.h"
#include "generators/layer_triangles.h"
#include "mesh/mesh_builder.h"

namespace wend::cdg {
namespace {

constexpr const char* kName = "cdg";
constexpr const char* kStage = "disks";
constexpr double kMostSamplesAcross = 512;  // as the study
constexpr int kCorners = 16;
constexpr double kLeastArea = 100;  // lattice units squared; thinner slices of a cut disk are left out
constexpr double kSame = 0.01;      // lattice units; corners nearer to each other are one
constexpr double kOnLine = 1e-4;    // lattice units; less than what the builder takes for one, more than rounding

using Loop = std::vector<Vec2>;

MeshTraits traits() {
  MeshTraits traits;
  traits.exact = false;
  return traits;
}

double turn(Vec2 a, Vec2 b, Vec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

double doubledArea(const Loop& loop) {
  double sum = 0;
  for (size_t i = 1; i + 1 < loop.size(); ++i) sum += turn(loop[0], loop[i], loop[i + 1]);
  return sum;
}

// The part of a convex loop left of a -> b.
Loop leftPart(const Loop& loop, Vec2 a, Vec2 b) {
  Loop part;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = loop[i];
    const Vec2 q = loop[(i + 1) % loop.size()];
    // A corner that nearly lies on the line is on it: gates end in corners.
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const auto height = [&](Vec2 v) {
      const double h = turn(a, b, v) / length;
      return std::abs(h) < kOnLine ? 0 : h;
    };
    const double hp = height(p);
    const double hq = height(q);
    if (hp >= 0) part.push_back(p);
    if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) {
      const double t = hp / (hp - hq);
      part.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return part;
}

Loop withoutRepeats(const Loop& loop) {
  Loop clean;
  for (const Vec2 p : loop) {
    if (clean.empty() || std::hypot(p.x - clean.back().x, p.y - clean.back().y) > kSame) clean.push_back(p);
  }
  while (clean.size() > 1 && std::hypot(clean[0].x - clean.back().x, clean[0].y - clean.back().y) <= kSame) {
    clean.pop_back();
  }
  return clean;
}

// Where the line of a segment cuts the loop along a stretch of the segment.
std::optional<Vec2> middleOfCut(const Loop& loop, const Crossings::Segment& s) {
  const double length = std::hypot(s.b.x - s.a.x, s.b.y - s.a.y);
  const Vec2 u{(s.b.x - s.a.x) / length, (s.b.y - s.a.y) / length};
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  bool left = false;
  bool right = false;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = loop[i];
    const Vec2 q = loop[(i + 1) % loop.size()];
    const double hp = turn(s.a, s.b, p) / length;
    const double hq = turn(s.a, s.b, q) / length;
    left |= hp > kSame;
    right |= hp < -kSame;
    if (hp * hq > 0 || hp == hq) continue;
    const double t = hp / (hp - hq);
    const double along = (p.x + t * (q.x - p.x) - s.a.x) * u.x + (p.y + t * (q.y - p.y) - s.a.y) * u.y;
    low = std::min(low, along);
    high = std::max(high, along);
  }
  low = std::max(low, 0.0);
  high = std::min(high, length);
  if (!left || !right || high - low <= kSame) return std::nullopt;
  const double along = 0.5 * (low + high);
  return Vec2{s.a.x + along * u.x, s.a.y + along * u.y};
}

// A connection that leads out of a loop's layer.
struct Exit {
  const Crossings::Segment* segment;
  Vec2 middle;  // of its part in the loop
};

// Those that one comes to straight from a known place of the loop, in its layer. A layer that winds around may have
// others in the loop, one turn away: they face the other way, or lie behind an exit.
std::vector<Exit> exitsOf(const Crossings& crossings, const Loop& loop, LayerId layer, uint32_t entered, Vec2 known) {
  std::vector<Exit> facing;
  for (const Crossings::Segment& s : crossings.of(layer)) {
    if (s.id == entered || turn(s.a, s.b, known) < 0) continue;
    if (const auto middle = middleOfCut(loop, s)) facing.push_back({&s, *middle});
  }
  std::vector<Exit> exits;
  for (const Exit& exit : facing) {
    const bool behind = std::any_of(facing.begin(), facing.end(), [&](const Exit& other) {
      return other.segment != exit.segment && turn(other.segment->a, other.segment->b, exit.middle) < 0;
    });
    if (!behind) exits.push_back(exit);
  }
  return exits;
}

// Cuts a loop at the connections of its layer; what lies beyond one belongs to the other layer. The known place lies in
// the loop and the layer.
void addPieces(MeshBuilder& builder, const Crossings& crossings, Loop loop, LayerId layer, uint32_t entered,
               Vec2 known) {
  for (const Exit& exit : exitsOf(crossings, loop, layer, entered, known)) {
    const Crossings::Segment& s = *exit.segment;
    addPieces(builder, crossings, leftPart(loop, s.b, s.a), s.other, s.id, exit.middle);
    loop = leftPart(loop, s.a, s.b);
  }
  loop = withoutRepeats(loop);
  if (loop.size() >= 3 && doubledArea(loop) >= 2 * kLeastArea) builder.addCell(layer, std::span<const Vec2>(loop));
}

// Per disk, its gates as seen from it.
struct Cut {
  uint32_t disk;
  Vec2 right;
  Vec2 left;
};

Loop cellOf(const Disk& disk, std::span<const Cut> cuts) {
  std::vector<std::pair<double, Vec2>> corners;
  const auto angle = [&](Vec2 p) { return std::atan2(p.y - disk.centre.y, p.x - disk.centre.x); };
  for (int i = 0; i < kCorners; ++i) {
    const double a = 2 * std::numbers::pi * (i + 0.5) / kCorners;
    const Vec2 p{disk.centre.x + disk.radius * std::cos(a), disk.centre.y + disk.radius * std::sin(a)};
    corners.emplace_back(angle(p), p);
  }
  for (const Cut& cut : cuts) {
    for (const Vec2 p : {cut.right, cut.left}) corners.emplace_back(angle(p), p);
  }
  std::sort(corners.begin(), corners.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.x, a.second.y) < std::tie(b.first, b.second.x, b.second.y);
  });
  Loop loop;
  for (const auto& [at, p] : corners) loop.push_back(p);
  for (const Cut& cut : cuts) loop = leftPart(loop, cut.right, cut.left);
  return withoutRepeats(loop);
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(sample);
  hash.add(least);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the scan trusts them.
  if (const auto triangles = triangulateLayers(environment, context); !triangles.ok()) return triangles.error();
  for (const Connection& connection : environment.connections) {
    if (std::max(connection.layerA, connection.layerB) >= environment.layers.size()) {
      return Error{ErrorCode::kInvalidGeometry,
                   "A connection names a layer that does not exist; validate() lists what "
                   "is wrong with the environment."};
    }
  }
  context.report(kStage, 0);
  const Box box = boundingBox(environment);
  const double unit = environment.lattice.unit;
  const double extent =
      unit * std::max(static_cast<double>(box.max.x) - box.min.x, static_cast<double>(box.max.y) - box.min.y);
  const double sample = std::max(settings.sample, extent / kMostSamplesAcross);
  if (sample > settings.sample) {
    context.note(
        fmt::format("Samples are {:.3f} m apart: no more than {} fit across the world.", sample, kMostSamplesAcross));
  }
  SquareRaster raster;
  raster.origin = box.min;
  raster.side = std::max<int64_t>(1, std::llround(sample / unit));
  raster.columns = (static_cast<int64_t>(box.max.x) - box.min.x) / raster.side + 1;
  raster.rows = (static_cast<int64_t>(box.max.y) - box.min.y) / raster.side + 1;

  const Voxels voxels = sampleLayers(environment, raster, context);
  context.report(kStage, 0.5);
  const Crossings crossings(environment);
  const std::vector<Disk> disks = chooseDisks(voxels, crossings, settings.least / unit, context);
  const std::vector<Gate> gates = findGates(disks, crossings);
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "The disks were cancelled by the caller."};

  std::vector<Cut> cuts;
  for (const Gate& gate : gates) {
    cuts.push_back({gate.a, gate.right, gate.left});
    cuts.push_back({gate.b, gate.left, gate.right});
  }
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.disk < b.disk; });
  MeshBuilder builder(environment);
  for (uint32_t i = 0, c = 0; i < disks.size(); ++i) {
    const uint32_t first = c;
    while (c < cuts.size() && cuts[c].disk == i) ++c;
    const Loop cell = cellOf(disks[i], std::span(cuts).subspan(first, c - first));
    addPieces(builder, crossings, cell, disks[i].layer, kNone, disks[i].centre);
  }
  context.report(kStage, 1);
  return builder.build(kName, settings.hash(), traits(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Disks around samples of locally largest clearance, cut where they overlap: approximate, never covers corners.";
  generator.info.source =
      "J. Pettre, J.-P. Laumond, D. Thalmann, A navigation graph for real-time crowd animation on multilayered and "
      "uneven terrain, V-CROWDS (2005)";
  generator.info.traits = traits();
  generator.info.options = {
      {"sample",
       "Distance of the samples, in metres, at least a 512th of the world; fewer miss narrow ways.",
       "0.2",
       {},
       0.001,
       100},
      {"least", "Smallest radius of a disk, in metres; larger ones leave narrow ways out.", "0.1", {}, 0.001, 100},
  };
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.number("sample"), options.number("least")}, context);
  };
  return generator;
}

}  // namespace wend::cdg
