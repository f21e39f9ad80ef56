#include "edit_text.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace wend::app {
namespace {

Error wrong(const std::string& text, std::string_view sentence) {
  return {ErrorCode::kInvalidSettings, fmt::format("'{}' {}", text, sentence)};
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// "1,2;3,4": points of `dimension` numbers each.
std::optional<std::vector<std::vector<double>>> points(std::string_view text, size_t least, size_t most) {
  std::vector<std::vector<double>> result;
  for (const std::string_view point : split(text, ';')) {
    std::vector<double> numbers;
    for (const std::string_view part : split(point, ',')) {
      const std::optional<double> value = number(part);
      if (!value) return std::nullopt;
      numbers.push_back(*value);
    }
    if (numbers.size() < least || numbers.size() > most) return std::nullopt;
    result.push_back(std::move(numbers));
  }
  return result;
}

// Cuts "REST<mark>TAIL" at the last mark; the tail is missing if there is none.
std::optional<std::string_view> cutTail(std::string_view& text, char mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
}

// "X,Y[,Z][~DEGREES]".
std::optional<Placement> placement(std::string_view text) {
  double degrees = 0;
  if (const auto turn = cutTail(text, '~')) {
    const std::optional<double> given = number(*turn);
    if (!given) return std::nullopt;
    degrees = *given;
  }
  const auto at = points(text, 2, 3);
  if (!at || at->size() != 1) return std::nullopt;
  const std::vector<double>& p = at->front();
  return Placement::turned({p[0], p[1], p.size() == 3 ? p[2] : 0}, degrees);
}

std::optional<std::vector<int32_t>> layers(std::string_view text) {
  std::vector<int32_t> ids;
  for (const std::string_view part : split(text, ',')) {
    int32_t id = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), id);
    if (part.empty() || error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    ids.push_back(id);
  }
  return ids;
}

std::optional<ObstacleShape> shape(std::string_view kind, std::string_view sizes) {
  const auto vec2 = [](const std::vector<double>& p) { return Vec2{p[0], p[1]}; };
  if (kind == "point") return sizes.empty() ? std::optional<ObstacleShape>(PointShape{}) : std::nullopt;
  if (kind == "square") {
    const std::optional<double> side = number(sizes);
    if (!side || !(*side > 0)) return std::nullopt;
    const double h = *side / 2;
    return PolygonShape{{{-h, -h}, {h, -h}, {h, h}, {-h, h}}, {}};
  }
  if (kind == "polygon") {
    const auto corners = points(sizes, 2, 2);
    if (!corners) return std::nullopt;
    PolygonShape polygon;
    for (const std::vector<double>& p : *corners) polygon.corners.push_back(vec2(p));
    return polygon;
  }
  if (kind == "segment") {
    const auto ends = points(sizes, 2, 2);
    if (!ends || ends->size() != 2) return std::nullopt;
    return SegmentShape{vec2((*ends)[0]), vec2((*ends)[1])};
  }
  const auto numbers = points(sizes, kind == "cylinder" ? 2 : 3, kind == "cylinder" ? 2 : 3);
  if (!numbers) return std::nullopt;
  const std::vector<double>& first = numbers->front();
  if (kind == "box" && numbers->size() == 1) return BoxShape{{first[0], first[1], first[2]}};
  if (kind == "cylinder" && numbers->size() == 1) return CylinderShape{first[0], first[1]};
  if (kind == "hull") {
    ConvexShape hull;
    for (const std::vector<double>& p : *numbers) hull.points.push_back({p[0], p[1], p[2]});
    return hull;
  }
  return std::nullopt;
}

// By name, else by the number of its slot.
Result<ObstacleId> findObstacle(const std::string& text, std::string_view name, const World& world) {
  if (const std::optional<ObstacleId> id = world.findObstacle(name)) return *id;
  uint32_t slot = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), slot);
  if (!name.empty() && error == std::errc() && end == name.data() + name.size()) {
    for (const ObstacleId id : world.obstacles()) {
      if (id.slot == slot) return id;
    }
  }
  return wrong(text, "names no obstacle of the world; wend info lists them");
}

}  // namespace

Result<AddObstacle> parseAdd(const std::string& text) {
  const Error error =
      wrong(text, "is not an obstacle; write [NAME=]KIND:SIZES@X,Y[,Z][~DEGREES][#LAYER], sizes above 0");
  std::string_view rest = text;
  Obstacle obstacle;
  if (const size_t at = rest.find('='); at != std::string_view::npos) {
    obstacle.name = std::string(rest.substr(0, at));
    rest = rest.substr(at + 1);
    if (obstacle.name.empty()) return error;
  }
  if (const auto ids = cutTail(rest, '#')) {
    const auto parsed = layers(*ids);
    if (!parsed) return error;
    obstacle.layers = *parsed;
  }
  const auto at = cutTail(rest, '@');
  if (!at) return error;
  const std::optional<Placement> place = placement(*at);
  const size_t colon = rest.find(':');
  const std::optional<ObstacleShape> made =
      shape(rest.substr(0, colon), colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1));
  if (!place || !made) return error;
  obstacle.place = *place;
  obstacle.shape = *made;
  return AddObstacle{std::move(obstacle)};
}

Result<MoveObstacle> parseMove(const std::string& text, const World& world) {
  std::string_view rest = text;
  const auto at = cutTail(rest, '@');
  const std::optional<Placement> place = at ? placement(*at) : std::nullopt;
  if (!place) return wrong(text, "is not a move; write NAME@X,Y[,Z][~DEGREES]");
  const Result<ObstacleId> id = findObstacle(text, rest, world);
  if (!id.ok()) return id.error();
  return MoveObstacle{*id, *place};
}

Result<RemoveObstacle> parseRemove(const std::string& text, const World& world) {
  const Result<ObstacleId> id = findObstacle(text, text, world);
  if (!id.ok()) return id.error();
  return RemoveObstacle{*id};
}

Result<AddDoor> parseDoor(const std::string& text) {
  const Error error = wrong(text, "is not a door; write NAME=X,Y;X,Y[#LAYER]");
  std::string_view rest = text;
  const size_t equals = rest.find('=');
  if (equals == std::string_view::npos || equals == 0) return error;
  Door door;
  door.name = std::string(rest.substr(0, equals));
  rest = rest.substr(equals + 1);
  if (const auto id = cutTail(rest, '#')) {
    const auto parsed = layers(*id);
    if (!parsed || parsed->size() != 1) return error;
    door.layer = parsed->front();
  }
  const auto line = points(rest, 2, 2);
  if (!line || line->size() < 2) return error;
  for (const std::vector<double>& p : *line) door.line.push_back({p[0], p[1]});
  return AddDoor{std::move(door)};
}

Result<SetCost> parseCost(const std::string& text) {
  std::string_view rest = text;
  const auto value = cutTail(rest, '=');
  const std::optional<double> cost = value ? number(*value) : std::nullopt;
  if (!cost || rest.empty()) return wrong(text, "is no cost; write [PROFILE/]LABEL=NUMBER");
  SetCost edit;
  edit.cost = *cost;
  const size_t slash = rest.find('/');
  if (slash != std::string_view::npos) {
    edit.profile = std::string(rest.substr(0, slash));
    rest = rest.substr(slash + 1);
  }
  edit.label = std::string(rest);
  return edit;
}

}  // namespace wend::app
