#include "environment/make/decks.h"

#include <algorithm>
#include <cmath>

#include "environment/make/cell_plan.h"
#include "environment/make/recipe.h"
#include "environment/make/scatter.h"

// The chain of decks and ramps has one outer boundary; every column, and every free platform, adds one. An inner ramp
// through a shaft in the first two decks closes a cycle of layers: two rims become one, and the genus is one.
namespace wend::make {

namespace {

struct DeckSpec {
  const char* name;
  double width, depth, height;  // metres
  int decks;
  double strip;  // between the main part of a deck and the edge of the world, where the ramps run
  double rampWidth;
  double run;      // length of a ramp in top view
  double landing;  // length of the nub from which a ramp starts or at which it ends
  double upper;    // nominal length of the decks above the first; trimmed to meet the area
  int columns;
  double columnRadius;
  bool innerRamp;
  int platforms;      // free slabs between the first two decks, reached by no ramp
  double shelfPitch;  // of the shelves along the walls; 0 = none
  int64_t vertices;
  double area;  // m2
};

constexpr double kMargin = 1.0;
constexpr double kShelfLength = 6.0;
constexpr double kShelfWidth = 0.4;

constexpr DeckSpec kParkingLot{"parking-lot", 36, 21, 9, 4, 3, 3, 14, 4, 26.5, 8, 0.5, false, 0, 0, 120, 1921.50};
constexpr DeckSpec kLibrary1{"library", kLibraryWidth, kLibraryDepth, 21.1, 5,   1.5, 1.5,    12, 2, 24.6,
                             3,         0.6,           false,         0,    2.0, 489, 3154.06};
constexpr DeckSpec kLibrary2{"library", kLibraryWidth, kLibraryDepth, 21.1, 5,   1.5, 1.5,    12, 2, 26.2,
                             4,         0.6,           false,         0,    1.4, 717, 3154.06};
constexpr DeckSpec kOilrig{"oilrig", 273.6, 225.6, 84.4, 3, 50, 8, 90, 10, 161, 24, 5, true, 0, 0, 1644, 75746.52};
constexpr DeckSpec kNeogen1{"neogen1", 63.5, 63.5, 15.7, 2, 24, 3, 35, 4, 50.5, 9, 2.2, false, 2, 0, 5473, 4748.44};
constexpr DeckSpec kNeogen2{"neogen2", 63.5, 63.5, 31.1, 3, 5, 3, 35, 4, 54.5, 21, 1.5, true, 10, 0, 1089, 9600.56};
constexpr DeckSpec kNeogen3{"neogen3", 63.5, 63.5, 57.4, 3, 8, 3, 50, 4, 62, 10, 1.5, false, 9, 0, 672, 9642.51};

// What the area is trimmed with.
struct Trim {
  int32_t upper = 0;  // added to the length of every deck above the first, lattice units
  int32_t nub = 0;    // added to the length of the last landing
};

class DeckWorld {
 public:
  DeckWorld(const DeckSpec& spec, uint64_t seed) : spec_(spec), random_(seed) {}

  Construction build(const Trim& trim) {
    Construction world(spec_.name);
    for (int f = 0; f < spec_.decks; ++f) addDeck(world, f, trim);
    for (int f = 0; f + 1 < spec_.decks; ++f) {
      const Rect slope = rampRect(f);
      const uint32_t ramp =
          world.addRamp("ramp " + std::to_string(f + 1), slope, heightOf(f), heightOf(f + 1), Rise::kEast);
      world.joinRamp(ramp, slope, Rise::kEast, static_cast<uint32_t>(f), static_cast<uint32_t>(f + 1));
    }
    if (spec_.innerRamp) addInnerRamp(world);
    if (spec_.platforms > 0) addPlatforms(world);
    addColumns(world);
    return world;
  }

  uint32_t components() const { return static_cast<uint32_t>(1 + spec_.platforms); }
  uint32_t boundaries() const {
    return static_cast<uint32_t>(1 + spec_.columns + (spec_.innerRamp ? 1 : 0) + spec_.platforms);
  }

  // Free area per metre of each trim.
  double upperSlope() const { return (spec_.decks - 1) * (high() - low()); }
  double nubSlope() const { return spec_.strip; }

  // The columns and shelves that make up the vertex count, drawn once so that trimming does not move them.
  void furnish() {
    furnished_ = false;
    const auto bare = static_cast<int64_t>(build({}).vertices());
    const int64_t columns = spec_.columns;
    const int64_t left = spec_.vertices - bare;
    int64_t columnVertices = left;
    if (spec_.shelfPitch > 0) {
      const int64_t shelves = (left - 4 * columns) / 4;
      columnVertices = left - 4 * shelves;
      chooseShelves(static_cast<size_t>(shelves));
    }
    const std::vector<int> counts = distribute(columnVertices, static_cast<size_t>(columns), 4, 1 << 20, random_);
    drawColumns(counts);
    furnished_ = true;
  }

 private:
  double heightOf(int deck) const { return spec_.height * deck / (spec_.decks - 1); }
  bool isNorth(int ramp) const { return ramp % 2 == 0; }
  double rampStart() const { return kMargin + spec_.landing; }
  double rampEnd() const { return rampStart() + spec_.run; }
  // The main part of the decks in top view; a single ramp needs no strip on the other side.
  double low() const { return spec_.decks > 2 ? spec_.strip : 0; }
  double high() const { return spec_.depth - spec_.strip; }
  double middle() const { return spec_.depth / 2; }

  Rect rampRect(int ramp) const {
    return isNorth(ramp) ? rect(rampStart(), spec_.depth - spec_.rampWidth, rampEnd(), spec_.depth)
                         : rect(rampStart(), 0, rampEnd(), spec_.rampWidth);
  }

  // The landing of a deck at the start or the end of a ramp; the corner between ramp and landing becomes a vertex.
  void addNub(CellPlan& plan, int ramp, double x0, double x1, double end, int32_t longer) const {
    Rect nub = isNorth(ramp) ? rect(x0, high(), x1, spec_.depth) : rect(x0, 0, x1, low());
    nub.x1 += longer;
    plan.free(nub);
    plan.keep(point(end, isNorth(ramp) ? spec_.depth - spec_.rampWidth : spec_.rampWidth));
  }

  void addDeck(Construction& world, int f, const Trim& trim) {
    const uint32_t layer = world.addLayer("deck " + std::to_string(f), heightOf(f));
    CellPlan plan;
    Rect main = rect(0, low(), f == 0 ? spec_.width : spec_.upper, high());
    if (f > 0) main.x1 += trim.upper;
    plan.free(main);
    if (f + 1 < spec_.decks) addNub(plan, f, kMargin, rampStart(), rampStart(), 0);
    if (f > 0) {
      const bool last = f + 1 == spec_.decks;
      addNub(plan, f - 1, rampEnd(), rampEnd() + spec_.landing, rampEnd(), last ? trim.nub : 0);
    }
    if (furnished_) {
      for (const auto& [deck, shelf] : shelves_) {
        if (deck == f) plan.block(shelf);
      }
    }
    CellPlan::Traced traced = plan.trace();
    world.addFloors(layer, std::move(traced.polygons), traced.doubledArea);
  }

  // Shelves reach from the walls into the deck, wherever no landing is.
  void chooseShelves(size_t count) {
    for (int f = 0; f < spec_.decks; ++f) {
      const double length = f == 0 ? spec_.width : spec_.upper - 1.5;
      for (double x = kMargin / 2; x + kShelfWidth + kMargin / 2 < length; x += spec_.shelfPitch) {
        for (const bool north : {false, true}) {
          const bool leaves = f + 1 < spec_.decks && isNorth(f) == north;
          const bool arrives = f > 0 && isNorth(f - 1) == north;
          const auto meets = [&](double x0, double x1) { return x < x1 + 0.3 && x + kShelfWidth > x0 - 0.3; };
          if (leaves && meets(kMargin, rampStart())) continue;
          if (arrives && meets(rampEnd(), rampEnd() + spec_.landing)) continue;
          const double y0 = north ? high() - kShelfLength : low();
          shelves_.push_back({f, rect(x, y0, x + kShelfWidth, y0 + kShelfLength)});
        }
      }
    }
    random_.shuffle(shelves_);
    shelves_.resize(std::min(count, shelves_.size()));
  }

  // Columns stand in the upper half of the decks in top view, or between the shelves.
  void drawColumns(const std::vector<int>& counts) {
    const bool shelves = spec_.shelfPitch > 0;
    const double y0 = shelves ? low() + kShelfLength + 0.5 : (spec_.innerRamp ? middle() + 1 : low() + 1);
    const double y1 = shelves ? high() - kShelfLength - 0.5 : high() - 1;
    for (int f = 0; f < spec_.decks; ++f) {
      const int here = spec_.columns / spec_.decks + (f < spec_.columns % spec_.decks ? 1 : 0);
      if (here == 0) continue;
      const double x1 = (f == 0 ? spec_.width : spec_.upper) - 4;
      const double cell = 2 * spec_.columnRadius + 1.5;
      const int rows = std::clamp(static_cast<int>((y1 - y0) / cell), 1, (here + 2) / 3);
      const int across = (here + rows - 1) / rows;
      std::vector<Slot> slots = slotGrid(3, y0, x1, y1, across, rows);
      slots.resize(static_cast<size_t>(here));
      for (Slot& slot : slots) {
        const int vertices = counts[columns_.size()];
        const double radius = spec_.columnRadius * random_.real(0.8, 1.0);
        slot.shape = vertices > 120 ? gear(vertices, radius, 0.15) : regular(vertices, radius, random_.real(0, 1));
        const Ring ring = settle({slot}, 0, 0.2, random_)[0];
        columns_.push_back({f, ring});
      }
    }
  }

  void addColumns(Construction& world) const {
    if (!furnished_) return;
    for (const auto& [deck, ring] : columns_) world.addObstacle(static_cast<uint32_t>(deck), 0, ring);
  }

  void addInnerRamp(Construction& world) const {
    const double x = 8;
    const double y = (low() + middle()) / 2;
    const Rect shaft = rect(x, y, x + spec_.run, y + spec_.rampWidth);
    world.addObstacle(0, 0, shaft);
    world.addObstacle(1, 0, shaft);
    const uint32_t ramp = world.addRamp("inner ramp", shaft, heightOf(0), heightOf(1), Rise::kEast);
    world.joinRamp(ramp, shaft, Rise::kEast, 0, 1);
  }

  void addPlatforms(Construction& world) const {
    const uint32_t layer = world.addLayer("platforms", heightOf(1) / 2);
    const double y0 = middle() + 2;
    const int rows = spec_.platforms > 3 ? 2 : 1;
    const int across = (spec_.platforms + rows - 1) / rows;
    for (int i = 0; i < spec_.platforms; ++i) {
      const double w = (spec_.width - 6) / across;
      const double d = (high() - 2 - y0) / rows;
      const double x = 3 + w * (i % across) + 0.1 * w;
      const int row = i / across;
      const double y = y0 + d * row + 0.1 * d;
      world.addFloor(layer, rect(x, y, x + std::min(0.8 * w, 9.0), y + std::min(0.8 * d, 5.0)));
    }
  }

  const DeckSpec& spec_;
  Random random_;
  bool furnished_ = false;
  std::vector<std::pair<int, Rect>> shelves_;
  std::vector<std::pair<int, Ring>> columns_;
};

Environment makeDecks(const DeckSpec& spec, uint64_t seed) {
  DeckWorld decks(spec, seed);
  decks.furnish();
  // The area is linear in both trims: the decks' length first, then the finer landing.
  Trim trim;
  const double missing = spec.area - decks.build(trim).area();
  trim.upper = static_cast<int32_t>(std::floor(missing / decks.upperSlope() * kMetre));
  const double rest = spec.area - decks.build(trim).area();
  trim.nub = static_cast<int32_t>(std::lround(rest / decks.nubSlope() * kMetre));
  return decks.build(trim).finish(decks.components(), decks.boundaries());
}

Result<Environment> parkingLot(const Recipe& recipe) {
  return makeDecks(kParkingLot, recipe.seed());
}
Result<Environment> library(const Recipe& recipe) {
  return makeLibrary(recipe.whole("edition"), recipe.seed());
}
Result<Environment> oilrig(const Recipe& recipe) {
  return makeDecks(kOilrig, recipe.seed());
}
Result<Environment> neogen1(const Recipe& recipe) {
  return makeDecks(kNeogen1, recipe.seed());
}
Result<Environment> neogen2(const Recipe& recipe) {
  return makeDecks(kNeogen2, recipe.seed());
}
Result<Environment> neogen3(const Recipe& recipe) {
  return makeDecks(kNeogen3, recipe.seed());
}

}  // namespace

Environment makeLibrary(int edition, uint64_t seed) {
  return makeDecks(edition == 1 ? kLibrary1 : kLibrary2, seed);
}

std::vector<Entry> deckWorlds() {
  return {
      {{"parking-lot",
        "A car park of four decks with outer ramps and eight columns, 36 m x 21 m x 9 m.",
        "ParkingLot of the comparison study: n 120, 1,921.50 m2, 1 component, 9 boundaries, genus 0. All reproduced; "
        "4 decks and 3 ramps are our choice.",
        {}},
       parkingLot},
      {{"library",
        "Five floors with shelves along the walls and four stairs, 59.5 m x 23.9 m x 21.1 m.",
        "Library of the comparison study: n 489, 3,154.06 m2, 4 boundaries, genus 0, 9 layers, 8 connections (edition "
        "2, the ECM chapters: n 717, 4 holes, 5 boundaries, no area given). All reproduced; the plan is ours.",
        {editionParameter()}},
       library},
      {{"oilrig",
        "Three decks with tanks, two outer ramps and one inner ramp, 273.6 m x 225.6 m x 84.4 m.",
        "Oilrig of the comparison study: n 1,644, 75,746.52 m2, 1 component, 26 boundaries, genus 1. All reproduced; "
        "3 decks and 3 ramps are our choice.",
        {}},
       oilrig},
      {{"neogen1",
        "Two decks with nine finely toothed columns and two free platforms, 63.5 m x 63.5 m x 15.7 m.",
        "Neogen1 of the comparison study: n 5,473, 4,748.44 m2, 3 components, 12 boundaries, genus 0. All reproduced; "
        "the plan is ours.",
        {}},
       neogen1},
      {{"neogen2",
        "Three decks with 21 columns, an inner ramp and ten free platforms, 63.5 m x 63.5 m x 31.1 m.",
        "Neogen2 of the comparison study: n 1,089, 9,600.56 m2, 11 components, 33 boundaries, genus 1. All reproduced; "
        "the plan is ours.",
        {}},
       neogen2},
      {{"neogen3",
        "Three decks with ten columns and nine free platforms, 63.5 m x 63.5 m x 57.4 m.",
        "Neogen3 of the comparison study: n 672, 9,642.51 m2, 10 components, 20 boundaries, genus 0. All reproduced; "
        "the plan is ours.",
        {}},
       neogen3},
  };
}

}  // namespace wend::make
