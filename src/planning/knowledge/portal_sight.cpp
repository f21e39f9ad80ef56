#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <queue>
#include <tuple>

#include <wend/game/portal_sight.h>

namespace wend {
namespace {

double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}
double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
Vec2 minus(Vec2 a, Vec2 b) {
  return {a.x - b.x, a.y - b.y};
}
double length(Vec2 a) {
  return std::hypot(a.x, a.y);
}

// The directions between two, counter-clockwise from `right` to `left`; at most 180 degrees.
struct Cone {
  Vec2 right;
  Vec2 left;
};

Error badQuery(const char* sentence) {
  return {ErrorCode::kInvalidSettings, sentence};
}

Status checkMesh(const NavMesh& mesh, CellId cell, Vec2 place) {
  if (cell >= mesh.cellCount()) return badQuery("There is no such cell; locate the place first.");
  if (!std::isfinite(place.x) || !std::isfinite(place.y)) return badQuery("The place is not finite.");
  if (!mesh.info().traits.convex || !mesh.info().traits.disjoint) {
    return Error{ErrorCode::kUnsupported, "Sight through portals needs a mesh of convex cells that do not overlap."};
  }
  return Done{};
}

class Sight {
 public:
  Sight(const NavMesh& mesh, const SightQuery& query) : mesh_(mesh), query_(query), isSeen_(mesh.cellCount(), false) {}

  std::vector<SeenCell> run() {
    see({query_.cell, 0, kNone, query_.place, query_.place});
    if (query_.angle >= 360) {
      look(query_.cell, kNone, std::nullopt, 0);
      return std::move(out_);
    }
    // A field of view above 180 degrees is two.
    const int parts = query_.angle > 180 ? 2 : 1;
    const double part = query_.angle / parts * std::numbers::pi / 180;
    const double middle = std::atan2(query_.facing.y, query_.facing.x);
    for (int i = 0; i < parts; ++i) {
      const double from = middle - part * parts / 2 + i * part;
      const Cone cone{{std::cos(from), std::sin(from)}, {std::cos(from + part), std::sin(from + part)}};
      look(query_.cell, kNone, cone, 0);
    }
    return std::move(out_);
  }

 private:
  Vec2 at(VertexId v) const { return minus(mesh_.lattice().toMetres(mesh_.vertex(v)), query_.place); }

  void see(const SeenCell& seen) {
    if (isSeen_[seen.cell]) return;
    isSeen_[seen.cell] = true;
    out_.push_back(seen);
  }

  // Where the ray in a direction meets the line of a portal.
  static Vec2 onPortal(Vec2 direction, Vec2 a, Vec2 b) {
    const Vec2 along = minus(b, a);
    const double below = cross(direction, along);
    if (below == 0) return a;
    const double t = cross(a, along) / below;
    return {t * direction.x, t * direction.y};
  }

  static double distanceTo(Vec2 a, Vec2 b) {
    const Vec2 along = minus(b, a);
    const double squared = dot(along, along);
    const double t = squared > 0 ? std::clamp(-dot(a, along) / squared, 0.0, 1.0) : 0;
    return length({a.x + t * along.x, a.y + t * along.y});
  }

  // A cell on the line of sight, entered by a side of it; cones of one cell never overlap, so the work is bounded.
  struct Step {
    CellId cell;
    SideId entry;
    std::optional<Cone> cone;
    uint32_t portals;
  };

  void look(CellId first, SideId entry, const std::optional<Cone>& cone, uint32_t portals) {
    std::vector<Step> open{{first, entry, cone, portals}};
    while (!open.empty()) {
      const Step step = open.back();
      open.pop_back();
      for (SideId s = mesh_.firstSide(step.cell); s < mesh_.endSide(step.cell); ++s) {
        if (s == step.entry || mesh_.isWall(s)) continue;
        const Vec2 a = at(mesh_.startVertex(s));
        const Vec2 b = at(mesh_.endVertex(s));
        Cone narrow{a, b};  // seen from inside, the cell's sides run counter-clockwise
        if (cross(a, b) <= 0) {
          // Sides that face the place are behind the line of sight. In the own cell the place lies on the portal's
          // line; on the portal itself the other cell is in plain sight.
          if (step.entry != kNone || dot(a, b) > 0) continue;
          narrow = {minus(a, b), minus(b, a)};
        }
        if (step.cone && !intersect(narrow, *step.cone)) continue;
        const Vec2 right = onPortal(narrow.right, a, b);
        const Vec2 left = onPortal(narrow.left, a, b);
        if (distanceTo(right, left) > query_.range) continue;
        const CellId next = mesh_.neighbour(s);
        const auto place = [&](Vec2 p) { return Vec2{p.x + query_.place.x, p.y + query_.place.y}; };
        see({next, step.portals + 1, s, place(right), place(left)});
        open.push_back({next, mesh_.twin(s), narrow, step.portals + 1});
      }
    }
  }

  // The directions in both; false if it is no more than one.
  static bool intersect(Cone& a, const Cone& b) {
    const auto isIn = [](Vec2 d, const Cone& cone) { return cross(cone.right, d) >= 0 && cross(d, cone.left) >= 0; };
    if (!isIn(a.right, b) && !isIn(b.right, a)) return false;
    const Vec2 right = isIn(a.right, b) ? a.right : b.right;
    const Vec2 left = isIn(a.left, b) ? a.left : b.left;
    const double turn = cross(right, left);
    if (turn < 0 || (turn == 0 && dot(right, left) > 0)) return false;
    a = {right, left};
    return true;
  }

  const NavMesh& mesh_;
  const SightQuery& query_;
  std::vector<bool> isSeen_;
  std::vector<SeenCell> out_;
};

}  // namespace

Result<std::vector<SeenCell>> seenThroughPortals(const NavMesh& mesh, const SightQuery& query) {
  if (const Status status = checkMesh(mesh, query.cell, query.place); !status.ok()) return status.error();
  if (!(query.angle > 0 && query.angle <= 360)) return badQuery("The field of view must be above 0, at most 360.");
  if (!(query.range > 0)) return badQuery("The range of sight must be above 0 m.");
  if (!(length(query.facing) > 0) || !std::isfinite(length(query.facing))) {
    return badQuery("The direction of view must not be zero.");
  }
  return Sight(mesh, query).run();
}

Result<std::vector<HeardCell>> heardThroughPortals(const NavMesh& mesh, const SoundQuery& query) {
  if (const Status status = checkMesh(mesh, query.cell, query.place); !status.ok()) return status.error();
  if (!(query.range > 0)) return badQuery("The range of a sound must be above 0 m.");
  if (!(query.portalLoss >= 0)) return badQuery("The loss of a portal must be at least 0 m.");
  // A state is a portal seen from the cell behind it, by its side of the cell before.
  struct Open {
    double distance;
    SideId side;
    bool operator<(const Open& o) const { return std::tie(distance, side) > std::tie(o.distance, o.side); }
  };
  const auto middle = [&](SideId s) {
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    return mesh.lattice().toMetres(Vec2{(a.x + b.x) / 2, (a.y + b.y) / 2});
  };
  std::vector<double> heard(mesh.cellCount(), std::numeric_limits<double>::infinity());
  std::vector<bool> isDone(mesh.sideCount(), false);
  std::priority_queue<Open> open;
  const auto leave = [&](CellId cell, SideId by, Vec2 from, double distance) {
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      if (s == by || mesh.isWall(s) || isDone[s]) continue;
      const double next = distance + length(minus(middle(s), from)) + query.portalLoss;
      if (next <= query.range) open.push({next, s});
    }
  };
  heard[query.cell] = 0;
  leave(query.cell, kNone, query.place, 0);
  while (!open.empty()) {
    const Open top = open.top();
    open.pop();
    if (isDone[top.side]) continue;
    isDone[top.side] = true;
    const CellId cell = mesh.neighbour(top.side);
    heard[cell] = std::min(heard[cell], top.distance);
    leave(cell, mesh.twin(top.side), middle(top.side), top.distance);
  }
  std::vector<HeardCell> out;
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (std::isfinite(heard[cell])) out.push_back({cell, heard[cell]});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const HeardCell& a, const HeardCell& b) { return a.distance < b.distance; });
  return out;
}

}  // namespace wend
