#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text_cursor.h"
#include "environment/io/formats.h"

// GeoJSON (RFC 7946) with planar coordinates. The text is read event by event into flat arrays: no tree is built, so
// memory stays proportional to the number of coordinates, and nesting is bounded.
namespace wend {
namespace {

constexpr size_t kMaxNesting = 64;

enum class Role : uint8_t { kWalkable, kObstacle, kOpening, kRegion, kConnection };

struct Placement {
  int32_t layer = 0;
  Role role = Role::kWalkable;
  std::string label;
};

// A polygon, or the line of a connection, in the units of the file.
struct Drawing {
  Loops loops;
  bool line = false;
  Placement placement;
  int32_t to = 0;
  size_t feature = 0;
};

// What the "properties" of a feature say.
struct Properties {
  Placement placement;
  std::optional<int32_t> to;
  std::optional<double> height;
  std::optional<std::string> layerName;
};

struct LayerFacts {
  int32_t id = 0;
  std::string name;
  std::optional<double> height;
  std::optional<size_t> lastRegion;  // the feature whose polygons the last region collects
};

// The arrays under "coordinates", whatever their depth: positions, cut into rings, cut into polygons.
struct Coordinates {
  bool given = false;
  size_t positionDepth = 0;  // of positions; 0 until the first
  std::array<double, 2> position{};
  size_t numbers = 0;  // of the open position
  std::vector<Loops> polygons;
  Loops rings;
  std::vector<Vec2> points;
};

enum class Meaning : uint8_t { kObject, kList, kProperties, kOther };

// One open brace or bracket, except for those below "coordinates".
struct Frame {
  Meaning meaning = Meaning::kOther;
  std::string key;  // of the value to come
  std::string type;
  Coordinates coordinates;
  Properties properties;
  size_t firstDrawing = 0;
};

class GeoJsonReader {
 public:
  using json = nlohmann::json;

  explicit GeoJsonReader(const Source& source)
      : source_(source), draft_(emptyDraft(source)), intake_(source, draft_.lattice, 1) {}

  Result<EnvironmentDraft> read() {
    const bool complete = json::sax_parse(source_.text.begin(), source_.text.end(), this);
    if (error_) return std::move(*error_);
    if (!complete) return Error{ErrorCode::kFormat, fmt::format("'{}': no valid JSON", source_.name)};
    if (!finish()) return std::move(*error_);
    return std::move(draft_);
  }

  // --- Events of the JSON parser, under its names; false stops it
  // ----------------------------------------------------- NOLINTBEGIN(readability-identifier-naming)

  bool null() { return scalar(); }
  bool boolean(bool) { return scalar(); }
  bool number_integer(json::number_integer_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(json::number_unsigned_t value) { return number(static_cast<double>(value)); }
  bool number_float(json::number_float_t value, const std::string&) { return number(value); }
  bool binary(json::binary_t&) { return scalar(); }

  bool string(std::string& value) {
    if (!scalar()) return false;
    if (top().meaning == Meaning::kObject && top().key == "type") top().type = value;
    if (frames_.size() == 1 && top().key == "name") return plain(value, "name") && assign(draft_.name, value);
    return top().meaning != Meaning::kProperties || textProperty(value);
  }

  bool key(std::string& key) {
    top().key = std::move(key);
    return true;
  }

  bool start_object(size_t) {
    Meaning meaning = Meaning::kOther;
    if (frames_.empty() || top().meaning == Meaning::kList) {
      meaning = Meaning::kObject;
    } else if (depth_ > 0) {
      return fail("an object among the coordinates");
    } else if (top().meaning == Meaning::kObject) {
      if (top().key == "geometry") meaning = Meaning::kObject;
      if (top().key == "properties") meaning = Meaning::kProperties;
    }
    return open(meaning);
  }

  bool start_array(size_t) {
    if (frames_.empty()) return fail("the text is a list; GeoJSON is an object with a \"type\"");
    if (depth_ > 0) {
      if (top().coordinates.numbers > 0) return fail("a position that mixes numbers and lists");
      return ++depth_ <= kMaxNesting || tooDeep();
    }
    if (top().meaning == Meaning::kObject && top().key == "coordinates") {
      top().coordinates = Coordinates();
      top().coordinates.given = true;
      depth_ = 1;
      return true;
    }
    const bool list = top().meaning == Meaning::kObject && (top().key == "features" || top().key == "geometries");
    return open(list ? Meaning::kList : Meaning::kOther);
  }

  bool end_array() {
    if (depth_ > 0) return closeCoordinates();
    frames_.pop_back();
    return true;
  }

  bool end_object() {
    const Meaning meaning = top().meaning;
    Frame frame = std::move(top());
    frames_.pop_back();
    if (meaning == Meaning::kProperties) top().properties = std::move(frame.properties);
    return meaning != Meaning::kObject || closeObject(frame);
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& exception) {
    // The library's sentence starts with its own error number, in brackets.
    std::string_view what = exception.what();
    if (const size_t end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
    error_ = errorAtLine(ErrorCode::kFormat, source_.name, lineOfOffset(source_.text, position),
                         fmt::format("no valid JSON: {}", printable(what)));
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  static std::string printable(std::string_view text) {
    std::string result(text.substr(0, 200));
    for (char& c : result) {
      if (c < ' ' || c > '~') c = '?';
    }
    return result;
  }
  static bool assign(std::string& to, const std::string& from) {
    to = from;
    return true;
  }

  Frame& top() { return frames_.back(); }
  bool fail(std::string_view what, ErrorCode code = ErrorCode::kFormat) {
    error_ = Error{code, fmt::format("'{}', feature {}: {}", source_.name, features_, what)};
    return false;
  }

  bool tooDeep() { return fail(fmt::format("nested deeper than {}", kMaxNesting), ErrorCode::kLimit); }

  bool open(Meaning meaning) {
    if (frames_.size() == kMaxNesting) return tooDeep();
    Frame frame;
    frame.meaning = meaning;
    frame.firstDrawing = drawings_.size();
    frames_.push_back(std::move(frame));
    return true;
  }

  bool plain(const std::string& value, const char* what) {
    if (isPlainText(value)) return true;
    return fail(fmt::format("\"{}\" must be without control characters, at most {} bytes", what, kMaxNameBytes));
  }

  bool scalar() {
    if (frames_.empty()) return fail("the text is a single value; GeoJSON is an object with a \"type\"");
    if (depth_ > 0) return fail("a coordinate that is not a number");
    return true;
  }

  bool number(double value) {
    if (frames_.empty()) return scalar();
    if (depth_ > 0) {
      Coordinates& coordinates = top().coordinates;
      if (coordinates.numbers < 2) coordinates.position[coordinates.numbers] = value;
      ++coordinates.numbers;
      return true;
    }
    if (frames_.size() == 1 && top().key == "unit") {
      if (!isUnit(value)) return fail("\"unit\" must lie between 0.000001 and 1 metre");
      draft_.lattice.unit = value;
    }
    return top().meaning != Meaning::kProperties || numberProperty(value);
  }

  bool numberProperty(double value) {
    Properties& properties = top().properties;
    const std::string& key = top().key;
    if (key == "height") properties.height = value;
    if (key == "role" || key == "label" || key == "layerName") return fail(fmt::format("\"{}\" must be a text", key));
    if (key != "layer" && key != "to") return true;
    if (value != std::floor(value) || std::abs(value) > INT32_MAX) {
      return fail(fmt::format("\"{}\" must be an integer", key));
    }
    if (key == "layer") properties.placement.layer = static_cast<int32_t>(value);
    if (key == "to") properties.to = static_cast<int32_t>(value);
    return true;
  }

  bool textProperty(const std::string& value) {
    static const std::map<std::string_view, Role> kRoles{{"walkable", Role::kWalkable},
                                                         {"obstacle", Role::kObstacle},
                                                         {"opening", Role::kOpening},
                                                         {"region", Role::kRegion},
                                                         {"connection", Role::kConnection}};
    Properties& properties = top().properties;
    const std::string& key = top().key;
    if (key == "layer" || key == "to") return fail(fmt::format("\"{}\" must be an integer", key));
    if (key == "height") return fail("\"height\" must be a number");
    if (key == "label") return plain(value, "label") && assign(properties.placement.label, value);
    if (key == "layerName") {
      properties.layerName = value;
      return plain(value, "layerName");
    }
    if (key != "role") return true;
    const auto role = kRoles.find(value);
    if (role == kRoles.end()) {
      return fail(fmt::format("\"role\" is '{}'; it must be walkable, obstacle, opening, region or connection",
                              excerpt(value)));
    }
    properties.placement.role = role->second;
    return true;
  }

  bool closeCoordinates() {
    Coordinates& c = top().coordinates;
    const size_t depth = depth_--;
    if (c.numbers > 0) {
      if (c.numbers < 2) return fail("a position with one coordinate");
      if (c.positionDepth != 0 && c.positionDepth != depth) return fail("positions at different depths");
      c.positionDepth = depth;
      c.numbers = 0;
      if (!intake_.count()) return fail(intake_.tooMany().message, ErrorCode::kLimit);
      c.points.push_back({c.position[0], c.position[1]});
    } else if (c.positionDepth != 0 && depth + 1 == c.positionDepth && !c.points.empty()) {
      c.rings.push_back(std::move(c.points));
      c.points.clear();
    } else if (c.positionDepth != 0 && depth + 2 == c.positionDepth && !c.rings.empty()) {
      c.polygons.push_back(std::move(c.rings));
      c.rings.clear();
    }
    return true;
  }

  bool closeObject(Frame& frame) {
    const std::string& type = frame.type;
    if (type == "Polygon" || type == "MultiPolygon") return closePolygons(frame, type == "Polygon" ? 3 : 4);
    if (type == "LineString") return closeLine(frame);
    if (type == "Feature") return closeFeature(frame);
    if (type == "FeatureCollection" || type == "GeometryCollection") return true;
    if (type.empty()) return fail("an object without a \"type\"");
    return fail(fmt::format("'{}' is not an area; wend reads Polygon, MultiPolygon, Feature, FeatureCollection and "
                            "GeometryCollection",
                            excerpt(type)),
                ErrorCode::kUnsupported);
  }

  bool closePolygons(Frame& frame, size_t positionDepth) {
    Coordinates& c = frame.coordinates;
    if (!c.given) return fail(fmt::format("a {} without \"coordinates\"", frame.type));
    if (c.positionDepth != 0 && c.positionDepth != positionDepth) {
      return fail(fmt::format("the coordinates of a {} must be nested {} deep", frame.type, positionDepth));
    }
    for (Loops& loops : c.polygons) {
      for (std::vector<Vec2>& loop : loops) {
        if (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
        if (loop.size() < 3) return fail("a ring with fewer than three points");
      }
      drawings_.push_back({std::move(loops), false, {}, 0, features_});
    }
    return true;
  }

  bool closeLine(Frame& frame) {
    Coordinates& c = frame.coordinates;
    if (c.positionDepth != 2 || c.rings.size() != 1) return fail("a LineString without a list of positions");
    drawings_.push_back({std::move(c.rings), true, {}, 0, features_});
    return true;
  }

  bool closeFeature(Frame& frame) {
    const Properties& properties = frame.properties;
    const Placement& placement = properties.placement;
    if (placement.role == Role::kRegion && placement.label.empty()) return fail("a region without a \"label\"");
    if (placement.role == Role::kConnection && !properties.to)
      return fail("a connection without \"to\", the other layer");
    LayerFacts& layer = layerOf(placement.layer);
    if (properties.height) {
      if (layer.height && *layer.height != *properties.height) {
        return fail(
            fmt::format("layer {} has two heights, {:g} m and {:g} m", layer.id, *layer.height, *properties.height));
      }
      layer.height = properties.height;
    }
    if (properties.layerName) layer.name = *properties.layerName;
    for (size_t i = frame.firstDrawing; i < drawings_.size(); ++i) {
      drawings_[i].placement = placement;
      drawings_[i].to = properties.to.value_or(0);
      if (drawings_[i].line != (placement.role == Role::kConnection)) {
        return fail("a connection is a LineString, everything else a polygon");
      }
    }
    ++features_;
    return true;
  }

  LayerFacts& layerOf(int32_t id) {
    const auto [entry, isNew] = layerIndex_.try_emplace(id, layers_.size());
    if (isNew) layers_.push_back({id, "", std::nullopt, std::nullopt});
    return layers_[entry->second];
  }

  bool finish() {
    // Geometry outside of any feature belongs to layer 0.
    for (const Drawing& drawing : drawings_) {
      layerOf(drawing.placement.layer);
      if (drawing.line && drawing.placement.role != Role::kConnection) {
        features_ = drawing.feature;
        return fail("a LineString is not an area", ErrorCode::kUnsupported);
      }
    }
    if (layers_.empty()) layerOf(0);
    for (const LayerFacts& facts : layers_) {
      LayerDraft& layer = draft_.layers.emplace_back();
      layer.id = facts.id;
      layer.name = facts.name;
      layer.height = facts.height.value_or(0);
    }
    for (Drawing& drawing : drawings_) {
      if (!place(drawing)) return false;
    }
    return true;
  }

  bool place(Drawing& drawing) {
    const double scale = source_.settings.scale;
    for (std::vector<Vec2>& loop : drawing.loops) {
      for (Vec2& p : loop) {
        p = {p.x * scale, p.y * scale};
        if (const Result<Point> snapped = draft_.lattice.snap(p); !snapped.ok()) {
          features_ = drawing.feature;
          return fail(snapped.error().message, snapped.error().code);
        }
      }
    }
    const size_t index = layerIndex_.at(drawing.placement.layer);
    LayerDraft& layer = draft_.layers[index];
    switch (drawing.placement.role) {
      case Role::kWalkable:
        layer.walkable.push_back(std::move(drawing.loops));
        break;
      case Role::kObstacle:
        layer.obstacles.push_back(std::move(drawing.loops));
        break;
      case Role::kOpening:
        layer.openings.push_back(std::move(drawing.loops));
        break;
      case Role::kRegion:
        if (layers_[index].lastRegion != drawing.feature) layer.regions.push_back({drawing.placement.label, {}});
        layers_[index].lastRegion = drawing.feature;
        layer.regions.back().area.push_back(std::move(drawing.loops));
        break;
      case Role::kConnection:
        draft_.connections.push_back({layer.id, drawing.to, std::move(drawing.loops.front())});
        break;
    }
    return true;
  }

  const Source& source_;
  EnvironmentDraft draft_;
  Intake intake_;
  std::vector<Frame> frames_;
  size_t depth_ = 0;  // of the open array among the coordinates of the last frame; 0 elsewhere
  std::vector<Drawing> drawings_;
  size_t features_ = 0;  // complete so far, so the number of the current one
  std::vector<LayerFacts> layers_;
  std::map<int32_t, size_t> layerIndex_;
  std::optional<Error> error_;
};

}  // namespace

Result<EnvironmentDraft> readGeoJson(const Source& source) {
  return GeoJsonReader(source).read();
}

}  // namespace wend
