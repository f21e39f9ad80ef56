#include "volume/vasfv/growth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/disjoint_sets.h"

namespace wend::vasfv {
namespace {

// A volume that follows more faces than this stops at the next one. Its neighbours take the rest.
constexpr size_t kMaxContacts = 48;
// A cube may be this much smaller than wished before a piece of free space is the better seed.
constexpr int32_t kSmallestShare = 8;

Box3 faceBounds(const Polyhedron& solid, const Polyhedron::Face& face) {
  Box3 box;
  for (const uint32_t v : face.loop) {
    const ExactVertex& p = solid.vertices[v];
    box.add(Point3{floorOf(p, 0).value, floorOf(p, 1).value, floorOf(p, 2).value});
    box.add(Point3{ceilingOf(p, 0), ceilingOf(p, 1), ceilingOf(p, 2)});
  }
  return box;
}

int64_t normalAlong(const HalfSpace& plane, int axis) {
  return axis == 0 ? plane.a : axis == 1 ? plane.b : plane.c;
}

// Where a part of the strip is met first, rounded to the side of the growing volume.
int32_t nearestOf(const Polyhedron& part, BoxSide side) {
  const int axis = axisOf(side);
  int32_t nearest =
      signOf(side) > 0 ? floorOf(part.vertices.front(), axis).value : ceilingOf(part.vertices.front(), axis);
  for (const ExactVertex& v : part.vertices) {
    nearest = signOf(side) > 0 ? std::min(nearest, floorOf(v, axis).value) : std::max(nearest, ceilingOf(v, axis));
  }
  return nearest;
}

}  // namespace

Growth::Growth(const Box3& bounds, std::vector<Piece> obstacles, const GrowthSettings& settings, GrowthReport& report)
    : bounds_(bounds),
      settings_(settings),
      report_(report),
      blockers_(std::move(obstacles)),
      obstacleCount_(blockers_.size()),
      grid_(bounds, 4 * blockers_.size() + 64) {
  for (uint32_t i = 0; i < blockers_.size(); ++i) grid_.add(i, blockers_[i].box);
  measureFacets();
}

void Growth::measureFacets() {
  struct Entry {
    HalfSpace plane;
    uint32_t piece;
    uint32_t face;
    Box3 box;
  };
  std::vector<Entry> entries;
  facetExtent_.resize(blockers_.size());
  for (uint32_t i = 0; i < blockers_.size(); ++i) {
    const Polyhedron& solid = blockers_[i].solid;
    facetExtent_[i].resize(solid.faces.size());
    for (uint32_t f = 0; f < solid.faces.size(); ++f) {
      if (solid.faces[f].plane.axisAligned()) continue;
      entries.push_back({solid.faces[f].plane, i, f, faceBounds(solid, solid.faces[f])});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.plane, a.box.low, a.piece) < std::tie(b.plane, b.box.low, b.piece);
  });
  for (size_t begin = 0; begin < entries.size();) {
    size_t end = begin;
    while (end < entries.size() && entries[end].plane == entries[begin].plane) ++end;
    DisjointSets sets(end - begin);
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = i + 1; j < end && entries[j].box.low.x <= entries[i].box.high.x; ++j) {
        if (entries[i].box.touches(entries[j].box)) {
          sets.join(static_cast<uint32_t>(i - begin), static_cast<uint32_t>(j - begin));
        }
      }
    }
    std::vector<Box3> extents(end - begin);
    for (size_t i = begin; i < end; ++i) extents[sets.find(static_cast<uint32_t>(i - begin))].add(entries[i].box);
    for (size_t i = begin; i < end; ++i) {
      facetExtent_[entries[i].piece][entries[i].face] = extents[sets.find(static_cast<uint32_t>(i - begin))];
    }
    begin = end;
  }
}

bool Growth::isFree(const Box3& box) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (coordinate(box.low, axis) < coordinate(bounds_.low, axis)) return false;
    if (coordinate(box.high, axis) > coordinate(bounds_.high, axis)) return false;
  }
  bool free = true;
  const Polyhedron solid = makeBox(box);
  grid_.visit(box, [&](uint32_t id) {
    if (free && blockers_[id].box.overlaps(box) && overlap(solid, blockers_[id].solid)) free = false;
  });
  return free;
}

void Growth::fall(Box3& box) const {
  Box3 shaft = box;
  shaft.high.z = box.low.z;
  shaft.low.z = bounds_.low.z;
  if (shaft.low.z >= shaft.high.z) return;
  int32_t floor = bounds_.low.z;
  const Polyhedron solid = makeBox(shaft);
  grid_.visit(shaft, [&](uint32_t id) {
    const Piece& blocker = blockers_[id];
    if (!blocker.box.overlaps(shaft) || blocker.box.high.z <= floor) return;
    const Polyhedron met = common(solid, blocker.solid);
    if (!met.empty()) floor = std::max(floor, nearestOf(met, BoxSide::kBottom));
  });
  box.high.z -= box.low.z - floor;
  box.low.z = floor;
}

uint32_t Growth::classUnder(const Box3& box) const {
  if (settings_.classes.empty()) return 0;
  // What the cube stands on: the obstacle with the smallest id that a layer of one unit below it meets.
  Box3 layer = box;
  layer.high.z = box.low.z;
  layer.low.z = box.low.z - 1;
  const Polyhedron solid = makeBox(layer);
  uint32_t under = kNone;
  grid_.visit(layer, [&](uint32_t id) {
    if (id < obstacleCount_ && id < under && blockers_[id].box.overlaps(layer) && overlap(solid, blockers_[id].solid)) {
      under = id;
    }
  });
  return under == kNone ? 0 : blockers_[under].label;
}

bool Growth::seedCube(Vec3 place, int32_t size, Region& region) {
  const auto around = [](double value, int32_t extent) {
    const auto low = static_cast<int32_t>(std::floor(value - extent / 2.0));
    return std::pair{low, low + extent};
  };
  for (int32_t extent = size; extent >= 1 && extent >= size / kSmallestShare; extent /= 2) {
    const auto [x0, x1] = around(place.x, extent);
    const auto [y0, y1] = around(place.y, extent);
    const auto [z0, z1] = around(place.z, extent);
    Box3 box{{x0, y0, z0}, {x1, y1, z1}};
    if (!isFree(box)) continue;
    if (settings_.gravity) fall(box);
    region = {};
    region.limits = box;
    region.label = classUnder(box);
    region.shape = makeBox(box);
    return true;
  }
  return false;
}

Region Growth::seedPiece(const Polyhedron& piece) {
  Region region;
  region.limits = boundsOf(piece);
  for (const Polyhedron::Face& face : piece.faces) {
    // An axis-aligned face of free space lies at a whole coordinate: it is a limit already.
    if (!face.plane.axisAligned()) region.contacts.push_back({face.plane, false, {}});
  }
  region.shape = piece;
  region.label = classUnder(region.limits);
  return region;
}

Polyhedron Growth::shapeOf(const Region& region, const Box3& limits) const {
  Polyhedron shape = makeBox(limits);
  for (uint32_t i = 0; i < region.contacts.size() && !shape.empty(); ++i) {
    clip(shape, region.contacts[i].plane, static_cast<uint32_t>(kBoxSides) + i);
  }
  return shape;
}

int32_t Growth::towards(BoxSide side, int32_t limit, int64_t distance) const {
  const int64_t wanted = limit + signOf(side) * distance;
  const int axis = axisOf(side);
  return static_cast<int32_t>(
      std::clamp<int64_t>(wanted, coordinate(bounds_.low, axis), coordinate(bounds_.high, axis)));
}

// A volume does not pass the end of a face that it follows: its slanted face would lie open. Where the followed face
// ends before the goal, growth ends there.
int32_t Growth::capped(const Region& region, const Polyhedron& strip, BoxSide side, int32_t goal) const {
  const int axis = axisOf(side);
  for (const Polyhedron::Face& face : strip.faces) {
    if (face.tag < kBoxSides || face.tag >= kBoxSides + region.contacts.size()) continue;
    const Contact& contact = region.contacts[face.tag - kBoxSides];
    if (!contact.capped) continue;
    const int32_t end = coordinate(signOf(side) > 0 ? contact.extent.high : contact.extent.low, axis);
    // Only if this side bounds the contact: another contact may end it earlier.
    const Box3 reach = faceBounds(strip, face);
    const int32_t farthest = coordinate(signOf(side) > 0 ? reach.high : reach.low, axis);
    if (signOf(side) > 0 ? farthest > end && goal > end : farthest < end && goal < end) goal = end;
  }
  const int32_t limit = region.limit(side);
  return signOf(side) > 0 ? std::max(goal, limit) : std::min(goal, limit);
}

// Blockers come in the order in which their bounds are met, so most of those behind the first hit are never cut.
std::optional<Growth::Hit> Growth::firstHit(const Region& region, const Polyhedron& strip, BoxSide side) {
  const Box3 box = boundsOf(strip);
  const int axis = axisOf(side);
  const int sign = signOf(side);
  const bool classes = !settings_.classes.empty();
  // The ground under the strip: one unit below its bottom.
  Box3 groundBox = box;
  Polyhedron ground;
  if (classes && axis != 2) {
    groundBox.low.z -= 1;
    groundBox.high.z = box.low.z;
    ground = makeBox(groundBox);
  }
  Box3 query = box;
  if (!ground.empty()) query.low.z -= 1;
  candidates_.clear();
  grid_.visit(query, [&](uint32_t id) {
    const Piece& blocker = blockers_[id];
    ++report_.collisionTests;
    if (!blocker.box.overlaps(box) && (ground.empty() || !blocker.box.overlaps(groundBox))) return;
    candidates_.emplace_back(sign * coordinate(sign > 0 ? blocker.box.low : blocker.box.high, axis), id);
  });
  std::sort(candidates_.begin(), candidates_.end());
  std::optional<Hit> first;
  for (const auto& [met, id] : candidates_) {
    if (first && met > sign * first->at) break;
    const Piece& blocker = blockers_[id];
    Polyhedron part;
    bool followable = blocker.box.overlaps(box);
    if (followable) part = common(strip, blocker.solid);
    // Ground of another class stops a side like a wall.
    if (part.empty() && !ground.empty() && id < obstacleCount_ && blocker.label != region.label &&
        blocker.box.overlaps(groundBox)) {
      part = common(ground, blocker.solid);
      followable = false;
    }
    if (part.empty()) continue;
    const int32_t at = nearestOf(part, side);
    if (!first || std::tuple(sign * at, id) < std::tuple(sign * first->at, first->blocker)) {
      first = Hit{id, at, followable};
    }
  }
  return first;
}

bool Growth::follow(Region& region, const Hit& hit, BoxSide side, int32_t goal) {
  if (!settings_.follow || !hit.followable || region.contacts.size() >= kMaxContacts) return false;
  const Piece& blocker = blockers_[hit.blocker];
  const int axis = axisOf(side);
  Box3 wanted = region.limits;
  coordinate(signOf(side) > 0 ? wanted.high : wanted.low, axis) = goal;
  double bestVolume = 0;
  Contact best;
  for (uint32_t f = 0; f < blocker.solid.faces.size(); ++f) {
    const HalfSpace& plane = blocker.solid.faces[f].plane;
    // It must face the growing side, and the volume must lie before it.
    if (plane.axisAligned() || normalAlong(plane, axis) * signOf(side) >= 0) continue;
    if (blocker.label != region.label && plane.c > 0 && !settings_.classes.empty()) continue;
    if (!isBeyond(region.shape, plane)) continue;
    Contact contact{plane.opposite(), false, {}};
    if (hit.blocker < obstacleCount_) {
      contact.capped = true;
      contact.extent = facetExtent_[hit.blocker][f];
    } else {
      contact.capped = true;
      contact.extent = faceBounds(blocker.solid, blocker.solid.faces[f]);
    }
    const int32_t end = coordinate(signOf(side) > 0 ? contact.extent.high : contact.extent.low, axis);
    Box3 limits = wanted;
    if (signOf(side) > 0 ? end < goal : end > goal) {
      if (signOf(side) > 0 ? end <= region.limit(side) : end >= region.limit(side)) continue;
      coordinate(signOf(side) > 0 ? limits.high : limits.low, axis) = end;
    }
    region.contacts.push_back(contact);
    const Polyhedron grown = shapeOf(region, limits);
    region.contacts.pop_back();
    const double volume = volumeOf(grown) - volumeOf(region.shape);
    if (volume <= bestVolume) continue;
    // What lies in the plane must lie within the face in the other directions.
    const auto tag = static_cast<uint32_t>(kBoxSides + region.contacts.size());
    const auto touching = std::find_if(grown.faces.begin(), grown.faces.end(),
                                       [&](const Polyhedron::Face& face) { return face.tag == tag; });
    if (touching == grown.faces.end()) continue;
    const Box3 reach = faceBounds(grown, *touching);
    bool within = true;
    for (int other = 0; other < 3; ++other) {
      if (other != axis || signOf(side) < 0) {
        within = within && coordinate(reach.high, other) <= coordinate(contact.extent.high, other);
      }
      if (other != axis || signOf(side) > 0) {
        within = within && coordinate(reach.low, other) >= coordinate(contact.extent.low, other);
      }
    }
    if (!within) continue;
    bestVolume = volume;
    best = contact;
  }
  if (bestVolume <= 0) return false;
  ++report_.follows;
  const auto corners = std::count_if(region.shape.vertices.begin(), region.shape.vertices.end(),
                                     [&](const ExactVertex& v) { return wend::side(best.plane, v) == 0; });
  if (corners == 1) ++report_.vertexContacts;
  if (corners == 2) ++report_.edgeContacts;
  region.contacts.push_back(best);
  return true;
}

void Growth::commit(Region& region, BoxSide side, int32_t limit) {
  region.setLimit(side, limit);
  region.shape = shapeOf(region, region.limits);
  ++report_.moves;
}

bool Growth::advance(Region& region, BoxSide side, int32_t step) {
  bool& stopped = region.stopped[static_cast<size_t>(side)];
  bool moved = false;
  int32_t goal = towards(side, region.limit(side), step);
  while (true) {
    const int32_t limit = region.limit(side);
    if (goal == limit) {
      stopped = true;
      return moved;
    }
    Box3 stripBox = region.limits;
    coordinate(signOf(side) > 0 ? stripBox.low : stripBox.high, axisOf(side)) = limit;
    coordinate(signOf(side) > 0 ? stripBox.high : stripBox.low, axisOf(side)) = goal;
    const Polyhedron strip = shapeOf(region, stripBox);
    // The side has shrunk to nothing. It may open again when another one moves, so it is not stopped.
    if (strip.empty()) return moved;
    if (const int32_t nearer = capped(region, strip, side, goal); nearer != goal) {
      goal = nearer;
      continue;
    }
    const std::optional<Hit> hit = firstHit(region, strip, side);
    if (!hit) {
      commit(region, side, goal);
      return true;
    }
    if (hit->at != limit) {
      commit(region, side, hit->at);
      moved = true;
    }
    if (!follow(region, *hit, side, goal)) {
      stopped = true;
      return moved;
    }
    goal = towards(side, region.limit(side), std::abs(int64_t{goal} - region.limit(side)));
  }
}

// Wavefront: one event per face that faces the seed, its corner nearest to the seed. In the order of their distance the
// region reaches for them: up to three of its sides jump to the event's coordinates, or to what stops them before.
void Growth::growByEvents(Region& region) {
  struct Event {
    double distance;
    uint32_t blocker;
    uint32_t face;
    Vec3 place;
  };
  const Vec3 seed = middleOf(region.shape);
  std::vector<Event> events;
  for (uint32_t b = 0; b < blockers_.size(); ++b) {
    const Polyhedron& solid = blockers_[b].solid;
    for (uint32_t f = 0; f < solid.faces.size(); ++f) {
      const HalfSpace& plane = solid.faces[f].plane;
      const double before = static_cast<double>(plane.a) * seed.x + static_cast<double>(plane.b) * seed.y +
                            static_cast<double>(plane.c) * seed.z - static_cast<double>(plane.d);
      if (before <= 0) continue;  // it faces away
      Event event{std::numeric_limits<double>::infinity(), b, f, {}};
      for (const uint32_t v : solid.faces[f].loop) {
        const ExactVertex& p = solid.vertices[v];
        const double distance = std::hypot(p.x - seed.x, p.y - seed.y, p.z - seed.z);
        if (distance < event.distance) event = {distance, b, f, {p.x, p.y, p.z}};
      }
      events.push_back(event);
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.distance, a.blocker, a.face) < std::tie(b.distance, b.blocker, b.face);
  });
  for (const Event& event : events) {
    if (std::all_of(region.stopped.begin(), region.stopped.end(), [](bool stopped) { return stopped; })) return;
    for (size_t s = 0; s < kBoxSides; ++s) {
      const auto side = static_cast<BoxSide>(s);
      if (region.stopped[s]) continue;
      const double place = axisOf(side) == 0 ? event.place.x : axisOf(side) == 1 ? event.place.y : event.place.z;
      const double jump = std::floor(signOf(side) * (place - region.limit(side)));
      if (jump >= 1) advance(region, side, static_cast<int32_t>(std::min(jump, 2.0 * kMaxVolumeCoordinate)));
    }
  }
}

void Growth::grow(Region& region, int32_t step) {
  if (settings_.method == GrowthMethod::kWavefront) growByEvents(region);
  // What the events leave is taken in balanced turns, so that every volume is as large as it can be.
  int64_t reach = step;
  constexpr int64_t kFarthest = int64_t{2} * kMaxVolumeCoordinate;
  bool again = true;
  while (again) {
    bool moved = false;
    for (size_t s = 0; s < kBoxSides; ++s) {
      if (!region.stopped[s]) moved = advance(region, static_cast<BoxSide>(s), static_cast<int32_t>(reach)) || moved;
    }
    reach = std::min(2 * reach, kFarthest);
    if (moved) continue;
    // A plane that was added later may have freed a side.
    region.stopped.fill(false);
    again = false;
    for (size_t s = 0; s < kBoxSides; ++s) {
      again = advance(region, static_cast<BoxSide>(s), static_cast<int32_t>(reach)) || again;
    }
  }
}

void Growth::finish(const Region& region) {
  const auto id = static_cast<uint32_t>(blockers_.size());
  const Box3 box = boundsOf(region.shape);
  blockers_.push_back({region.shape, box, region.label});
  grid_.add(id, box);
}

}  // namespace wend::vasfv
