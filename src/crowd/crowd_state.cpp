#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/hash.h"
#include "crowd/crowd_impl.h"

// The state as bytes. Everything that decides the future is in it, agents in the order of ids: neither the order of the
// slots nor what is found anew each step matters.
namespace wend {
namespace {

constexpr uint64_t kMagic = 0x32647772'63646e77;  // "wndcrwd2"

uint64_t hashOf(const std::vector<CrowdProfile>& profiles, const CrowdSettings& settings) {
  Hash h;
  for (const CrowdProfile& p : profiles) {
    h.add(p.name);
    for (const auto method : {static_cast<int>(p.route), static_cast<int>(p.follow), static_cast<int>(p.avoid),
                              static_cast<int>(p.diagram), static_cast<int>(p.stream), p.keepSide}) {
      h.add(method);
    }
    for (const double value :
         {p.side, p.clearance, p.densityWeight, p.densityView, p.replanEvery, p.timeGap, p.bodyLength})
      h.add(value);
    const CrowdProfile usual;
    if (p.afterChange != usual.afterChange || p.notice != usual.notice || p.sight != usual.sight) {
      h.add(static_cast<int>(p.afterChange));
      h.add(static_cast<int>(p.notice));
      h.add(p.sight);
    }
    for (const auto* map : {&p.regionCost, &p.regionSpeed}) {
      h.add(map->size());
      for (const auto& [label, value] : *map) {
        h.add(label);
        h.add(value);
      }
    }
  }
  for (const double value : {settings.step, settings.jamPatience, settings.periodicFrom, settings.periodicTo}) {
    h.add(value);
  }
  h.add(settings.seed);
  h.add(settings.separationSweeps);
  h.add(settings.replanBudget);
  return h.value();
}

struct ByteSink {
  std::vector<std::byte>& bytes;
  void put(const void* data, size_t size) {
    const auto* p = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), p, p + size);
  }
};

struct HashSink {
  Hash& hash;
  void put(const void* data, size_t size) { hash.bytes(data, size); }
};

// Reads what was written; once something does not fit, everything reads as zero and ok is false.
struct ByteSource {
  std::span<const std::byte> left;
  bool ok = true;
  void put(void* data, size_t size) {
    if (size > left.size()) {
      ok = false;
      left = {};
      std::memset(data, 0, size);
      return;
    }
    std::memcpy(data, left.data(), size);
    left = left.subspan(size);
  }
};

// One list of fields serves writing, reading and hashing. Structs go field by field: padding must not get in.
template <typename Sink>
class Fields {
 public:
  explicit Fields(Sink& sink) : sink_(sink) {}
  static constexpr bool kReads = std::is_same_v<Sink, ByteSource>;

  template <typename T>
  requires std::is_arithmetic_v<std::remove_cv_t<T>> || std::is_enum_v<std::remove_cv_t<T>>
  void operator()(T& value) { sink_.put(&value, sizeof(T)); }
  template <typename T, typename... Rest>
  requires(sizeof...(Rest) > 0) void operator()(T& first, Rest&... rest) {
    (*this)(first);
    (*this)(rest...);
  }
  void operator()(auto& v) requires requires {
    v.x;
    v.y;
  }
  {
    (*this)(v.x, v.y);
    if constexpr (requires { v.z; }) (*this)(v.z);
  }
  void operator()(auto& arc) requires requires { arc.sweep; }
  { (*this)(arc.centre, arc.radius, arc.begin, arc.sweep, arc.first, arc.last); }
  void operator()(auto& portal) requires requires {
    portal.left;
    portal.right;
  }
  { (*this)(portal.left, portal.right); }
  void operator()(auto& list) requires requires {
    list.size();
    list.data();
  }
  {
    auto count = static_cast<uint64_t>(list.size());
    (*this)(count);
    if constexpr (kReads) {
      // A count that the bytes cannot hold is a damaged file, not a reason to ask for memory.
      if (count > sink_.left.size()) sink_.ok = false;
      if (!sink_.ok) return;
      list.resize(count);
    }
    for (auto& item : list) (*this)(item);
  }

 private:
  Sink& sink_;
};

template <typename Sink, typename Record, typename MotionOf, typename PlaceOf, typename Float, typename Group>
void agentFields(Fields<Sink>& f, Record& record, MotionOf& motion, PlaceOf& place, Float& vx, Float& vy, Float& radius,
                 Group& group) {
  f(record.id, record.profile, record.goal, record.target, record.goalRadius, record.state, record.plannedAt,
    record.expected, record.replanAt, record.lostFor, record.rejoin);
  auto& member = record.member;
  f(member.part, member.incoherent, member.together, member.apart, member.steps, member.coherent, member.social);
  auto& follow = record.follow;
  f(follow.arc, follow.segmentArc, follow.segment, follow.portal, follow.attractor, follow.attractorArc,
    follow.diskCentre, follow.diskSeenFrom, follow.diskRadius, follow.age);
  f(record.route.cells, record.route.portals, record.route.points, record.route.length, record.route.clearance,
    record.route.arcs, record.route.shrunkPortals, record.route.path, record.route.pathLead, record.route.pathView);
  f(place.at, place.cell, vx, vy, radius, group);
  f(motion.speed, motion.velocity, motion.heading, motion.givesWay, motion.stuckFor, motion.lastSide, motion.crowdedFor,
    motion.slowFor);
  f(motion.walls.from, motion.walls.known, motion.walls.count);
  for (auto& id : motion.walls.ids) f(id);
}

// What changes of the world left: which agents wait for a new route, and which routes are repaired ones. Nothing in
// most crowds.
struct News {
  AgentId agent = kNone;
  uint8_t isRepaired = 0;
  uint8_t age = 0;  // of the version of the world that it knows: WorldVersions::ageOf()
};

// A version of the world: whole in a file; for the hash its mesh is enough.
template <typename Sink>
bool writeWorld(Sink& sink, const World& world) {
  Fields<Sink> f(sink);
  if constexpr (std::is_same_v<Sink, HashSink>) {
    const uint64_t mesh = wend::hash(world.mesh());
    f(mesh);
    return true;
  } else {
    const Result<std::string> bytes = serialiseWorld(world);
    const std::string text = bytes.ok() ? *bytes : std::string();
    const auto size = static_cast<uint64_t>(text.size());
    f(size);
    sink.put(text.data(), text.size());
    return bytes.ok();
  }
}

std::optional<World> readWorld(ByteSource& source) {
  Fields<ByteSource> f(source);
  uint64_t size = 0;
  f(size);
  if (!source.ok || size > source.left.size()) return std::nullopt;
  Result<World> world = parseWorld(source.left.first(size), "the saved crowd");
  source.left = source.left.subspan(size);
  if (!world.ok()) return std::nullopt;
  return *std::move(world);
}

template <typename Sink, typename BodyOf>
void bodyFields(Fields<Sink>& f, BodyOf& body) {
  f(body.id, body.layer, body.outline);
  for (auto* place : {&body.place, &body.next}) f(place->at, place->cosine, place->sine);
  f(body.offsets, body.disks);
}

bool readVersions(ByteSource& source, const NavMesh& now, std::vector<WorldVersions::Older>& older) {
  Fields<ByteSource> f(source);
  uint64_t count = 0;
  f(count);
  if (count >= WorldVersions::kMaxVersions) return false;
  for (uint64_t n = 0; n < count && source.ok; ++n) {
    WorldVersions::Older version;
    f(version.until);
    const std::optional<World> world = readWorld(source);
    if (!world || version.until > ChangeKind::kMixed || world->mesh().lattice() != now.lattice() ||
        world->mesh().layerCount() != now.layerCount() || world->mesh().empty()) {
      return false;
    }
    version.navigator = makeNavigator(*world);
    older.push_back(std::move(version));
  }
  return source.ok;
}

template <typename Impl>
bool readBodies(ByteSource& source, Impl& crowd) {
  Fields<ByteSource> f(source);
  uint64_t count = 0;
  f(count, crowd.nextBody);
  const auto isPlace = [](Vec2 p) { return std::abs(p.x) < 1e9 && std::abs(p.y) < 1e9; };
  for (uint64_t n = 0; n < count && source.ok; ++n) {
    typename Impl::Body body;
    bodyFields(f, body);
    const bool isNext = body.id < crowd.nextBody && (crowd.bodies.empty() || crowd.bodies.back().id < body.id);
    if (!source.ok || !isNext || body.offsets.size() != body.disks.size() ||
        !std::all_of(body.offsets.begin(), body.offsets.end(), isPlace)) {
      return false;
    }
    for (const Placement* place : {&body.place, &body.next}) {
      if (!isPlace({place->at.x, place->at.y}) || !isPlace({place->cosine, place->sine})) return false;
    }
    for (const AgentId disk : body.disks) {
      const uint32_t slot = crowd.slotOf(disk);
      // One that a change of the world removed is still on the list.
      if (slot == kNone || crowd.agents.motion[slot].isDriven) continue;
      crowd.agents.motion[slot].isDriven = true;
      crowd.recordAt(slot).isDriven = true;
      ++crowd.driven;
    }
    crowd.bodies.push_back(std::move(body));
  }
  return source.ok;
}

// The half-edges of a route are those of the version of the world that its agent knows.
bool arePathsSound(const std::vector<AgentRecord>& records, const std::vector<uint32_t>& ages, const Navigator& newest,
                   const std::vector<WorldVersions::Older>& older) {
  for (size_t i = 0; i < records.size(); ++i) {
    if (ages[i] > older.size()) return false;
    const World& known = ages[i] == 0 ? newest.world() : older[older.size() - ages[i]].navigator.world();
    const size_t halfEdges = known.medialAxis() == nullptr ? 0 : 2 * known.medialAxis()->edges.size();
    const std::vector<uint32_t>& path = records[i].route.path;
    if (std::any_of(path.begin(), path.end(), [&](uint32_t id) { return id >= halfEdges; })) return false;
  }
  return true;
}

bool isUsuallyOptimal(const Route& route) {
  return !route.path.empty() && route.pathView == 0;
}

Error damaged() {
  return {ErrorCode::kFormat, "the saved crowd is damaged or cut short; save it again"};
}

}  // namespace

uint64_t Crowd::Impl::hashOfSettings() const {
  const uint64_t configuration = hashOf(profiles, settings);
  return obstacles.empty() ? configuration : configuration ^ obstacles.hash();
}

template <typename Sink>
void Crowd::Impl::write(Sink& sink) const {
  Fields<Sink> f(sink);
  const uint64_t configuration = hashOfSettings();
  const uint64_t count = agents.size();
  const double side = grid.side();
  const uint64_t mesh = hashOfMesh();
  const std::vector<uint32_t> walls = ground.numbersAnew();
  f(kMagic, mesh, configuration, frame, nextId, side, count);
  for (const uint32_t record : byId) {
    const uint32_t i = slotOfRecord[record];
    if (i == kNone) continue;
    const AgentPlace place{agents.at(i), agents.cell[i]};
    const auto add = [&](const AgentRecord& written) {
      Motion motion = agents.motion[i];
      for (uint32_t n = 0; n < motion.walls.count && !walls.empty(); ++n)
        motion.walls.ids[n] = walls[motion.walls.ids[n]];
      agentFields(f, written, motion, place, agents.vx[i], agents.vy[i], agents.radius[i], agents.group[i]);
    };
    if (records[record].routeEdit != edits) {
      AgentRecord written = records[record];
      freshen(written);
      add(written);
    } else {
      add(records[record]);
    }
  }
  const uint64_t pending = events.size();
  f(pending);
  for (const CrowdEvent& event : events) f(event.kind, event.agent);
  std::vector<News> news;
  for (const uint32_t record : byId) {
    if (slotOfRecord[record] == kNone) continue;
    const AgentRecord& r = records[record];
    const bool isRepaired = isUsuallyOptimal(r.route) && !r.route.optimal;
    const auto age = static_cast<uint8_t>(versions.ageOf(r.knows));
    if (isRepaired || age > 0) news.push_back({r.id, uint8_t{isRepaired}, age});
  }
  const std::vector<ReplanQueue::Entry> queue = waiting.entries();
  const std::vector<WorldVersions::Older> older = versions.older();
  if (news.empty() && queue.empty() && older.empty() && nextBody == 0) return;
  const uint64_t newsCount = news.size();
  f(newsCount);
  for (const News& n : news) f(n.agent, n.isRepaired, n.age);
  const uint64_t queued = queue.size();
  f(queued);
  for (const ReplanQueue::Entry& entry : queue) f(entry.frame, entry.agent);
  if (older.empty() && nextBody == 0) return;
  const uint64_t versionCount = older.size();
  f(versionCount);
  for (const WorldVersions::Older& version : older) {
    f(version.until);
    writeWorld(sink, version.navigator.world());
  }
  const uint64_t bodyCount = bodies.size();
  f(bodyCount, nextBody);
  for (const Body& body : bodies) bodyFields(f, body);
}

// Ids index arrays, so each must be in range; numbers must be ones that a crowd can have.
bool Crowd::Impl::isSound(const AgentRecord& record, const AgentPlace& place, const Motion& motion,
                          float radius) const {
  const NavMesh& mesh = ground.mesh();
  const Route& route = record.route;
  const double reach = mesh.lattice().reach();
  const auto below = [](const auto& ids, uint32_t limit) {
    return std::all_of(ids.begin(), ids.end(), [&](uint32_t id) { return id < limit; });
  };
  const auto isPlace = [&](const auto& p) { return std::abs(p.x) <= reach && std::abs(p.y) <= reach; };
  const auto isPortal = [&](const ShrunkPortal& portal) { return isPlace(portal.left) && isPlace(portal.right); };
  const auto isVelocity = [](Vec2f v) { return std::abs(v.x) < 100 && std::abs(v.y) < 100; };
  const bool agent = record.profile < profiles.size() && record.state <= RouteState::kBlocked &&
                     place.cell < mesh.cellCount() && ground.holds(place.cell, place.at) && radius >= 0.05F &&
                     radius <= 2 && motion.speed >= 0.05F && motion.speed <= 5 && isVelocity(motion.velocity) &&
                     isVelocity(motion.heading) && isVelocity(motion.givesWay) && std::isfinite(motion.crowdedFor) &&
                     std::isfinite(motion.slowFor) && (record.state != RouteState::kWalking || record.expected >= 1) &&
                     std::isfinite(motion.stuckFor) && std::isfinite(record.lostFor) &&
                     std::isfinite(record.member.incoherent) && std::isfinite(record.member.together) &&
                     std::isfinite(record.member.apart) && std::isfinite(record.member.social) &&
                     isPlace(record.goal) && isPlace(record.target) && std::isfinite(record.goal.z) &&
                     std::isfinite(record.target.z) && record.goalRadius >= 0 && std::isfinite(record.goalRadius) &&
                     !std::isnan(record.expected);
  const bool walls =
      motion.walls.count <= kMaxWalls && std::abs(motion.walls.known) < 100 &&
      below(std::span(motion.walls.ids).first(motion.walls.count), static_cast<uint32_t>(ground.walls().size()));
  const auto isArc = [&](const RouteArc& arc) {
    return arc.first <= arc.last && arc.last < route.points.size() && isPlace(arc.centre) &&
           std::isfinite(arc.radius) && std::isfinite(arc.begin) && std::isfinite(arc.sweep);
  };
  const auto hasHeight = [](Vec3 p) { return std::isfinite(p.z); };
  const bool way = below(route.cells, mesh.cellCount()) && below(route.portals, mesh.sideCount()) &&
                   (route.cells.empty() || route.portals.size() + 1 == route.cells.size()) &&
                   (route.shrunkPortals.empty() || route.shrunkPortals.size() == route.portals.size()) &&
                   std::all_of(route.points.begin(), route.points.end(), isPlace) &&
                   std::all_of(route.points.begin(), route.points.end(), hasHeight) &&
                   std::all_of(route.arcs.begin(), route.arcs.end(), isArc) && std::isfinite(route.length) &&
                   !std::isnan(route.clearance) && !std::isnan(route.pathLead) && !std::isnan(route.pathView) &&
                   std::all_of(route.shrunkPortals.begin(), route.shrunkPortals.end(), isPortal) &&
                   (record.state != RouteState::kWalking || !route.points.empty());
  const FollowState& f = record.follow;
  const bool follow = std::isfinite(f.arc) && std::isfinite(f.attractorArc) && isPlace(f.attractor) &&
                      std::isfinite(f.segmentArc) && isPlace(f.diskCentre) && isPlace(f.diskSeenFrom) &&
                      std::isfinite(f.diskRadius);
  // An agent that stands may keep its place on a route that is gone.
  const bool onRoute = record.state != RouteState::kWalking ||
                       (f.segment <= route.points.size() && (f.segment == 0 || f.segment < route.points.size()) &&
                        f.portal <= route.portals.size());
  return agent && walls && way && follow && onRoute;
}

uint64_t Crowd::hash() const {
  Hash hash;
  HashSink sink{hash};
  impl_->write(sink);
  return hash.value();
}

std::vector<std::byte> Crowd::save() const {
  std::vector<std::byte> bytes;
  ByteSink sink{bytes};
  impl_->write(sink);
  return bytes;
}

Status Crowd::load(std::span<const std::byte> bytes) {
  ByteSource source{bytes};
  Fields<ByteSource> f(source);
  uint64_t magic = 0;
  uint64_t mesh = 0;
  uint64_t configuration = 0;
  uint64_t count = 0;
  double side = 0;
  auto next = std::make_unique<Impl>();
  f(magic, mesh, configuration, next->frame, next->nextId, side, count);
  if (!source.ok || magic != kMagic) return damaged();
  if (mesh != impl_->hashOfMesh()) {
    return Error{ErrorCode::kUnsupported, "the crowd was saved on another mesh; load it with that one"};
  }
  if (configuration != impl_->hashOfSettings()) {
    return Error{ErrorCode::kUnsupported, "the crowd was saved with other profiles or settings; load it with those"};
  }
  if (!(side >= 0.5 && side <= 8)) return damaged();
  next->grid.setSide(side);
  AgentId last = 0;
  for (uint64_t n = 0; n < count && source.ok; ++n) {
    AgentRecord record;
    Motion motion;
    AgentPlace place;
    float vx = 0;
    float vy = 0;
    float radius = 0;
    GroupId group = kNone;
    agentFields(f, record, motion, place, vx, vy, radius, group);
    if (!source.ok || record.id >= next->nextId || (n > 0 && record.id <= last) ||
        !impl_->isSound(record, place, motion, radius) || !(std::abs(vx) < 100) || !(std::abs(vy) < 100)) {
      return damaged();
    }
    last = record.id;
    next->insert(std::move(record), place, radius, group, motion);
    next->agents.vx.back() = vx;
    next->agents.vy.back() = vy;
  }
  uint64_t pending = 0;
  f(pending);
  for (uint64_t n = 0; n < pending && source.ok; ++n) {
    CrowdEvent event{};
    f(event.kind, event.agent);
    if (event.kind > CrowdEventKind::kRemoved) return damaged();
    next->events.push_back(event);
  }
  for (AgentRecord& record : next->records) record.route.optimal = isUsuallyOptimal(record.route);
  std::vector<uint32_t> ages(next->records.size(), 0);
  std::vector<WorldVersions::Older> older;
  if (!source.left.empty()) {
    uint64_t newsCount = 0;
    f(newsCount);
    for (uint64_t n = 0; n < newsCount && source.ok; ++n) {
      News news;
      f(news.agent, news.isRepaired, news.age);
      const uint32_t slot = next->slotOf(news.agent);
      if (slot == kNone) return damaged();
      if (news.isRepaired != 0) next->recordAt(slot).route.optimal = false;
      ages[next->agents.motion[slot].record] = news.age;
    }
    uint64_t queued = 0;
    f(queued);
    for (uint64_t n = 0; n < queued && source.ok; ++n) {
      ReplanQueue::Entry entry;
      f(entry.frame, entry.agent);
      if (next->slotOf(entry.agent) == kNone) return damaged();
      next->waiting.add(entry.agent, entry.frame);
    }
  }
  if (!source.left.empty()) {
    if (!readVersions(source, impl_->ground.mesh(), older) || !readBodies(source, *next)) return damaged();
  }
  if (!source.ok || !source.left.empty() || !arePathsSound(next->records, ages, impl_->navigator, older)) {
    return damaged();
  }
  next->adoptWorld(*impl_);
  next->versions.restore(std::move(older));
  // The saved numbers of walls are those of a mesh that was not edited.
  if (!next->ground.numbersAnew().empty()) next->ground = Ground(next->ground.mesh());
  next->indexRoutes();
  for (uint32_t i = 0; i < next->records.size(); ++i) {
    next->records[i].knows = ages[i] == 0 ? WorldVersions::kAlwaysNewest : next->versions.ofAge(ages[i]);
  }
  next->versions.prepareAll();
  next->constructed = next->agents.size();
  impl_ = std::move(next);
  return Done{};
}

}  // namespace wend
