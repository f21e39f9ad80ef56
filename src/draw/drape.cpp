#include "draw/drape.h"

#include <cmath>

#include "geometry/vec2.h"

namespace wend {
namespace {

constexpr double kPiece = 4;     // pixels from one look at the heights to the next
constexpr double kUnseen = 0.1;  // pixels off a straight line; not visible

}  // namespace

Drape::Drape(const HeightField& field, const Lattice& lattice, const Page& page)
    : field_(field), lattice_(lattice), page_(page) {
  if (page.oblique() && !field.flat()) heights_.emplace(field);
}

Vec3 Drape::lift(Vec2 units) const {
  const Vec2 m = lattice_.toMetres(units);
  return {m.x, m.y, heights_ ? heights_->at(units) : field_.base};
}

void Drape::follow(Vec3 from, Vec3 to, std::vector<Vec3>& out) const {
  if (!heights_) return;
  const Vec2 a{from.x, from.y};
  const Vec2 b{to.x, to.y};
  const double count = std::ceil(distance(a, b) / (kPiece * page_.metresPerPixel()));
  const auto at = [&](double k) { return k < count ? lift(lattice_.toUnits(between(a, b, k / count))) : to; };
  const double unseen = kUnseen * page_.risePerPixel();
  double kept = 0;
  double keptZ = from.z;
  for (double k = 1; k < count; ++k) {
    const double z = at(k).z;
    const double straight = keptZ + (at(k + 1).z - keptZ) * (k - kept) / (k + 1 - kept);
    if (std::abs(z - straight) <= unseen) continue;
    out.push_back(at(k));
    kept = k;
    keptZ = z;
  }
}

}  // namespace wend
