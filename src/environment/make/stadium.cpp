#include "environment/make/box_outline.h"
#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/int128.h"

// A stadium: the field, 16 sloped stands with rows of seats around it, and a gallery behind them.
namespace wend::make {

namespace {

constexpr double kGallery = 15;  // metres above the field
constexpr int kStands = 16;
constexpr int64_t kSeatRows = 1386;
constexpr size_t kVertices = 12915;
constexpr int kColumns = 4;
constexpr int kRows = 22;

struct Stand {
  Rect r;
  Rise rise;
};

std::vector<Stand> stands() {
  std::vector<Stand> list;
  for (int i = 0; i < 5; ++i) list.push_back({rect(62 + 32 * i, 15, 90 + 32 * i, 50), Rise::kSouth});
  for (int i = 0; i < 3; ++i) list.push_back({rect(220, 53 + 27 * i, 260, 77 + 27 * i), Rise::kEast});
  for (int i = 0; i < 5; ++i) list.push_back({rect(62 + 32 * i, 134, 90 + 32 * i, 169), Rise::kNorth});
  for (int i = 0; i < 3; ++i) list.push_back({rect(20, 53 + 27 * i, 60, 77 + 27 * i), Rise::kWest});
  return list;
}

// The side (south, east, north, west) of a rectangle that faces in the direction of the rise.
size_t sideOf(Rise rise) {
  switch (rise) {
    case Rise::kSouth:
      return 0;
    case Rise::kEast:
      return 1;
    case Rise::kNorth:
      return 2;
    case Rise::kWest:
      break;
  }
  return 3;
}

bool alongX(Rise rise) {
  return rise == Rise::kSouth || rise == Rise::kNorth;
}

// Ends of the openings along the stand's side, as coordinates.
std::vector<int32_t> openings(const Stand& stand, std::initializer_list<double> starts) {
  const int32_t from = alongX(stand.rise) ? stand.r.x0 : stand.r.y0;
  const int32_t length = alongX(stand.rise) ? stand.r.width() : stand.r.depth();
  std::vector<int32_t> ends;
  for (const double start : starts) {
    ends.push_back(from + static_cast<int32_t>(start * length));
    ends.push_back(from + static_cast<int32_t>((start + 0.14) * length));
  }
  return ends;
}

// The part of one end of the stand between two coordinates, with the stand on its left.
std::vector<Point> opening(std::pair<Point, Point> end, bool horizontal, int32_t a, int32_t b) {
  const bool forward = horizontal ? end.first.x < end.second.x : end.first.y < end.second.y;
  if (!forward) std::swap(a, b);
  if (horizontal) return {{a, end.first.y}, {b, end.first.y}};
  return {{end.first.x, a}, {end.first.x, b}};
}

struct Entrances {
  std::vector<int32_t> field;
  std::vector<int32_t> gallery;
};

void append(std::vector<int32_t>& to, const std::vector<int32_t>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Rows of seats with rounded corners, on a grid that leaves the entrances free.
void addSeats(Construction& world, uint32_t layer, const Stand& stand, const std::vector<int>& counts, Random& random) {
  const auto metres = [](int32_t value) { return value * kUnit; };
  const bool horizontal = alongX(stand.rise);
  const double inset = 2.5;
  const double insetX = horizontal ? 0.5 : inset;
  const double insetY = horizontal ? inset : 0.5;
  std::vector<Slot> slots =
      slotGrid(metres(stand.r.x0) + insetX, metres(stand.r.y0) + insetY, metres(stand.r.x1) - insetX,
               metres(stand.r.y1) - insetY, horizontal ? kColumns : kRows, horizontal ? kRows : kColumns);
  random.shuffle(slots);
  slots.resize(counts.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    const double width = 2 * slot.half.x - (horizontal ? 1.0 : 0.7);
    const double depth = 2 * slot.half.y - (horizontal ? 0.7 : 1.0);
    slot.shape = roundedBox(counts[i], width, depth, 0.2);
  }
  for (Ring& seats : settle(slots, 0, 0.05, random)) world.addObstacle(layer, 0, std::move(seats));
}

Result<Environment> stadium(const Recipe& recipe) {
  Random random(recipe.seed());
  const std::vector<Stand> list = stands();
  std::vector<Entrances> entrances;
  std::array<std::vector<int32_t>, 4> onField;
  std::array<std::vector<int32_t>, 4> onGallery;
  for (size_t i = 0; i < list.size(); ++i) {
    const bool third = i == 2 || i == 10;
    entrances.push_back({openings(list[i], {0.1, 0.43, 0.76}),
                         third ? openings(list[i], {0.2, 0.43, 0.66}) : openings(list[i], {0.2, 0.66})});
    append(onField[sideOf(list[i].rise)], entrances[i].field);
    append(onGallery[sideOf(list[i].rise)], entrances[i].gallery);
  }
  Construction world("stadium");
  const Rect fieldBox = rect(60, 50, 220, 134);
  const Rect galleryBox = rect(0, 0, 280, 184);
  const Rect voidBox = rect(20, 15, 260, 169);
  const uint32_t field = world.addLayer("field", 0);
  world.addFloor(field, outlineWith(fieldBox, onField), 2 * static_cast<Int128>(fieldBox.width()) * fieldBox.depth());
  const uint32_t gallery = world.addLayer("gallery", kGallery);
  world.addFloor(gallery, galleryBox);
  world.addObstacle(gallery, 0, outlineWith(voidBox, onGallery),
                    2 * static_cast<Int128>(voidBox.width()) * voidBox.depth());
  for (size_t i = 0; i < list.size(); ++i) {
    const Stand& stand = list[i];
    const bool horizontal = alongX(stand.rise);
    const uint32_t layer = world.addLayer("stand " + std::to_string(i + 1), 0);
    std::array<std::vector<int32_t>, 4> points;
    points[sideOf(stand.rise)] = entrances[i].gallery;
    points[(sideOf(stand.rise) + 2) % 4] = entrances[i].field;
    world.addFloor(layer, outlineWith(stand.r, points), 2 * static_cast<Int128>(stand.r.width()) * stand.r.depth());
    world.slope(layer, stand.r, 0, kGallery, stand.rise);
    for (size_t k = 0; k < entrances[i].field.size(); k += 2) {
      world.connect(layer, field,
                    opening(lowEnd(stand.r, stand.rise), horizontal, entrances[i].field[k], entrances[i].field[k + 1]));
    }
    for (size_t k = 0; k < entrances[i].gallery.size(); k += 2) {
      world.connect(
          layer, gallery,
          opening(highEnd(stand.r, stand.rise), horizontal, entrances[i].gallery[k], entrances[i].gallery[k + 1]));
    }
  }
  const std::vector<int> counts =
      distribute(static_cast<int64_t>(kVertices - world.vertices()), kSeatRows, 4, 16, random);
  for (int64_t i = 0; i < kStands; ++i) {
    const auto from = counts.begin() + kSeatRows * i / kStands;
    const auto to = counts.begin() + kSeatRows * (i + 1) / kStands;
    addSeats(world, static_cast<uint32_t>(2 + i), list[static_cast<size_t>(i)], {from, to}, random);
  }
  // 18 outlines, the inner rim of the gallery and the seats; 17 connections join layers and with them their outlines,
  // and every other one cuts a rim in two.
  const auto connections = static_cast<int64_t>(world.environment().connections.size());
  const int64_t boundaries = 18 + 1 + kSeatRows - 17 + (connections - 17);
  return std::move(world).finish(1, static_cast<uint32_t>(boundaries));
}

}  // namespace

std::vector<Entry> stadiumWorlds() {
  return {{{"stadium",
            "A field, 16 sloped stands with 1,386 rows of seats, and a gallery around them, 280 m x 184 m.",
            "Stadium of the multi-layered ECM: n 12,915, 18 layers, 82 connections, at least 1,387 holes. Reproduced "
            "with 1,387 holes and one component (the hand-drawn original falls apart in places); 1,453 boundaries, "
            "genus 0.",
            {}},
           stadium}};
}

}  // namespace wend::make
