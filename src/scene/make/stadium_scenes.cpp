#include <cmath>
#include <numbers>

#include "scene/make/scene_builder.h"

// A bowl of stepped rows with seats around a field, a concourse above them and a wall around it all.
namespace wend::make {
namespace {

constexpr double kField = 40;     // radius of the corners
constexpr double kFirst = 1.2;    // height of the first row, too high to climb
constexpr double kRise = 0.35;    // of a row, less than a step
constexpr double kRow = 0.8;      // depth of a row
constexpr double kConcourse = 5;  // its width

class StadiumBuilder {
 public:
  explicit StadiumBuilder(const SceneRecipe& recipe)
      : rows_(recipe.whole("rows")),
        sides_(recipe.whole("sides")),
        stairs_(recipe.whole("stairs")),
        seats_(recipe.whole("seats") != 0) {}

  MadeScene run() {
    field();
    for (int i = 0; i < rows_; ++i) row(i);
    const double inner = kField + kRow * rows_;
    b_.label("concourse");
    ring(inner, inner + kConcourse, height(rows_));
    riser(inner, height(rows_ - 1), height(rows_));
    outerWall(inner + kConcourse);
    stands_ += ringArea(inner, inner + kConcourse);
    SceneTruth& truth = made_.truth;
    const Vec3 top = at(inner + kConcourse / 2, 0.5, height(rows_));
    if (stairs_ > 0) {
      fieldStairs();
      // Field and stands touch in top view but for the stairs, and are kept a wall's width apart.
      const double around = 2 * sides_ * kField * std::sin(std::numbers::pi / sides_);
      truth.components = {{fieldArea() + stands_ - 0.001 * around, 0.1}};
      truth.spots = {{"field", {1, 0.5, 0}, 0}, {"concourse", top, 0}};
    } else {
      truth.components = {{fieldArea(), 0.1}, {stands_, 0.1}};
      truth.spots = {{"field", {1, 0.5, 0}, 0}, {"concourse", top, 1}};
    }
    made_.scene = b_.finish();
    return std::move(made_);
  }

 private:
  double height(int row) const { return kFirst + kRise * row; }
  double fieldArea() const { return ringArea(0, kField); }
  double ringArea(double inner, double outer) const {
    return 0.5 * sides_ * std::sin(2 * std::numbers::pi / sides_) * (outer * outer - inner * inner);
  }
  Vec3 at(double radius, double k, double z) const {
    const double angle = 2 * std::numbers::pi * k / sides_;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
  }
  Vec3 corner(double radius, int k, double z) const { return at(radius, k % sides_, z); }

  void field() {
    b_.label("field");
    for (int k = 0; k < sides_; ++k) b_.triangle({0, 0, 0}, corner(kField, k, 0), corner(kField, k + 1, 0));
  }
  void ring(double inner, double outer, double z) {
    for (int k = 0; k < sides_; ++k) {
      b_.quad(corner(inner, k, z), corner(outer, k, z), corner(outer, k + 1, z), corner(inner, k + 1, z));
    }
  }
  // Faces the field.
  void riser(double radius, double low, double high) {
    for (int k = 0; k < sides_; ++k) {
      b_.quad(corner(radius, k + 1, low), corner(radius, k, low), corner(radius, k, high), corner(radius, k + 1, high));
    }
  }

  void row(int i) {
    const double inner = kField + kRow * i;
    b_.label("row");
    riser(inner, i == 0 ? 0 : height(i - 1), height(i));
    ring(inner, inner + kRow, height(i));
    stands_ += ringArea(inner, inner + kRow);
    if (!seats_) return;
    b_.label("seat");
    const double half = std::numbers::pi / sides_;
    const double chord = 2 * inner * std::sin(half);
    // An aisle at both ends of each side.
    const int count = static_cast<int>((chord - 1.2) / 0.55);
    for (int k = 0; k < sides_; ++k) {
      b_.place({}, (k + 0.5) * 360.0 / sides_);
      for (int s = 0; s < count; ++s) {
        const double x = inner * std::cos(half) + 0.3;
        const double y = (s - count / 2.0) * 0.55 + 0.05;
        b_.box({x, y, height(i)}, {x + 0.4, y + 0.45, height(i) + 0.45});
        stands_ -= 0.4 * 0.45;
      }
    }
    b_.place({}, 0);
  }

  void fieldStairs() {
    b_.label("stair");
    constexpr int kRisers = 7;
    constexpr double kTread = 0.3;
    const double apothem = kField * std::cos(std::numbers::pi / sides_);
    for (int i = 0; i < stairs_; ++i) {
      const int side = i * sides_ / stairs_;
      const double angle = 2 * std::numbers::pi * (side + 0.5) / sides_;
      const double foot = apothem - kTread * (kRisers - 1);
      addFlight(b_, {{foot * std::cos(angle), foot * std::sin(angle)},
                     angle * 180 / std::numbers::pi,
                     2,
                     0,
                     kFirst,
                     kRisers,
                     kTread});
    }
  }

  void outerWall(double radius) {
    const double low = height(rows_);
    b_.label("wall");
    riser(radius, low, low + 3);
    ring(radius, radius + 0.3, low + 3);
    for (int k = 0; k < sides_; ++k) {
      const double outer = radius + 0.3;
      b_.quad(corner(outer, k, 0), corner(outer, k + 1, 0), corner(outer, k + 1, low + 3), corner(outer, k, low + 3));
    }
  }

  SceneBuilder b_;
  MadeScene made_;
  int rows_;
  int sides_;
  int stairs_;
  bool seats_;
  double stands_ = 0;
};

MadeScene stadium(const SceneRecipe& recipe) {
  return StadiumBuilder(recipe).run();
}

}  // namespace

std::vector<SceneEntry> stadiumScenes() {
  return {{{"stadium",
            "a stadium: stepped rows with seats around a field, a concourse on top.",
            {{"rows", "rows of seats.", 20, 1, 400, true},
             {"sides", "sides of the bowl.", 48, 16, 90, true},
             {"stairs", "stairs from the field to the first row; 0 parts the field from the stands.", 4, 0, 8, true},
             {"seats", "1 with seats, 0 without.", 1, 0, 1, true}}},
           stadium}};
}

}  // namespace wend::make
