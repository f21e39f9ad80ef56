#include <array>
#include <cmath>

#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// A game level of 100 m x 100 m with 56 rocks, and its k x k tilings. Each tile is framed by four corner pieces with an
// opening in the middle of each side; where four tiles meet, their corner pieces close up to one more hole.
namespace wend::make {

namespace {

constexpr double kTile = 100;
constexpr double kOpening = 42;  // distance of an opening's end from the nearer corner
constexpr double kShallow = 5;   // of the frame
constexpr double kDeep = 9;
constexpr int kCornerVertices = 12;  // of a corner piece, both ends included
constexpr int kRocks = 56;

// The piece of the lower left corner, from the left side to the lower side, walked with free space on the left.
Ring cornerPiece(Random& random) {
  Ring piece{point(0, kOpening)};
  constexpr int kUpright = 5;
  constexpr int kLevel = 4;
  for (int i = 0; i < kUpright; ++i) {
    piece.push_back(point(random.real(kShallow, kDeep), 39 - 6.0 * i + random.real(-1.5, 1.5)));
  }
  piece.push_back(point(random.real(kShallow, kDeep), random.real(kShallow, kDeep)));
  for (int i = 0; i < kLevel; ++i) {
    piece.push_back(point(14 + 7.5 * i + random.real(-2, 2), random.real(kShallow, kDeep)));
  }
  piece.push_back(point(kOpening, 0));
  static_assert(kUpright + kLevel + 3 == kCornerVertices);
  return piece;
}

// By quarter turns around the centre of the tile.
Ring turnedBy(const Ring& ring, int quarters) {
  Ring result = ring;
  for (int q = 0; q < quarters; ++q) {
    for (Point& p : result) p = {units(kTile) - p.y, p.x};
  }
  return result;
}

// The frame of all tiles as rings: the outer one, counter-clockwise, and the holes, clockwise.
class Frame {
 public:
  Frame(int tiles, Random& random) : tiles_(tiles) {
    for (int q = 0; q < 4; ++q) pieces_[static_cast<size_t>(q)] = turnedBy(cornerPiece(random), q);
    walked_.assign(static_cast<size_t>(tiles) * tiles * 4, 0);
    for (int j = 0; j < tiles; ++j) {
      for (int i = 0; i < tiles; ++i) {
        for (int q = 0; q < 4; ++q) {
          if (walked_[slot(i, j, q)] == 0) rings.push_back(walk(i, j, q));
        }
      }
    }
  }

  std::vector<Ring> rings;  // the outer one first: it holds the lower left piece

 private:
  size_t slot(int i, int j, int q) const { return (static_cast<size_t>(j) * tiles_ + i) * 4 + q; }

  // Piece q ends on the side towards (kX[q], kY[q]) and starts on the side before that.
  static constexpr int kX[4] = {0, 1, 0, -1};
  static constexpr int kY[4] = {-1, 0, 1, 0};
  bool inside(int i, int j) const { return i >= 0 && j >= 0 && i < tiles_ && j < tiles_; }
  bool isOpen(int i, int j, int side) const { return inside(i + kX[side], j + kY[side]); }

  Ring walk(int i, int j, int q) {
    Ring ring;
    while (walked_[slot(i, j, q)] == 0) {
      walked_[slot(i, j, q)] = 1;
      const Ring piece = moved(pieces_[static_cast<size_t>(q)], {i * units(kTile), j * units(kTile)});
      // The end of a piece is the start of the next tile's, and is kept only where there is a next tile.
      // The single tile has one vertex less per corner.
      ring.insert(ring.end(), piece.begin() + (tiles_ > 1 ? 1 : 2), piece.end() - 1);
      if (isOpen(i, j, q)) {
        ring.push_back(piece.back());
        i += kX[q];
        j += kY[q];
        q = (q + 3) % 4;
      } else {
        // Closed on the edge of the world.
        ring.push_back(moved(turnedBy({point(50, 0)}, q), {i * units(kTile), j * units(kTile)})[0]);
        q = (q + 1) % 4;
      }
    }
    return ring;
  }

  int tiles_;
  std::array<Ring, 4> pieces_;
  std::vector<uint8_t> walked_;
};

// Rings with `extra` vertices more: the middles of their first sides, moved a little inwards.
void addVertices(std::vector<Ring>& rocks, int extra) {
  for (int k = 0; k < extra; ++k) {
    Ring& rock = rocks[1 + static_cast<size_t>(k) % (rocks.size() - 1)];
    const Point a = rock[0];
    const Point b = rock[1];
    const int32_t dx = b.x - a.x;
    const int32_t dy = b.y - a.y;
    rock.insert(rock.begin() + 1, Point{a.x + dx / 2 - dy / 40, a.y + dy / 2 + dx / 40});
  }
}

struct Figures {
  int64_t rockVertices;  // per tile
  int extra;             // in the first tile
  double area;           // of the world
};

Figures figuresFor(int tiles, int edition) {
  const int64_t frame = 4 * kCornerVertices;
  const double area = tiles == 1   ? 5642.25
                      : tiles == 2 ? 22632.42
                      : tiles == 4 ? 90529.70
                                   : 90529.70 / 16 * tiles * tiles;
  if (tiles == 1) return {(edition == 1 ? 437 : 564) - (frame - 8), 0, area};
  return {(edition == 1 ? 442 : 573) - (frame - 4), edition == 1 ? 0 : 12, area};
}

Result<Environment> zelda(const Recipe& recipe) {
  Random random(recipe.seed());
  const int tiles = recipe.whole("tiles");
  const Figures figures = figuresFor(tiles, recipe.whole("edition"));
  const Frame frame(tiles, random);
  Int128 framed = 0;
  for (const Ring& ring : frame.rings) framed += doubledArea(ring);

  std::vector<Slot> slots = slotGrid(9.5, 9.5, 90.5, 90.5, 8, 8);
  random.shuffle(slots);
  slots.resize(kRocks);
  const std::vector<int> counts = distribute(figures.rockVertices - 4, kRocks - 1, 4, 14, random);
  slots[0].shape = boxShape(6.5, 6);
  for (size_t i = 1; i < slots.size(); ++i) slots[i].shape = rock(counts[i - 1], 4.3, 4.3, 0.4, random);
  const double blocked = (static_cast<double>(framed) / 2 * kUnit * kUnit - figures.area) / (tiles * tiles);
  const std::vector<Ring> rocks = settle(slots, blocked, 0.35, random);

  Construction world("zelda" + std::to_string(tiles) + "x" + std::to_string(tiles));
  const uint32_t layer = world.addLayer("level", 0);
  const uint32_t floor = world.addFloor(layer, frame.rings[0], doubledArea(frame.rings[0]));
  for (size_t i = 1; i < frame.rings.size(); ++i) world.addObstacle(layer, floor, reversed(frame.rings[i]));
  for (int tile = tiles * tiles; tile-- > 0;) {
    std::vector<Ring> copy = rocks;
    if (tile == 0) addVertices(copy, figures.extra);
    const Point offset{tile % tiles * units(kTile), tile / tiles * units(kTile)};
    for (size_t i = 1; i < copy.size(); ++i) world.addObstacle(layer, floor, moved(copy[i], offset));
    Ring box = copy[0];
    if (tile == 0) {
      // The last box takes up what rounding and the extra vertices left.
      const int32_t depth = box[2].y - box[1].y;
      const double rest = (world.area() - figures.area) / kUnit / kUnit;
      box[1].x = box[2].x = box[0].x + static_cast<int32_t>(std::lround(rest / depth));
    }
    world.addObstacle(layer, floor, moved(box, offset));
  }
  return std::move(world).finish(1, static_cast<uint32_t>(kRocks * tiles * tiles + (tiles - 1) * (tiles - 1) + 1));
}

}  // namespace

std::vector<Entry> zeldaWorlds() {
  return {{{"zelda",
            "An irregular game level of 100 m x 100 m with 56 rocks, or k x k of them joined by openings.",
            "Zelda, Zelda2x2, Zelda4x4 of the comparison study: n 437, 1,768, 7,072; 5,642.25, 22,632.42, 90,529.70 "
            "m2; 57, 226, 906 boundaries (56k2 + (k-1)2 islands). Edition 2, the ECM chapters: n 564, and 573k2 + 12 "
            "for k > 1 (2,304, 9,180, 36,684). All reproduced; the shapes are ours.",
            {wholeParameter("tiles", "Tiles along each side.", 1, 1, 32), editionParameter()}},
           zelda}};
}

}  // namespace wend::make
