#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "environment/make/recipe.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"

// A random polygon with exactly the vertices, notches (reflex vertices) and holes asked for.
//
// A hall holds the holes on a jittered lattice; above it stand fingers whose walls carry niches (one convex tip between
// two notches) and bumps (one notch between two convex vertices). What does not come out even goes into rounder tips,
// into the holes, into rounded corners of the hall and into a vault in its lower wall. Linear in the vertices.
namespace wend::make {

namespace {

// How many vertices each part gets.
struct Budget {
  int64_t fingers = 0;
  int64_t pairs = 0;        // niches, and as many bumps
  int64_t nicheExtra = 0;   // convex vertices beyond one per niche
  int64_t bumpExtra = 0;    // notches beyond one per bump
  int64_t cornerExtra = 0;  // convex vertices of the hall beyond four
  int64_t vault = 0;        // notches of the lower wall
  int64_t holeNotches = 0;
  int64_t holeDents = 0;  // convex vertices in the holes
};

constexpr double kCornerRadius = 1.5;  // metres
constexpr int kTipExtra = 40;
constexpr int kCornerExtra = 160;
constexpr int kVault = 100;
constexpr int kNotchesPerHole = 1000;
constexpr int kDentsPerNotch = 8;

// Takes as much as fits from `left`.
int64_t take(int64_t& left, int64_t most) {
  const int64_t taken = std::clamp<int64_t>(left, 0, most);
  left -= taken;
  return taken;
}

Result<Budget> budget(int64_t vertices, int64_t notches, int64_t holes) {
  if (notches < 3 * holes || notches > vertices - 4) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("random: {} notches do not go with {} vertices and {} holes; every hole has at least 3 "
                             "notches and the outer wall 4 other vertices, so choose between {} and {}",
                             notches, vertices, holes, 3 * holes, vertices - 4)};
  }
  Budget b;
  int64_t convex = vertices - notches - 4;
  int64_t reflex = notches - 3 * holes;
  const int64_t both = std::min(convex, reflex) / (holes > 0 ? 2 : 1);
  if (both >= 5) {
    const int64_t thirds = both / 3;
    b.fingers = std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(2.0 * static_cast<double>(thirds) / 7.0)));
    b.pairs = (both - 2 * b.fingers) / 3;
  }
  convex -= 2 * b.fingers + 3 * b.pairs;
  reflex -= 2 * b.fingers + 3 * b.pairs;
  if (holes > 0) {
    b.holeNotches = 3 * holes + take(reflex, (kNotchesPerHole - 3) * holes);
    b.holeDents = take(convex, kDentsPerNotch * b.holeNotches);
  }
  b.nicheExtra = take(convex, kTipExtra * b.pairs);
  b.bumpExtra = take(reflex, kTipExtra * b.pairs);
  b.cornerExtra = take(convex, kCornerExtra);
  b.vault = take(reflex, kVault);
  if (convex > 0 || reflex > 0) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("random: {} vertices with {} notches and {} holes are too one-sided to be drawn on the "
                             "lattice; choose {} notches{}",
                             vertices, notches, holes, convex > 0 ? "more" : "fewer",
                             holes == 0 ? " or some holes" : " or more holes")};
  }
  return b;
}

// The radius that keeps neighbouring vertices of a hole at least ten lattice units off a straight line.
double holeRadius(int notches, Random& random) {
  return std::max({random.real(1.0, 1.9), 5e-5 * notches * notches, 0.016 * notches});
}

struct Hall {
  double width = 0;
  double depth = 0;
  std::vector<Slot> slots;
};

Hall hallFor(const Budget& b, int64_t holes, Random& random) {
  Hall hall;
  std::vector<Shape> shapes;
  double largest = 0;
  const std::vector<int> notches = distribute(b.holeNotches, static_cast<size_t>(holes), 3, kNotchesPerHole, random);
  int64_t sum = 0;
  for (const int count : notches) {
    const auto before = sum * b.holeDents / std::max<int64_t>(1, b.holeNotches);
    sum += count;
    const auto after = sum * b.holeDents / std::max<int64_t>(1, b.holeNotches);
    const double radius = holeRadius(count, random);
    largest = std::max(largest, radius);
    shapes.push_back(turned(dented(count, static_cast<int>(after - before), radius, radius * random.real(0.7, 1.0)),
                            random.real(0, 3)));
  }
  const double pitch = 2 * largest + 1.2;
  hall.width = std::max(8.0, 7.0 * static_cast<double>(b.fingers) + 3);
  const double lower = b.vault > 0 ? 4 : 1;
  if (holes == 0) {
    hall.depth = lower + 5;
    return hall;
  }
  const auto square = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(holes))));
  const auto wide = static_cast<int64_t>((hall.width - 4) / pitch);
  const int64_t columns = std::min(holes, std::max(square, wide));
  const int64_t rows = (holes + columns - 1) / columns;
  hall.width = std::max(hall.width, static_cast<double>(columns) * pitch + 4);
  hall.depth = lower + static_cast<double>(rows) * pitch + 2;
  hall.slots = slotGrid(2, lower, 2 + static_cast<double>(columns) * pitch, lower + static_cast<double>(rows) * pitch,
                        static_cast<int>(columns), static_cast<int>(rows));
  hall.slots.resize(static_cast<size_t>(holes));
  for (size_t i = 0; i < hall.slots.size(); ++i) hall.slots[i].shape = std::move(shapes[i]);
  return hall;
}

// The outer wall, counter-clockwise.
class Wall {
 public:
  Wall(const Budget& b, const Hall& hall, Random& random) : budget_(b), hall_(hall), random_(random) {
    for (int64_t i = 0; i < b.pairs; ++i) {
      niches_.push_back(static_cast<int>(1 + share(b.nicheExtra, b.pairs, i)));
      niches_.push_back(-static_cast<int>(1 + share(b.bumpExtra, b.pairs, i)));
    }
    random.shuffle(niches_);
  }

  Ring draw() {
    const double w = hall_.width;
    const double d = hall_.depth;
    corner({0, 0}, 0);
    // From corner to corner, so that every vertex of the vault turns right.
    const double from = share(budget_.cornerExtra, 4, 0) > 0 ? kCornerRadius : 0;
    const double to = share(budget_.cornerExtra, 4, 1) > 0 ? w - kCornerRadius : w;
    for (int64_t k = 1; k <= budget_.vault; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(budget_.vault + 1);
      add(from + t * (to - from), 8 * t * (1 - t));
    }
    corner({w, 0}, 1);
    corner({w, d}, 2);
    for (int64_t i = budget_.fingers; i-- > 0;) finger(2.5 + 7 * static_cast<double>(i));
    corner({0, d}, 3);
    return std::move(ring_);
  }

 private:
  static int64_t share(int64_t total, int64_t parts, int64_t i) { return (i + 1) * total / parts - i * total / parts; }

  void add(double x, double y) { ring_.push_back(point(x, y)); }

  void corner(Vec2 at, int which) {
    const int64_t count = 1 + share(budget_.cornerExtra, 4, which);
    if (count == 1) return add(at.x, at.y);
    const double cx = at.x + (which == 0 || which == 3 ? kCornerRadius : -kCornerRadius);
    const double cy = at.y + (which < 2 ? kCornerRadius : -kCornerRadius);
    for (int64_t k = 0; k < count; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(count - 1);
      const double angle = std::numbers::pi / 2 * (which + 2 + t);
      add(cx + kCornerRadius * std::cos(angle), cy + kCornerRadius * std::sin(angle));
    }
  }

  void finger(double left) {
    const auto perWall = static_cast<int64_t>((budget_.pairs + budget_.fingers - 1) / budget_.fingers);
    const double top = hall_.depth + 2 * static_cast<double>(perWall) + 2;
    add(left + 4, hall_.depth);
    for (int64_t k = 0; k < perWall; ++k) element(left + 4, hall_.depth + 1 + 2 * static_cast<double>(k), 1);
    add(left + 4, top);
    add(left, top);
    for (int64_t k = 0; k < perWall; ++k) element(left, top - 1 - 2 * static_cast<double>(k), -1);
    add(left, hall_.depth);
  }

  // One metre of wall with a niche or bump, walked upwards (1) on the right wall or downwards (-1) on the left one.
  void element(double x, double y, double direction) {
    if (next_ == niches_.size()) return;
    const int tips = niches_[next_++];
    const double height = random_.real(0.4, 0.9) * (tips > 0 ? direction : -direction);
    const double from = y + direction * random_.real(0.1, 0.7);
    add(x, from);
    for (int k = 1; k <= std::abs(tips); ++k) {
      const double t = static_cast<double>(k) / (std::abs(tips) + 1);
      add(x + height * 4 * t * (1 - t), from + direction * t);
    }
    add(x, from + direction);
  }

  const Budget& budget_;
  const Hall& hall_;
  Random& random_;
  std::vector<int> niches_;  // tips of the next niche; negative for a bump
  size_t next_ = 0;
  Ring ring_;
};

Result<Environment> randomPolygon(const Recipe& recipe) {
  Random random(recipe.seed());
  const auto vertices = static_cast<int64_t>(recipe.number("vertices"));
  const auto askedNotches = static_cast<int64_t>(recipe.number("notches"));
  const auto askedHoles = static_cast<int64_t>(recipe.number("holes"));
  const int64_t holes = askedHoles >= 0 ? askedHoles : vertices / 50;
  const int64_t notches = askedNotches >= 0 ? askedNotches : std::max(vertices / 2, 3 * holes);
  const Result<Budget> b = budget(vertices, notches, holes);
  if (!b.ok()) return b.error();
  const Hall hall = hallFor(*b, holes, random);
  Construction world("random");
  const uint32_t layer = world.addLayer("ground", 0);
  Ring outer = Wall(*b, hall, random).draw();
  const Int128 area = doubledArea(outer);
  const uint32_t floor = world.addFloor(layer, std::move(outer), area);
  if (recipe.context().cancelled()) return Error{ErrorCode::kCancelled, "cancelled while the world was made"};
  for (Ring& hole : settle(hall.slots, 0, 0.25, random)) world.addObstacle(layer, floor, std::move(hole));
  return std::move(world).finish(1, static_cast<uint32_t>(holes + 1));
}

}  // namespace

std::vector<Entry> randomWorlds() {
  return {{{"random",
            "A random polygon with exactly the vertices, notches and holes asked for.",
            "No source; for properties and measurements of growth, up to millions of vertices.",
            {wholeParameter("vertices", "Vertices of all boundaries.", 1000, 4, 4000000),
             wholeParameter("notches", "Reflex vertices; -1 = half of the vertices.", -1, -1, 4000000),
             wholeParameter("holes", "Holes; -1 = one per 50 vertices.", -1, -1, 1000000)}},
           randomPolygon}};
}

}  // namespace wend::make
