#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "crowd/crowd_impl.h"

// Bodies that move through the crowd: disks that are agents for all others, and go where the caller says.
namespace wend {
namespace {

constexpr double kLargestDisk = 1;      // metres
constexpr double kSmallestDisk = 0.1;   // metres
constexpr double kDisksAcross = 3;      // of the smaller extent of a body
constexpr double kThinDisk = 0.05;      // metres: what a disk of a body keeps from walls
constexpr float kFastestBody = 10;      // m/s, also to catch up after a wall
constexpr float kFastestAgent = 5;      // m/s, as for all agents
constexpr float kSlowestAgent = 0.05F;  // m/s

Vec2 placed(const Placement& place, Vec2 p) {
  return {place.at.x + place.cosine * p.x - place.sine * p.y, place.at.y + place.sine * p.x + place.cosine * p.y};
}

bool isFinite(const Placement& place) {
  return std::isfinite(place.at.x) && std::isfinite(place.at.y) &&
         std::abs(place.cosine * place.cosine + place.sine * place.sine - 1) < 1e-6;
}

bool isInside(const std::vector<Vec2>& outline, Vec2 p) {
  bool inside = false;
  for (size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vec2 a = outline[i];
    const Vec2 b = outline[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

double distanceToOutline(const std::vector<Vec2>& outline, Vec2 p) {
  double nearest = HUGE_VAL;
  for (size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vec2 a = outline[j];
    const Vec2 ab{outline[i].x - a.x, outline[i].y - a.y};
    const double whole = ab.x * ab.x + ab.y * ab.y;
    const double t = whole > 0 ? std::clamp(((p.x - a.x) * ab.x + (p.y - a.y) * ab.y) / whole, 0.0, 1.0) : 0;
    nearest = std::min(nearest, std::hypot(a.x + t * ab.x - p.x, a.y + t * ab.y - p.y));
  }
  return nearest;
}

struct Cover {
  double radius = 0;
  std::vector<Vec2> centres;
};

// Squares of a grid that meet the body, each inside a disk: together they cover it, and little beside it.
Cover coverOf(const std::vector<Vec2>& outline) {
  Vec2 low = outline[0];
  Vec2 high = outline[0];
  for (const Vec2 p : outline) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double across = std::min(high.x - low.x, high.y - low.y) / kDisksAcross;
  Cover cover;
  cover.radius = std::clamp(across * std::sqrt(0.5), kSmallestDisk, kLargestDisk);
  const double side = cover.radius * std::sqrt(2.0);
  const auto count = [&](double extent) { return std::max(1.0, std::ceil(extent / side - 1e-9)); };
  const double columns = count(high.x - low.x);
  const double rows = count(high.y - low.y);
  if (columns * rows > 1e6) return cover;
  const Vec2 first{(low.x + high.x - columns * side) / 2, (low.y + high.y - rows * side) / 2};
  for (double row = 0; row < rows; ++row) {
    for (double column = 0; column < columns; ++column) {
      const Vec2 centre{first.x + (column + 0.5) * side, first.y + (row + 0.5) * side};
      if (isInside(outline, centre) || distanceToOutline(outline, centre) <= cover.radius)
        cover.centres.push_back(centre);
    }
  }
  return cover;
}

}  // namespace

Result<BodyId> Crowd::addBody(const BodyStart& start) {
  Impl& s = *impl_;
  const auto bad = [](std::string message) { return Error{ErrorCode::kInvalidSettings, std::move(message)}; };
  const bool isSound = std::all_of(start.outline.begin(), start.outline.end(), [](Vec2 p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::abs(p.x) < 1e4 && std::abs(p.y) < 1e4;
  });
  if (start.outline.size() < 2 || !isSound || !isFinite(start.place)) {
    return bad("a body needs two or more points within 10 km of its own point, and a place");
  }
  if (start.layer >= s.ground.mesh().layerCount()) {
    return bad(fmt::format("a body is on layer {}; there are {}", start.layer, s.ground.mesh().layerCount()));
  }
  const Cover cover = coverOf(start.outline);
  if (cover.centres.empty() || cover.centres.size() > kBodyDisks) {
    return bad(fmt::format("a body needs {} disks to be covered; at most {} are possible: make it smaller or wider",
                           cover.centres.empty() ? "too many" : fmt::format("{}", cover.centres.size()), kBodyDisks));
  }
  Impl::Body body{s.nextBody, start.layer, start.outline, start.place, start.place, {}, {}};
  const Lattice& lattice = s.ground.mesh().lattice();
  for (const Vec2 offset : cover.centres) {
    const Result<Point> at = lattice.snap(placed(start.place, offset));
    if (!at.ok()) continue;
    const CellId cell = s.locator.locate(lattice.toMetres(*at), start.layer);
    if (cell == kNone || !s.ground.holds(cell, *at) || s.nextId == kNone) continue;
    AgentRecord record = s.takeRecord();
    record.id = s.nextId++;
    record.isDriven = true;
    record.knows = WorldVersions::kAlwaysNewest;
    record.goal = record.target = {placed(start.place, offset).x, placed(start.place, offset).y, 0};
    Motion motion;
    motion.isDriven = true;
    motion.speed = kSlowestAgent;
    body.offsets.push_back(offset);
    body.disks.push_back(record.id);
    s.insert(std::move(record), {*at, cell}, static_cast<float>(cover.radius), kNone, motion);
  }
  if (body.disks.empty()) {
    return Error{ErrorCode::kNotOnMesh,
                 fmt::format("the body at {}, {} is not on the walkable world", start.place.at.x, start.place.at.y)};
  }
  s.bodies.push_back(std::move(body));
  return s.nextBody++;
}

void Crowd::moveBody(BodyId id, const Placement& place) {
  if (!isFinite(place)) return;
  for (Impl::Body& body : impl_->bodies) {
    if (body.id == id) body.next = place;
  }
}

void Crowd::removeBody(BodyId id) {
  for (const Impl::Body& body : impl_->bodies) {
    if (body.id != id) continue;
    for (const AgentId disk : body.disks) remove(disk);
  }
  std::erase_if(impl_->bodies, [&](const Impl::Body& body) { return body.id == id; });
}

std::vector<BodyState> Crowd::bodies() const {
  std::vector<BodyState> states;
  for (const Impl::Body& body : impl_->bodies) {
    BodyState state{body.id, {}, body.layer};
    for (const Vec2 p : body.outline) state.outline.push_back(placed(body.place, p));
    states.push_back(std::move(state));
  }
  return states;
}

// The velocity of each disk, before the agents move: they look at it.
void Crowd::Impl::driveBodies() {
  drivenNow.clear();
  for (Body& body : bodies) {
    for (size_t i = 0; i < body.disks.size(); ++i) {
      const uint32_t slot = slotOf(body.disks[i]);
      if (slot == kNone) continue;
      const Vec2 to = placed(body.next, body.offsets[i]);
      const Vec2 at = ground.mesh().lattice().toMetres(agents.at(slot));
      Vec2f v{static_cast<float>((to.x - at.x) / settings.step), static_cast<float>((to.y - at.y) / settings.step)};
      const float speed = length(v);
      if (speed > kFastestBody) v = v * (kFastestBody / speed);
      wanted[slot] = v;
      agents.motion[slot].speed = std::clamp(speed, kSlowestAgent, kFastestAgent);
      drivenNow.push_back(slot);
    }
    body.place = body.next;
  }
}

// Where the disks come to; nothing but a wall stops them.
void Crowd::Impl::placeBodies() {
  if (drivenNow.empty()) return;
  CrowdWorkers::Lease worker(workers);
  for (const uint32_t slot : drivenNow) {
    AgentPlace place{agents.at(slot), agents.cell[slot]};
    const Vec2f by = wanted[slot] * static_cast<float>(settings.step);
    move(ground, {by.x, by.y}, kThinDisk, place, agents.motion[slot].walls, worker->flood);
    nextX[slot] = place.at.x;
    nextY[slot] = place.at.y;
    nextCell[slot] = place.cell;
  }
}

}  // namespace wend
