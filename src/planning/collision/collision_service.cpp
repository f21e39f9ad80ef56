#include <algorithm>
#include <cmath>

#include <wend/game/collision.h>

#include <fmt/format.h>

namespace wend {
namespace {

constexpr CellId kFree = kNone;  // of an id that is not in use

struct Object {
  Vec2 position;  // metres
  double radius = 0;
  CellId cell = kFree;
  uint32_t slot = 0;  // in the list of its cell
};

// An object in the lists that collidingPairs() sweeps.
struct Swept {
  Vec2 position;
  double radius = 0;
  ObjectId id = 0;
};

struct Segment {
  Vec2 a;
  Vec2 b;
};

double squaredDistance(const Segment& s, Vec2 p) {
  const double dx = s.b.x - s.a.x;
  const double dy = s.b.y - s.a.y;
  const double length = dx * dx + dy * dy;
  double t = length > 0 ? ((p.x - s.a.x) * dx + (p.y - s.a.y) * dy) / length : 0;
  t = std::clamp(t, 0.0, 1.0);
  const double x = s.a.x + t * dx - p.x;
  const double y = s.a.y + t * dy - p.y;
  return x * x + y * y;
}

}  // namespace

struct CollisionService::Impl {
  NavMesh mesh;
  Locator locator;
  std::vector<Segment> sides;  // metres
  std::vector<Object> objects;
  std::vector<ObjectId> unused;
  std::vector<std::vector<ObjectId>> inCell;
  // How many objects have which radius; the largest tells how far to look.
  std::vector<std::pair<double, uint32_t>> radii;  // ascending
  size_t count = 0;
  mutable uint64_t tests = 0;
  mutable std::vector<uint32_t> seen;
  mutable uint32_t round = 0;
  mutable std::vector<CellId> queue;
  mutable std::vector<Swept> swept;  // the objects of all cells, cell after cell, each sorted by x
  mutable std::vector<uint32_t> sweptBegin;

  explicit Impl(NavMesh given)
      : mesh(std::move(given)), locator(mesh), inCell(mesh.cellCount()), seen(mesh.cellCount(), 0) {
    sides.reserve(mesh.sideCount());
    for (SideId s = 0; s < mesh.sideCount(); ++s) {
      const Vec3 a = mesh.position(mesh.startVertex(s));
      const Vec3 b = mesh.position(mesh.endVertex(s));
      sides.push_back({{a.x, a.y}, {b.x, b.y}});
    }
  }

  double largest() const { return radii.empty() ? 0 : radii.back().first; }
  void addRadius(double radius) {
    const auto it = std::lower_bound(radii.begin(), radii.end(), std::pair{radius, uint32_t{0}});
    if (it != radii.end() && it->first == radius) {
      ++it->second;
    } else {
      radii.insert(it, {radius, 1});
    }
  }
  void dropRadius(double radius) {
    const auto it = std::lower_bound(radii.begin(), radii.end(), std::pair{radius, uint32_t{0}});
    if (--it->second == 0) radii.erase(it);
  }

  bool holds(CellId cell, Vec2 metres) const {
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const Segment& side = sides[s];
      if ((side.b.x - side.a.x) * (metres.y - side.a.y) - (side.b.y - side.a.y) * (metres.x - side.a.x) < 0)
        return false;
    }
    return true;
  }

  // Breadth first from a cell; it has to end somewhere, and the locator knows the rest.
  CellId search(const Place& place, CellId from) const {
    constexpr size_t kCells = 32;
    const Vec2 p = place.top();
    if (!place.finite()) return kNone;
    if (mesh.info().traits.convex && from < mesh.cellCount()) {
      ++round;
      queue.assign(1, from);
      seen[from] = round;
      for (size_t i = 0; i < queue.size() && i < kCells; ++i) {
        const CellId cell = queue[i];
        if (holds(cell, p) && (!place.z || fits(place, cell))) return cell;
        for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
          const CellId next = mesh.neighbour(s);
          if (next == kNone || seen[next] == round) continue;
          seen[next] = round;
          queue.push_back(next);
        }
      }
    }
    return locator.locate(place);
  }
  bool fits(const Place& place, CellId cell) const {
    return std::abs(locator.height(place.top(), mesh.layerOf(cell)) - *place.z) <= place.tolerance;
  }

  void enter(ObjectId id, CellId cell) {
    Object& object = objects[id];
    object.cell = cell;
    object.slot = static_cast<uint32_t>(inCell[cell].size());
    inCell[cell].push_back(id);
  }
  void leave(ObjectId id) {
    const Object& object = objects[id];
    std::vector<ObjectId>& list = inCell[object.cell];
    list[object.slot] = list.back();
    objects[list.back()].slot = object.slot;
    list.pop_back();
  }

  // Calls use(cell) for the cells that a path within `reach` of p can get to from `start`.
  template <typename Use>
  void flood(Vec2 p, CellId start, double reach, Use&& use) const {
    ++round;
    queue.assign(1, start);
    seen[start] = round;
    const double squared = reach * reach;
    for (size_t i = 0; i < queue.size(); ++i) {
      const CellId cell = queue[i];
      if (!use(cell)) return;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const CellId next = mesh.neighbour(s);
        if (next == kNone || seen[next] == round || squaredDistance(sides[s], p) > squared) continue;
        seen[next] = round;
        queue.push_back(next);
      }
    }
  }

  static bool touch(Vec2 p, double radius, Vec2 q, double other) {
    const double x = q.x - p.x;
    const double y = q.y - p.y;
    const double sum = radius + other;
    return x * x + y * y < sum * sum;
  }

  template <typename Use>
  void forTouching(ObjectId id, Use&& use) const {
    const Object& object = objects[id];
    flood(object.position, object.cell, object.radius + largest(), [&](CellId cell) {
      for (const ObjectId other : inCell[cell]) {
        if (other == id) continue;
        ++tests;
        if (touch(object.position, object.radius, objects[other].position, objects[other].radius)) use(other);
      }
      return true;
    });
  }

  void sortByCell() const {
    swept.clear();
    sweptBegin.assign(1, 0);
    for (const std::vector<ObjectId>& list : inCell) {
      const auto first = static_cast<std::ptrdiff_t>(swept.size());
      for (const ObjectId id : list) swept.push_back({objects[id].position, objects[id].radius, id});
      std::sort(swept.begin() + first, swept.end(),
                [](const Swept& a, const Swept& b) { return a.position.x < b.position.x; });
      sweptBegin.push_back(static_cast<uint32_t>(swept.size()));
    }
  }

  // Large cells hold many objects, so each cell is swept along x: work does not grow with the square of a cell's
  // objects unless they stand above each other.
  template <typename Use>
  void forPairs(Use&& use) const {
    sortByCell();
    const double widest = largest();
    for (CellId cell = 0; cell < inCell.size(); ++cell) {
      for (uint32_t i = sweptBegin[cell]; i < sweptBegin[cell + 1]; ++i) {
        const Swept& a = swept[i];
        const double reach = a.radius + widest;
        const auto test = [&](const Swept& b) {
          ++tests;
          if (touch(a.position, a.radius, b.position, b.radius)) use(a.id, b.id);
        };
        for (uint32_t k = i + 1; k < sweptBegin[cell + 1] && swept[k].position.x <= a.position.x + reach; ++k) {
          test(swept[k]);
        }
        // Each pair of two cells is met from both sides and counts from the smaller id.
        flood(a.position, cell, reach, [&](CellId other) {
          if (other == cell) return true;
          const auto end = swept.begin() + sweptBegin[other + 1];
          auto b = std::lower_bound(swept.begin() + sweptBegin[other], end, a.position.x - reach,
                                    [](const Swept& s, double x) { return s.position.x < x; });
          for (; b != end && b->position.x <= a.position.x + reach; ++b) {
            if (b->id > a.id) test(*b);
          }
          return true;
        });
      }
    }
  }

  bool wallWithin(Vec2 p, CellId start, double radius) const {
    bool touches = false;
    const double squared = radius * radius;
    flood(p, start, radius, [&](CellId cell) {
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell) && !touches; ++s) {
        touches = mesh.isWall(s) && squaredDistance(sides[s], p) < squared;
      }
      return !touches;
    });
    return touches;
  }
};

CollisionService::CollisionService(NavMesh mesh) : impl_(std::make_unique<Impl>(std::move(mesh))) {}
CollisionService::~CollisionService() = default;
CollisionService::CollisionService(CollisionService&&) noexcept = default;
CollisionService& CollisionService::operator=(CollisionService&&) noexcept = default;

Result<ObjectId> CollisionService::insert(const Place& place, double radius, CellId hint) {
  if (!(radius >= 0) || !std::isfinite(radius)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the radius of an object is {} m; it must be at least 0", radius)};
  }
  const CellId cell = impl_->search(place, hint);
  if (cell == kNone) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("the object at ({}, {}) lies on no cell; move it", place.x, place.y)};
  }
  ObjectId id = static_cast<ObjectId>(impl_->objects.size());
  if (impl_->unused.empty()) {
    impl_->objects.emplace_back();
  } else {
    id = impl_->unused.back();
    impl_->unused.pop_back();
  }
  impl_->objects[id].position = place.top();
  impl_->objects[id].radius = radius;
  impl_->enter(id, cell);
  impl_->addRadius(radius);
  ++impl_->count;
  return id;
}

void CollisionService::remove(ObjectId object) {
  if (!contains(object)) return;
  impl_->leave(object);
  impl_->dropRadius(impl_->objects[object].radius);
  impl_->objects[object].cell = kFree;
  impl_->unused.push_back(object);
  --impl_->count;
}

Status CollisionService::update(ObjectId object, const Place& place) {
  if (!contains(object)) return Error{ErrorCode::kInvalidSettings, fmt::format("there is no object {}", object)};
  const CellId before = impl_->objects[object].cell;
  const CellId cell = impl_->search(place, before);
  if (cell == kNone) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("object {} would lie on no cell at ({}, {})", object, place.x, place.y)};
  }
  impl_->objects[object].position = place.top();
  if (cell != before) {
    impl_->leave(object);
    impl_->enter(object, cell);
  }
  return Done{};
}

size_t CollisionService::size() const {
  return impl_->count;
}
bool CollisionService::contains(ObjectId object) const {
  return object < impl_->objects.size() && impl_->objects[object].cell != kFree;
}
CellId CollisionService::cellOf(ObjectId object) const {
  return contains(object) ? impl_->objects[object].cell : kNone;
}
Vec2 CollisionService::position(ObjectId object) const {
  return contains(object) ? impl_->objects[object].position : Vec2{};
}
uint64_t CollisionService::tests() const {
  return impl_->tests;
}

void CollisionService::findColliding(ObjectId object, std::vector<ObjectId>& out) const {
  out.clear();
  if (!contains(object)) return;
  impl_->forTouching(object, [&](ObjectId other) { out.push_back(other); });
  std::sort(out.begin(), out.end());
}

std::vector<std::pair<ObjectId, ObjectId>> CollisionService::collidingPairs() const {
  std::vector<std::pair<ObjectId, ObjectId>> pairs;
  impl_->forPairs([&](ObjectId a, ObjectId b) { pairs.emplace_back(std::min(a, b), std::max(a, b)); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

bool CollisionService::touchesWall(const Place& place, double radius, CellId hint) const {
  const CellId cell = impl_->search(place, hint);
  return cell == kNone || impl_->wallWithin(place.top(), cell, radius);
}

bool CollisionService::touchesWall(ObjectId object) const {
  if (!contains(object)) return false;
  const Object& o = impl_->objects[object];
  return impl_->wallWithin(o.position, o.cell, o.radius);
}

}  // namespace wend
