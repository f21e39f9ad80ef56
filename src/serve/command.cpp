#include "serve/command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wend::serve {
namespace {

using Json = nlohmann::json;

// Reads the fields of one object; the first thing that is wrong stays.
class Fields {
 public:
  Fields(const Json& object, std::optional<Error>& wrong) : object_(object), wrong_(wrong) {}

  bool has(const char* name) const { return object_.contains(name) && !object_[name].is_null(); }

  double number(const char* name, double otherwise, double min, double max) {
    if (!has(name)) return otherwise;
    return numberOf(object_[name], name, min, max);
  }
  double number(const char* name, double min, double max) {
    if (!has(name)) fail(ErrorCode::kFormat, fmt::format("'{}' is missing", name));
    return number(name, min, min, max);
  }
  uint32_t whole(const char* name, uint32_t max) { return static_cast<uint32_t>(number(name, 0, 0, max)); }

  bool flag(const char* name) {
    if (!has(name)) return false;
    if (!object_[name].is_boolean()) fail(ErrorCode::kFormat, fmt::format("'{}' is not true or false", name));
    return object_[name].is_boolean() && object_[name].get<bool>();
  }

  std::string text(const char* name) {
    if (!has(name)) return {};
    return textOf(object_[name], name);
  }

  template <size_t N>
  size_t choice(const char* name, const std::array<std::string_view, N>& names) {
    const std::string given = text(name);
    const auto found = std::find(names.begin(), names.end(), given);
    if (found == names.end()) fail(ErrorCode::kFormat, fmt::format("'{}' is none of the values of '{}'", given, name));
    return found == names.end() ? 0 : static_cast<size_t>(found - names.begin());
  }

  Place place(const char* name) {
    const std::vector<double> numbers = numbersOf(has(name) ? object_[name] : Json(), name, 3);
    if (numbers.size() < 2) fail(ErrorCode::kFormat, fmt::format("'{}' is not a place [x, y] or [x, y, z]", name));
    if (numbers.size() < 2) return {};
    return numbers.size() == 3 ? Place{numbers[0], numbers[1], numbers[2]} : Place{numbers[0], numbers[1]};
  }

  std::vector<Vec2> points(const char* name) { return has(name) ? pointsOf(object_[name], name) : std::vector<Vec2>(); }

  std::vector<std::vector<Vec2>> polygons(const char* name) {
    std::vector<std::vector<Vec2>> out;
    for (const Json& polygon : list(name)) out.push_back(pointsOf(polygon, name));
    return out;
  }

  const Json& list(const char* name) {
    static const Json kNothing = Json::array();
    if (!has(name)) return kNothing;
    const Json& value = object_[name];
    if (!value.is_array() || value.size() > CommandLimits::kItems) {
      fail(ErrorCode::kLimit, fmt::format("'{}' is not a list of at most {} items", name, CommandLimits::kItems));
      return kNothing;
    }
    return value;
  }

  // Calls `visit` with the fields of each object of a list.
  template <typename Visit>
  void each(const char* name, Visit visit) {
    for (const Json& item : list(name)) {
      if (!item.is_object())
        return fail(ErrorCode::kFormat, fmt::format("'{}' holds something else than objects", name));
      Fields fields(item, wrong_);
      visit(fields);
    }
  }

  // The members of an object, each as (name, value).
  std::vector<std::pair<std::string, const Json*>> members(const char* name) {
    std::vector<std::pair<std::string, const Json*>> out;
    if (!has(name)) return out;
    const Json& value = object_[name];
    if (!value.is_object() || value.size() > CommandLimits::kItems) {
      fail(ErrorCode::kFormat, fmt::format("'{}' is not an object of at most {} members", name, CommandLimits::kItems));
      return out;
    }
    for (const auto& [key, member] : value.items()) out.emplace_back(checkedName(key, name), &member);
    return out;
  }

  double numberOf(const Json& value, const char* name, double min, double max) {
    if (!value.is_number()) {
      fail(ErrorCode::kFormat, fmt::format("'{}' is not a number", name));
      return min;
    }
    const double number = value.get<double>();
    if (!(number >= min && number <= max)) {
      fail(ErrorCode::kLimit, fmt::format("'{}' is not between {:g} and {:g}", name, min, max));
      return min;
    }
    return number;
  }

  std::string textOf(const Json& value, const char* name) {
    if (!value.is_string()) {
      fail(ErrorCode::kFormat, fmt::format("'{}' is not a text", name));
      return {};
    }
    return checkedName(value.get_ref<const std::string&>(), name);
  }

 private:
  // Names go into files and messages: letters, digits and a few signs.
  std::string checkedName(const std::string& text, const char* name) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
             c == '.' || c == ' ';
    });
    if (plain && text.size() <= CommandLimits::kName) return text;
    fail(ErrorCode::kFormat,
         fmt::format("'{}' is not a name of at most {} plain letters and digits", name, CommandLimits::kName));
    return {};
  }

  std::vector<double> numbersOf(const Json& value, const char* name, size_t most) {
    std::vector<double> numbers;
    if (!value.is_array() || value.size() > most) {
      fail(ErrorCode::kFormat, fmt::format("'{}' is not a list of at most {} numbers", name, most));
      return numbers;
    }
    for (const Json& item : value) {
      numbers.push_back(numberOf(item, name, -CommandLimits::kLength, CommandLimits::kLength));
    }
    return numbers;
  }

  std::vector<Vec2> pointsOf(const Json& value, const char* name) {
    std::vector<Vec2> points;
    if (!value.is_array() || value.size() > CommandLimits::kPoints) {
      fail(ErrorCode::kLimit, fmt::format("'{}' is not a list of at most {} points", name, CommandLimits::kPoints));
      return points;
    }
    for (const Json& item : value) {
      const std::vector<double> numbers = numbersOf(item, name, 2);
      if (numbers.size() != 2) {
        fail(ErrorCode::kFormat, fmt::format("'{}' holds a point that is not [x, y]", name));
        return points;
      }
      points.push_back({numbers[0], numbers[1]});
    }
    return points;
  }

  void fail(ErrorCode code, std::string sentence) {
    if (!wrong_) wrong_ = Error{code, "the page sent a message that cannot be used: " + std::move(sentence)};
  }

  const Json& object_;
  std::optional<Error>& wrong_;
};

constexpr double kMaxRadius = 100;  // m
constexpr std::array<std::string_view, 5> kMethods{"best", "polyanya", "astar", "disk", "corridor"};
constexpr std::array<std::string_view, 8> kEdits{"obstacle", "door", "move", "remove",
                                                 "set-door", "undo", "redo", "plan"};
constexpr std::array<std::string_view, 4> kRunActions{"start", "pause", "step", "reset"};
constexpr std::array<std::string_view, 5> kSaves{"env", "wend", "toml", "svg", "sqlite"};

int32_t layerOf(Fields& f) {
  return static_cast<int32_t>(f.number("layer", 0, -1e6, 1e6));
}

Command readOpen(Fields& f) {
  OpenCommand command;
  if (f.has("document")) command.document = f.whole("document", 100000);
  command.demo = f.text("demo");
  return command;
}

Command readBake(Fields& f) {
  BakeCommand command;
  command.generator = f.text("generator");
  for (const auto& [name, value] : f.members("options")) {
    command.options.emplace_back(name, value->is_number() ? fmt::format("{}", f.numberOf(*value, "options", -1e9, 1e9))
                                                          : f.textOf(*value, "options"));
  }
  for (const auto& [name, value] : f.members("extract")) {
    command.extract.emplace_back(name, f.numberOf(*value, "extract", -1e9, 1e9));
  }
  command.extractMethod = f.text("extractMethod");
  return command;
}

Command readPlan(Fields& f) {
  PlanCommand command;
  command.from = f.place("from");
  command.to = f.place("to");
  command.radius = f.number("radius", 0, 0, kMaxRadius);
  command.clearance = f.number("clearance", 0, 0, kMaxRadius);
  if (f.has("side")) command.side = f.number("side", -1, 1);
  f.each("methods",
         [&](Fields& item) { command.methods.push_back(static_cast<PathMethod>(item.choice("name", kMethods))); });
  if (command.methods.empty()) command.methods = {PathMethod::kBest};
  if (command.methods.size() > kMethods.size()) command.methods.resize(kMethods.size());
  return command;
}

Command readEdit(Fields& f) {
  EditCommand command;
  command.kind = static_cast<EditKind>(f.choice("edit", kEdits));
  command.id = f.text("id");
  command.layer = layerOf(f);
  command.points = f.points("points");
  command.rooms = f.polygons("rooms");
  command.walls = f.polygons("walls");
  if (f.has("by")) {
    const Place by = f.place("by");
    command.by = {by.x, by.y};
  }
  command.turn = f.number("turn", 0, -360, 360);
  command.open = f.flag("open");
  return command;
}

Command readCrowd(Fields& f) {
  CrowdCommand command;
  f.each("sources", [&](Fields& item) {
    command.sources.push_back({item.text("id"), layerOf(item), item.points("area"), item.whole("count", 1000000),
                               item.number("rate", 0, 0, 1000)});
  });
  f.each("exits", [&](Fields& item) {
    command.exits.push_back({item.text("id"), layerOf(item), item.points("area")});
  });
  f.each("lines", [&](Fields& item) {
    const Place from = item.place("from");
    const Place to = item.place("to");
    command.lines.push_back({item.text("id"), layerOf(item), {from.x, from.y}, {to.x, to.y}});
  });
  command.speed = f.number("speed", command.speed, 0.1, 5);
  command.deviation = f.number("deviation", command.deviation, 0, 2);
  command.radius = f.number("radius", command.radius, 0.05, 2);
  if (f.has("avoid")) command.avoid = f.text("avoid");
  if (f.has("follow")) command.follow = f.text("follow");
  command.roam = f.flag("roam");
  return command;
}

Command readProbe(Fields& f) {
  return ProbeCommand{f.place("at"), f.flag("sight"), f.number("range", 0, 0, 1e5)};
}

Command readReach(Fields& f) {
  ReachCommand command;
  if (f.has("from")) command.from = f.place("from");
  command.radius = f.number("radius", 0, 0, kMaxRadius);
  return command;
}

Command readRun(Fields& f) {
  return RunCommand{static_cast<RunAction>(f.choice("action", kRunActions)), f.flag("record")};
}

Command readPerson(Fields& f) {
  PersonCommand command;
  if (f.has("slot")) command.slot = f.whole("slot", 10000000);
  return command;
}

struct Reader {
  std::string_view kind;
  Command (*read)(Fields&);
};
const std::array<Reader, 16> kReaders{{
    {"open", readOpen},
    {"bake", readBake},
    {"cancel", [](Fields&) -> Command { return CancelCommand{}; }},
    {"plan", readPlan},
    {"forget-plan", [](Fields&) -> Command { return ForgetPlanCommand{}; }},
    {"probe", readProbe},
    {"reach", readReach},
    {"edit", readEdit},
    {"crowd", readCrowd},
    {"run", readRun},
    {"speed", [](Fields& f) -> Command { return SpeedCommand{f.number("factor", 1, 0.01, 1000)}; }},
    {"seek", [](Fields& f) -> Command { return SeekCommand{f.number("time", 0, 0, 1e7)}; }},
    {"person", readPerson},
    {"map", [](Fields& f) -> Command { return MapCommand{f.flag("on")}; }},
    {"save", [](Fields& f) -> Command { return SaveCommand{static_cast<SaveKind>(f.choice("as", kSaves))}; }},
    {"compare", [](Fields& f) -> Command { return CompareCommand{f.whole("world", 100000)}; }},
}};

}  // namespace

Result<Command> parseCommand(std::string_view text) {
  if (text.size() > CommandLimits::kBytes) return Error{ErrorCode::kLimit, "the page sent a message that is too long"};
  bool deep = false;
  const Json message = Json::parse(
      text.begin(), text.end(),
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > static_cast<int>(CommandLimits::kDepth);
        return !deep;
      },
      false);
  if (deep || message.is_discarded() || !message.is_object()) {
    return Error{ErrorCode::kFormat, "the page sent a message that is not a plain JSON object"};
  }
  std::optional<Error> wrong;
  Fields fields(message, wrong);
  const std::string kind = fields.text("kind");
  const auto reader = std::find_if(kReaders.begin(), kReaders.end(), [&](const Reader& r) { return r.kind == kind; });
  if (reader == kReaders.end()) {
    return Error{ErrorCode::kFormat, fmt::format("the page asks for '{}', which this program does not know; build the "
                                                 "page and the program from the same version",
                                                 kind)};
  }
  Command command = reader->read(fields);
  if (wrong) return std::move(*wrong);
  return command;
}

}  // namespace wend::serve
