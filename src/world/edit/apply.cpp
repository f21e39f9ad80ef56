#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/hash.h"
#include "environment/edit/apply_footprints.h"
#include "environment/edit/boundary_change.h"
#include "environment/edit/next_environment.h"
#include "environment/space_hash.h"
#include "generators/registry.h"
#include "world/edit/changed_area.h"
#include "world/edit/footprints.h"
#include "world/edit/live_state.h"
#include "world/world_data.h"

namespace wend {

const char* outcomeName(EditOutcome outcome) {
  switch (outcome) {
    case EditOutcome::kDone:
      return "done";
    case EditOutcome::kNoChange:
      return "no-change";
    case EditOutcome::kHidden:
      return "hidden";
  }
  return "unknown";
}

const char* meshChangeName(MeshChange change) {
  switch (change) {
    case MeshChange::kNone:
      return "none";
    case MeshChange::kInPlace:
      return "in-place";
    case MeshChange::kRebuilt:
      return "rebuilt";
  }
  return "unknown";
}

std::vector<SharedFootprint> LiveState::footprints() const {
  std::vector<SharedFootprint> all;
  for (const Slot& slot : slots) {
    if (!slot.placed) continue;
    for (const Footprint& footprint : slot.placed->footprints) all.emplace_back(slot.placed, &footprint);
  }
  for (const auto& [name, placed] : doors) {
    if (placed.door.open) continue;
    for (const Footprint& footprint : *placed.footprints) all.emplace_back(placed.footprints, &footprint);
  }
  return all;
}

namespace {

Error unknown(std::string sentence) {
  return {ErrorCode::kInvalidSettings, std::move(sentence)};
}

// Applies edits to the state of a world, one after the other.
class StateEditor {
 public:
  StateEditor(const LiveBase& base, LiveState& state, UpdateReport& report)
      : base_(base), state_(state), report_(report) {}

  Status apply(const Edit& edit) {
    report_.edits.emplace_back();
    return std::visit([&](const auto& one) { return run(one, report_.edits.back()); }, edit);
  }
  // Footprints that came or went, some of them more than once.
  std::vector<Footprint>& touched() { return touched_; }

 private:
  Status run(const AddObstacle& edit, EditReport& report) {
    if (Status status = checkName(edit.obstacle.name); !status.ok()) return status;
    auto placed = place(edit.obstacle);
    if (!placed.ok()) return placed.error();
    uint32_t slot = 0;
    while (slot < state_.slots.size() && state_.slots[slot].placed) ++slot;
    if (slot == state_.slots.size()) state_.slots.emplace_back();
    state_.slots[slot].placed = *placed;
    report.id = {slot, state_.slots[slot].generation};
    cover(**placed, report);
    return Done{};
  }

  Status run(const MoveObstacle& edit, EditReport& report) {
    const PlacedObstacle* old = state_.find(edit.id);
    if (old == nullptr) return gone(edit.id);
    report.id = edit.id;
    if (old->obstacle.place == edit.place) {
      report.outcome = EditOutcome::kNoChange;
      report.layers = layersOf(old->footprints);
      return Done{};
    }
    Obstacle moved = old->obstacle;
    moved.place = edit.place;
    auto placed = place(moved);
    if (!placed.ok()) return placed.error();
    leave(old->footprints);
    state_.slots[edit.id.slot].placed = *placed;
    cover(**placed, report);
    return Done{};
  }

  Status run(const RemoveObstacle& edit, EditReport& report) {
    const PlacedObstacle* old = state_.find(edit.id);
    if (old == nullptr) return gone(edit.id);
    report.id = edit.id;
    report.layers = layersOf(old->footprints);
    leave(old->footprints);
    LiveState::Slot& slot = state_.slots[edit.id.slot];
    slot.placed.reset();
    ++slot.generation;
    return Done{};
  }

  Status run(const AddDoor& edit, EditReport& report) {
    if (edit.door.name.empty()) return unknown("a door needs a name");
    if (Status status = checkName(edit.door.name); !status.ok()) return status;
    Result<std::vector<Footprint>> footprints = footprintsOf(base_, edit.door);
    if (!footprints.ok()) return footprints.error();
    report.layers = layersOf(*footprints);
    if (edit.door.open) {
      report.outcome = EditOutcome::kNoChange;
    } else {
      touch(*footprints);
    }
    state_.doors[edit.door.name] = {edit.door, std::make_shared<const std::vector<Footprint>>(*std::move(footprints))};
    return Done{};
  }

  Status run(const RemoveDoor& edit, EditReport& report) {
    const auto found = state_.doors.find(edit.name);
    if (found == state_.doors.end()) return noDoor(edit.name);
    report.layers = layersOf(*found->second.footprints);
    if (found->second.door.open) {
      report.outcome = EditOutcome::kNoChange;
    } else {
      leave(*found->second.footprints);
    }
    state_.doors.erase(found);
    return Done{};
  }

  Status run(const SetDoor& edit, EditReport& report) {
    const auto found = state_.doors.find(edit.name);
    if (found == state_.doors.end()) return noDoor(edit.name);
    PlacedDoor& placed = found->second;
    report.layers = layersOf(*placed.footprints);
    if (placed.door.open == edit.open) {
      report.outcome = EditOutcome::kNoChange;
      return Done{};
    }
    placed.door.open = edit.open;
    if (edit.open) {
      leave(*placed.footprints);
    } else {
      touch(*placed.footprints);
    }
    return Done{};
  }

  Status run(const SetCost& edit, EditReport& report) {
    if (edit.label.empty()) return unknown("a cost needs the label of a region");
    if (!(edit.cost > 0 && edit.cost <= 1e9)) {
      return unknown(
          fmt::format("the cost of '{}' is {:g}; it must be above 0 and at most 1e9", edit.label, edit.cost));
    }
    bool known = edit.label == "default";
    for (const Layer& layer : base_.environment().layers) {
      for (const Region& region : layer.regions) {
        if (region.label != edit.label) continue;
        known = true;
        report.layers.push_back(layer.id);
        break;
      }
    }
    if (!known) return unknown(fmt::format("no region has the label '{}'; wend info lists them", edit.label));
    double& cost = state_.costs[{edit.profile, edit.label}];
    if (cost == edit.cost) report.outcome = EditOutcome::kNoChange;
    cost = edit.cost;
    return Done{};
  }

  Result<std::shared_ptr<const PlacedObstacle>> place(const Obstacle& obstacle) const {
    Result<std::vector<Footprint>> footprints = footprintsOf(base_, obstacle, state_.stature);
    if (!footprints.ok()) return footprints.error();
    return std::make_shared<const PlacedObstacle>(PlacedObstacle{obstacle, *std::move(footprints)});
  }

  void cover(const PlacedObstacle& placed, EditReport& report) {
    report.layers = layersOf(placed.footprints);
    touch(placed.footprints);
    if (placed.footprints.empty()) {
      report.outcome = EditOutcome::kHidden;
      report_.notes.push_back(
          fmt::format("{} blocks no agent: it is above head room or low enough to step over", nameOf(placed.obstacle)));
    }
  }

  void touch(const std::vector<Footprint>& footprints) {
    touched_.insert(touched_.end(), footprints.begin(), footprints.end());
  }

  void leave(const std::vector<Footprint>& footprints) {
    touch(footprints);
    report_.opens = report_.opens || !footprints.empty();
  }

  std::vector<int32_t> layersOf(const std::vector<Footprint>& footprints) const {
    std::vector<int32_t> ids;
    for (const Footprint& footprint : footprints) ids.push_back(base_.environment().layers[footprint.layer].id);
    return ids;
  }

  Status checkName(const std::string& name) const {
    if (name.empty()) return Done{};
    bool taken = state_.doors.contains(name);
    for (const LiveState::Slot& slot : state_.slots)
      taken = taken || (slot.placed && slot.placed->obstacle.name == name);
    if (!taken) return Done{};
    return unknown(fmt::format("the name '{}' is taken; choose another one, or move what has it", name));
  }

  static Error gone(ObstacleId id) {
    return unknown(fmt::format("there is no obstacle {} of generation {}; it was removed, or never added", id.slot,
                               id.generation));
  }
  static Error noDoor(const std::string& name) {
    return unknown(fmt::format("there is no door '{}'; add it first", name));
  }

  const LiveBase& base_;
  LiveState& state_;
  UpdateReport& report_;
  std::vector<Footprint> touched_;
};

// The settings that made the mesh; those of World::of() may have been left out.
Result<GenerateSettings> settingsOf(const std::optional<GenerateSettings>& known, const NavMesh& mesh) {
  if (known) return *known;
  const MeshArrays& info = mesh.info();
  GenerateSettings settings;
  settings.generator = info.generator;
  const GeneratorInfo* generator = findGenerator(info.generator);
  if (generator != nullptr) {
    const Result<OptionValues> options = parseOptions(*generator, settings);
    if (options.ok() && hash(*options) == info.settingsHash) return settings;
  }
  return Error{
      ErrorCode::kUnsupported,
      fmt::format("the options with which '{}' made the mesh are not known, so it cannot be made anew; bake the "
                  "world again",
                  info.generator)};
}

// Which cells of a mesh that was made anew are as they were: same layer, same corners in the same order.
void matchCells(const NavMesh& before, MeshUpdate& update) {
  const NavMesh& after = update.mesh;
  const auto firstCorner = [](const NavMesh& mesh, CellId cell) {
    SideId first = mesh.firstSide(cell);
    for (SideId s = first + 1; s < mesh.endSide(cell); ++s) {
      const Vec2 p = mesh.vertex(mesh.startVertex(s));
      const Vec2 q = mesh.vertex(mesh.startVertex(first));
      if (p.x < q.x || (p.x == q.x && p.y < q.y)) first = s;
    }
    return first;
  };
  const auto hashOf = [&](const NavMesh& mesh, CellId cell) {
    Hash sum;
    sum.add(mesh.layerOf(cell));
    const SideId first = firstCorner(mesh, cell);
    SideId s = first;
    do {
      const Vec2 p = mesh.vertex(mesh.startVertex(s));
      sum.add(p.x);
      sum.add(p.y);
      s = mesh.nextSide(s);
    } while (s != first);
    return sum.value();
  };
  std::unordered_map<uint64_t, CellId> known;
  known.reserve(before.cellCount());
  for (CellId cell = 0; cell < before.cellCount(); ++cell) known.emplace(hashOf(before, cell), cell);
  uint32_t kept = 0;
  for (CellId cell = 0; cell < after.cellCount(); ++cell) {
    const auto found = known.find(hashOf(after, cell));
    if (found == known.end()) continue;
    update.source[cell] = found->second;
    known.erase(found);
    ++kept;
  }
  update.cellsRemoved = before.cellCount() - kept;
  update.cellsAdded = after.cellCount() - kept;
}

// A world that was read from a file has its obstacles, but not yet how they are cut.
bool hasAllClusters(const LiveState& live) {
  size_t cut = 0;
  for (const auto& cluster : live.clusters.all) cut += cluster->members.size();
  size_t there = 0;
  for (const SharedFootprint& footprint : live.footprints()) there += footprint->loops.empty() ? 0 : 1;
  return cut == there;
}

double lengthOf(std::span<const Point> line, const Lattice& lattice) {
  double sum = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    sum += std::hypot(static_cast<double>(line[i + 1].x) - line[i].x, static_cast<double>(line[i + 1].y) - line[i].y);
  }
  return sum * lattice.unit;
}

// Connections of the base that are open otherwise than in the version before.
std::vector<ConnectionReport> compareConnections(const Environment& base, const std::vector<CutConnection>& before,
                                                 const std::vector<CutConnection>& after) {
  std::vector<ConnectionReport> reports;
  std::set<uint32_t> concerned;
  for (const CutConnection& cut : before) concerned.insert(cut.base);
  for (const CutConnection& cut : after) concerned.insert(cut.base);
  for (const uint32_t i : concerned) {
    const auto piecesIn = [&](const std::vector<CutConnection>& cuts) {
      for (const CutConnection& cut : cuts) {
        if (cut.base == i) return cut.pieces;
      }
      return std::vector<std::vector<Point>>{base.connections[i].line};
    };
    const auto length = [&](const std::vector<std::vector<Point>>& pieces) {
      double sum = 0;
      for (const std::vector<Point>& piece : pieces) sum += lengthOf(piece, base.lattice);
      return sum;
    };
    const auto old = piecesIn(before);
    const auto now = piecesIn(after);
    if (old == now) continue;
    reports.push_back({i, static_cast<uint32_t>(now.size()), length(now), length(old)});
  }
  return reports;
}

SpaceHash spaceAfter(const SpaceHash& space, const BoundaryChange& change, const Environment& before,
                     const Environment& after) {
  SpaceSum sum(space);
  for (const auto& [layer, ring] : change.gone) sum.removeRing(layer, ring);
  for (const auto& [layer, ring] : change.added) sum.addRing(layer, ring);
  sum.removeConnections(before);
  sum.addConnections(after);
  return sum.value();
}

}  // namespace

Result<WorldUpdate> World::apply(std::span<const Edit> edits, const Context& context) const {
  WorldUpdate update;
  UpdateReport& report = update.report;
  Data data = *data_;
  if (!data.base) data.base = std::make_shared<const LiveBase>(data.environment);
  if (!data.space) data.space = wend::spaceHash(*data.environment);
  LiveState state = *data.live;
  StateEditor editor(*data.base, state, report);
  for (size_t i = 0; i < edits.size(); ++i) {
    if (Status status = editor.apply(edits[i]); !status.ok()) {
      const Error& error = status.error();
      return edits.size() == 1 ? error : Error{error.code, fmt::format("edit {}: {}", i + 1, error.message)};
    }
  }
  report.version = ++state.version;
  if (!editor.touched().empty()) {
    const Result<GenerateSettings> settings = settingsOf(data.settings, data.mesh);
    if (!settings.ok()) return settings.error();
    const bool known = hasAllClusters(*data.live);
    Result<NextEnvironment> edited =
        nextEnvironment(*data.base, data.environment, data.live->clusters, known, state.footprints(), context);
    if (!edited.ok()) return edited.error();
    const Environment& now = *edited->environment;
    const BoundaryChange change =
        known ? changeBetween(*data.base, data.live->clusters, edited->clusters) : BoundaryChange{};
    report.changed = known ? changedArea(change, *data.environment, now, editor.touched())
                           : changedArea(*data.environment, now, editor.touched());
    if (report.changed.boxes.empty()) {
      for (EditReport& one : report.edits) {
        if (one.outcome == EditOutcome::kDone && one.id.slot != kNone) one.outcome = EditOutcome::kHidden;
      }
    }
    // Another truth or name of the same space needs a mesh that says so.
    const bool differs = !report.changed.boxes.empty() || now.truth != data.environment->truth ||
                         now.connections != data.environment->connections;
    if (differs) {
      ChangedArea changed = report.changed;
      if (known) {
        changed.facts = std::make_shared<const EditFacts>(
            EditFacts{edited->environment, std::make_shared<const VersionBoundary>(data.base, data.live->clusters),
                      std::make_shared<const VersionBoundary>(data.base, edited->clusters),
                      topologyAfter(data.mesh.info().environment, now, change, edited->hasHolesOnly)});
      }
      Result<MeshUpdate> mesh = updateMesh(data.mesh, *data.environment, now, changed, *settings, context);
      if (!mesh.ok()) return mesh.error();
      if (!edited->hasHolesOnly) {
        report.connections = compareConnections(data.base->environment(), data.live->cut, edited->cut);
      }
      report.mesh = mesh->inPlace ? MeshChange::kInPlace : MeshChange::kRebuilt;
      report.meshReason = std::move(mesh->reason);
      if (!mesh->inPlace) matchCells(data.mesh, *mesh);
      report.cellSource = std::move(mesh->source);
      report.cellsRemoved = mesh->cellsRemoved;
      report.cellsAdded = mesh->cellsAdded;
      data.mesh = std::move(mesh->mesh);
      if (data.search != nullptr) data.search = data.search->next(edited->environment, changed, context);
      data.space = known ? spaceAfter(*data.space, change, *data.environment, now) : wend::spaceHash(now);
      data.environment = edited->environment;
      WEND_ASSERT(*data.space == wend::spaceHash(now), "the hash of free space follows each edit");
    }
    if (!edited->hasHolesOnly) state.cut = std::move(edited->cut);
    state.clusters = std::move(edited->clusters);
  }
  data.live = std::make_shared<const LiveState>(std::move(state));
  update.world = WorldAccess::make(std::move(data));
  return update;
}

}  // namespace wend
