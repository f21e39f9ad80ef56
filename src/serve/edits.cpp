#include "serve/edits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace wend::serve {
namespace {

Error wrong(std::string sentence) {
  return {ErrorCode::kInvalidSettings, std::move(sentence)};
}

bool hasLayer(const Environment& environment, int32_t id) {
  return std::any_of(environment.layers.begin(), environment.layers.end(), [&](const Layer& l) { return l.id == id; });
}

std::string freeName(const std::vector<PlacedItem>& items, const char* kind) {
  for (size_t i = 1;; ++i) {
    std::string name = fmt::format("{} {}", kind, i);
    if (std::none_of(items.begin(), items.end(), [&](const PlacedItem& item) { return item.id == name; })) return name;
  }
}

void move(std::vector<Vec2>& points, Vec2 by, double degrees) {
  Vec2 middle{};
  for (const Vec2 p : points) middle = {middle.x + p.x, middle.y + p.y};
  const auto n = static_cast<double>(points.size());
  middle = {middle.x / n, middle.y / n};
  const double c = std::cos(degrees * std::numbers::pi / 180);
  const double s = std::sin(degrees * std::numbers::pi / 180);
  for (Vec2& p : points) {
    const Vec2 d{p.x - middle.x, p.y - middle.y};
    p = {middle.x + c * d.x - s * d.y + by.x, middle.y + s * d.x + c * d.y + by.y};
  }
}

}  // namespace

Status EditableEnvironment::change(const EditCommand& edit, Version& next) const {
  const auto item =
      std::find_if(next.items.begin(), next.items.end(), [&](const PlacedItem& i) { return i.id == edit.id; });
  switch (edit.kind) {
    case EditKind::kAddObstacle:
    case EditKind::kAddDoor: {
      const bool door = edit.kind == EditKind::kAddDoor;
      if (door ? edit.points.size() != 2 : edit.points.size() < 3) {
        return wrong(door ? "a door needs two ends" : "an obstacle needs three corners or more");
      }
      if (door && edit.points[0] == edit.points[1]) return wrong("the two ends of a door must differ");
      if (!hasLayer(*next.base, edit.layer)) return wrong(fmt::format("there is no layer {}", edit.layer));
      if (next.items.size() >= kMaxItems)
        return wrong(fmt::format("there are {} things already; remove some", kMaxItems));
      next.items.push_back(
          {freeName(next.items, door ? "door" : "obstacle"), door, edit.open, edit.layer, edit.points});
      return Done{};
    }
    case EditKind::kMove:
    case EditKind::kRemove:
    case EditKind::kSetDoor:
      if (item == next.items.end()) return wrong(fmt::format("'{}' is not there any more", edit.id));
      if (edit.kind == EditKind::kMove) move(item->points, edit.by, edit.turn);
      if (edit.kind == EditKind::kSetDoor) item->open = edit.open;
      if (edit.kind == EditKind::kRemove) next.items.erase(item);
      return Done{};
    case EditKind::kNewPlan: {
      EnvironmentDraft draft;
      draft.name = "floor plan";
      LayerDraft& layer = draft.layers.emplace_back();
      for (const std::vector<Vec2>& room : edit.rooms) layer.walkable.push_back({room});
      for (const std::vector<Vec2>& wall : edit.walls) layer.obstacles.push_back({wall});
      Result<Environment> built = buildEnvironment(draft);
      if (!built.ok()) return built.error();
      if (boundingBox(*built).empty()) return wrong("the drawing has no walkable room; draw one");
      next.base = std::make_shared<const Environment>(*std::move(built));
      next.items.clear();
      return Done{};
    }
    case EditKind::kUndo:
    case EditKind::kRedo:
      break;
  }
  return Done{};
}

Status EditableEnvironment::apply(const EditCommand& edit) {
  if (edit.kind == EditKind::kUndo) {
    if (at_ == 0) return wrong("there is nothing to undo");
    --at_;
    return Done{};
  }
  if (edit.kind == EditKind::kRedo) {
    if (redoSteps() == 0) return wrong("there is nothing to do again");
    ++at_;
    return Done{};
  }
  Version next = history_[at_];
  if (Status status = change(edit, next); !status.ok()) return status;
  push(std::move(next));
  return Done{};
}

void EditableEnvironment::push(Version next) {
  history_.resize(at_ + 1);
  history_.push_back(std::move(next));
  if (history_.size() > kMaxHistory) history_.erase(history_.begin());
  at_ = history_.size() - 1;
}

std::vector<PlacedItem> itemsOf(const World& world) {
  std::vector<PlacedItem> items;
  for (const ObstacleId id : world.obstacles()) {
    const Obstacle& there = *world.find(id);
    const auto* shape = std::get_if<PolygonShape>(&there.shape);
    if (there.name.empty() || shape == nullptr || !(there.place == Placement{}) || there.layers.size() != 1) continue;
    items.push_back({there.name, false, false, there.layers[0], shape->corners});
  }
  for (const Door& door : world.doors()) {
    if (door.line.size() == 2) items.push_back({door.name, true, door.open, door.layer, door.line});
  }
  return items;
}

std::vector<Edit> EditableEnvironment::editsFor(const World& world) const {
  std::vector<Edit> edits;
  // What is gone or has changed its shape goes first.
  for (const PlacedItem& there : itemsOf(world)) {
    const auto item =
        std::find_if(items().begin(), items().end(), [&](const PlacedItem& one) { return one.id == there.id; });
    const bool same = item != items().end() && item->isDoor == there.isDoor && item->points == there.points;
    if (same) continue;
    if (there.isDoor) {
      edits.emplace_back(RemoveDoor{there.id});
    } else {
      edits.emplace_back(RemoveObstacle{*world.findObstacle(there.id)});
    }
  }
  for (const PlacedItem& item : items()) {
    if (item.isDoor) {
      const Door* there = world.findDoor(item.id);
      if (there == nullptr || there->line != item.points) {
        edits.emplace_back(AddDoor{{.name = item.id, .line = item.points, .layer = item.layer, .open = item.open}});
      } else if (there->open != item.open) {
        edits.emplace_back(SetDoor{item.id, item.open});
      }
      continue;
    }
    const std::optional<ObstacleId> id = world.findObstacle(item.id);
    const auto* shape = id ? std::get_if<PolygonShape>(&world.find(*id)->shape) : nullptr;
    if (shape != nullptr && shape->corners == item.points) continue;
    edits.emplace_back(
        AddObstacle{{.name = item.id, .shape = PolygonShape{item.points}, .place = {}, .layers = {item.layer}}});
  }
  return edits;
}

}  // namespace wend::serve
