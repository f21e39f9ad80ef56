#include <algorithm>
#include <initializer_list>
#include <set>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "base/text_cursor.h"
#include "environment/io/coordinate_text.h"
#include "environment/io/env_connections.h"
#include "environment/io/formats.h"
#include "geometry/int128.h"

// ENV, the XML of wend; docs/formats.md gives the schema. Whatever the schema does not know is an error: a misspelled
// <obstacle> must not vanish.
namespace wend {
namespace {

constexpr size_t kMaxTags = 20'000'000;  // tags and attributes; bounds the document tree to about 1.5 GB
constexpr std::string_view kVersion = "1";

class EnvReader {
 public:
  explicit EnvReader(const Source& source)
      : source_(source), draft_(emptyDraft(source)), intake_(source, draft_.lattice, 1) {}

  Result<EnvironmentDraft> read() {
    if (!parse() || !environment(document_.document_element())) return std::move(*error_);
    Result<std::vector<ConnectionDraft>> connections =
        pairConnections(connections_, draft_.layers, draft_.lattice, source_.name);
    if (!connections.ok()) return connections.error();
    draft_.connections = std::move(*connections);
    return std::move(draft_);
  }

 private:
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }
  // Nodes are asked for in the order of the text: counting goes on from the last one, so that all of them together cost
  // one pass over the file.
  size_t lineOf(const pugi::xml_node& node) {
    const auto offset = std::min(static_cast<size_t>(std::max<ptrdiff_t>(node.offset_debug(), 0)), source_.text.size());
    if (offset < countedTo_) {
      countedTo_ = 0;
      line_ = 1;
    }
    line_ += lineOfOffset(source_.text.substr(countedTo_), offset - countedTo_) - 1;
    countedTo_ = offset;
    return line_;
  }
  bool fail(const pugi::xml_node& node, std::string_view what, ErrorCode code = ErrorCode::kFormat) {
    return fail(errorAtLine(code, source_.name, lineOf(node), what));
  }

  bool parse() {
    const auto tags = static_cast<size_t>(std::count(source_.text.begin(), source_.text.end(), '<'));
    const auto attributes = static_cast<size_t>(std::count(source_.text.begin(), source_.text.end(), '='));
    if (std::max(tags, attributes) > kMaxTags) {
      return fail({ErrorCode::kLimit, fmt::format("'{}' has more than {} tags", source_.name, kMaxTags)});
    }
    // Document types are read only to be refused: they could define entities.
    const unsigned int flags = pugi::parse_default | pugi::parse_doctype;
    const pugi::xml_parse_result result =
        document_.load_buffer(source_.text.data(), source_.text.size(), flags, pugi::encoding_utf8);
    if (result.status == pugi::status_out_of_memory) {
      return fail({ErrorCode::kLimit, fmt::format("'{}': not enough memory", source_.name)});
    }
    if (!result) {
      const size_t line = lineOfOffset(source_.text, static_cast<size_t>(std::max<ptrdiff_t>(result.offset, 0)));
      return fail(
          errorAtLine(ErrorCode::kFormat, source_.name, line, fmt::format("no valid XML: {}", result.description())));
    }
    for (const pugi::xml_node node : document_.children()) {
      if (node.type() == pugi::node_doctype)
        return fail(node, "a document type (<!DOCTYPE>) is not accepted; remove it");
      if (node.type() == pugi::node_element && node != document_.document_element()) {
        return fail(node, "a second root element");
      }
    }
    return true;
  }

  // --- Attributes and children ---------------------------------------------------------------------------------------

  bool knownAttributes(const pugi::xml_node& node, std::initializer_list<std::string_view> known) {
    std::set<std::string_view> seen;
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        return fail(node, fmt::format("<{}> has no attribute '{}'", node.name(), excerpt(name)));
      }
      if (!seen.insert(name).second) return fail(node, fmt::format("attribute '{}' is given twice", name));
    }
    return true;
  }

  bool text(const pugi::xml_node& node, const char* name, std::string& value) {
    value = node.attribute(name).value();
    if (isPlainText(value)) return true;
    return fail(node, fmt::format("attribute '{}' must be UTF-8 without control characters, at most {} bytes", name,
                                  kMaxNameBytes));
  }

  bool integer(const pugi::xml_node& node, const char* name, int64_t least, int64_t most, int64_t& value) {
    const std::string_view raw = node.attribute(name).value();
    const std::optional<int64_t> read = wholeInteger(raw);
    if (!read || *read < least || *read > most) {
      return fail(node, fmt::format("<{}> needs an attribute '{}' with an integer from {} to {}, but has '{}'",
                                    node.name(), name, least, most, excerpt(raw)));
    }
    value = *read;
    return true;
  }

  bool number(const pugi::xml_node& node, const char* name, double& value) {
    const std::string_view raw = node.attribute(name).value();
    const std::optional<double> read = wholeNumber(raw);
    if (!read) {
      return fail(node, fmt::format("attribute '{}' of <{}> must be a finite number, but is '{}'", name, node.name(),
                                    excerpt(raw)));
    }
    value = *read;
    return true;
  }

  // Calls body for every child element; text between them is an error.
  template <typename Body>
  bool elements(const pugi::xml_node& parent, Body body) {
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() != pugi::node_element) {
        return fail(TextCursor(child.value(), source_.name, lineOf(child)).expected("an element instead of text"));
      }
      if (!body(child, std::string_view(child.name()))) return false;
    }
    return true;
  }

  bool unknown(const pugi::xml_node& parent, const pugi::xml_node& child, std::string_view known) {
    return fail(
        child, fmt::format("<{}> is unknown inside <{}>; it may hold {}", excerpt(child.name()), parent.name(), known));
  }

  // --- Points --------------------------------------------------------------------------------------------------------

  // "x,y x,y ..." or, with dimensions 3, "x,y,z ..."; optionalZ allows both. Calls sink(place, z) for each.
  template <typename Sink>
  bool points(const pugi::xml_node& node, bool zAllowed, bool zNeeded, Sink sink) {
    for (const pugi::xml_node part : node.children()) {
      if (part.type() == pugi::node_element) {
        return fail(part, fmt::format("<{}> inside <{}>, which holds points only", excerpt(part.name()), node.name()));
      }
      TextCursor cursor(part.value(), source_.name, lineOf(part));
      cursor.skipSpace();
      while (!cursor.atEnd()) {
        const TextCursor here = cursor;
        const std::optional<double> x = cursor.number();
        if (!x) return fail(here.expected("a number"));
        if (!cursor.take(',')) return fail(cursor.expected("',' between x and y"));
        const std::optional<double> y = cursor.number();
        if (!y) return fail(cursor.expected("a number after ','"));
        std::optional<double> z;
        if (zAllowed && cursor.take(',')) {
          z = cursor.number();
          if (!z) return fail(cursor.expected("a number after ','"));
        }
        if (zNeeded && !z) return fail(cursor.expected("',' and a height"));
        const Result<Vec2> place = intake_.accept({*x, *y});
        if (!place.ok()) return fail(here.error(place.error().code, place.error().message));
        sink(*place, z);
        cursor.skipSpace();
      }
    }
    return true;
  }

  bool loop(const pugi::xml_node& node, Loops& loops) {
    std::vector<Vec2>& loop = loops.emplace_back();
    if (!points(node, false, false, [&](Vec2 place, std::optional<double>) { loop.push_back(place); })) return false;
    if (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    if (loop.size() < 3) return fail(node, fmt::format("<{}> with fewer than three points", node.name()));
    return true;
  }

  bool polygon(const pugi::xml_node& node, std::vector<Loops>& area) {
    if (!knownAttributes(node, {})) return false;
    Loops loops;
    if (!node.child("ring")) {
      if (!loop(node, loops)) return false;
    } else {
      const bool read = elements(node, [&](const pugi::xml_node& child, std::string_view name) {
        if (name != "ring") return unknown(node, child, "points, or <ring> elements");
        return knownAttributes(child, {}) && loop(child, loops);
      });
      if (!read) return false;
    }
    area.push_back(std::move(loops));
    return true;
  }

  bool polygons(const pugi::xml_node& node, std::vector<Loops>& area) {
    return elements(node, [&](const pugi::xml_node& child, std::string_view name) {
      return name == "polygon" ? polygon(child, area) : unknown(node, child, "<polygon>");
    });
  }

  // "x,y" is a post, "x,y x,y ..." a fence along these points.
  bool fence(const pugi::xml_node& node, std::vector<Loops>& obstacles) {
    std::vector<Vec2> line;
    if (!knownAttributes(node, {})) return false;
    if (!points(node, false, false, [&](Vec2 place, std::optional<double>) { line.push_back(place); })) return false;
    if (line.empty()) return fail(node, "<fence> without a point");
    if (line.size() == 1) obstacles.push_back({line});
    for (size_t i = 0; i + 1 < line.size(); ++i) obstacles.push_back({{line[i], line[i + 1]}});
    return true;
  }

  bool obstacles(const pugi::xml_node& node, std::vector<Loops>& area) {
    return elements(node, [&](const pugi::xml_node& child, std::string_view name) {
      if (name == "fence") return fence(child, area);
      return name == "polygon" ? polygon(child, area) : unknown(node, child, "<polygon> and <fence>");
    });
  }

  // --- Elements ------------------------------------------------------------------------------------------------------

  bool environment(const pugi::xml_node& root) {
    if (std::string_view(root.name()) != "environment") {
      return fail(root, fmt::format("the root element is <{}>; an ENV file has <environment version=\"1\">",
                                    excerpt(root.name())));
    }
    if (!knownAttributes(root, {"version", "name", "unit"})) return false;
    if (root.attribute("version").value() != kVersion) {
      return fail(root,
                  fmt::format("version '{}' of ENV; this wend reads version=\"{}\"",
                              excerpt(root.attribute("version").value()), kVersion),
                  ErrorCode::kUnsupported);
    }
    if (root.attribute("name") && !text(root, "name", draft_.name)) return false;
    if (root.attribute("unit")) {
      if (!number(root, "unit", draft_.lattice.unit)) return false;
      if (!isUnit(draft_.lattice.unit)) return fail(root, "attribute 'unit' must lie between 0.000001 and 1 metre");
      intake_ = Intake(source_, draft_.lattice, 1);
    }
    return elements(root, [&](const pugi::xml_node& child, std::string_view name) {
      if (name == "layer") return layer(child);
      if (name == "truth") return truth(child);
      return unknown(root, child, "<layer> and <truth>");
    });
  }

  bool layer(const pugi::xml_node& node) {
    if (!knownAttributes(node, {"id", "name", "height"})) return false;
    LayerDraft layer;
    int64_t id = 0;
    if (!integer(node, "id", INT32_MIN, INT32_MAX, id)) return false;
    layer.id = static_cast<int32_t>(id);
    if (!ids_.insert(layer.id).second) return fail(node, fmt::format("a second layer with id {}", layer.id));
    if (node.attribute("name") && !text(node, "name", layer.name)) return false;
    if (node.attribute("height") && !number(node, "height", layer.height)) return false;
    const bool read = elements(node, [&](const pugi::xml_node& child, std::string_view name) {
      if (name == "walkable") return knownAttributes(child, {}) && polygons(child, layer.walkable);
      if (name == "obstacles") return knownAttributes(child, {}) && obstacles(child, layer.obstacles);
      if (name == "openings") return knownAttributes(child, {}) && polygons(child, layer.openings);
      if (name == "region") return region(child, layer);
      if (name == "surface") return surface(child, layer);
      if (name == "connection") return connection(child, layer.id);
      return unknown(node, child, "<walkable>, <obstacles>, <openings>, <region>, <surface> and <connection>");
    });
    if (!read) return false;
    draft_.layers.push_back(std::move(layer));
    return true;
  }

  bool region(const pugi::xml_node& node, LayerDraft& layer) {
    if (!knownAttributes(node, {"label"})) return false;
    RegionDraft region;
    if (!text(node, "label", region.label)) return false;
    if (region.label.empty()) return fail(node, "<region> needs an attribute 'label'");
    if (!polygons(node, region.area)) return false;
    layer.regions.push_back(std::move(region));
    return true;
  }

  bool surface(const pugi::xml_node& node, LayerDraft& layer) {
    if (!knownAttributes(node, {})) return false;
    return elements(node, [&](const pugi::xml_node& child, std::string_view name) {
      if (name != "triangle") return unknown(node, child, "<triangle>");
      if (!knownAttributes(child, {})) return false;
      std::vector<Vec3> corners;
      const auto add = [&](Vec2 place, std::optional<double> z) { corners.push_back({place.x, place.y, *z}); };
      if (!points(child, true, true, add)) return false;
      if (corners.size() != 3) return fail(child, fmt::format("<triangle> with {} points", corners.size()));
      layer.surface.push_back({corners[0], corners[1], corners[2]});
      return true;
    });
  }

  bool connection(const pugi::xml_node& node, int32_t from) {
    if (!knownAttributes(node, {"to"})) return false;
    ListedConnection listed;
    int64_t to = 0;
    if (!integer(node, "to", INT32_MIN, INT32_MAX, to)) return false;
    listed.layer = from;
    listed.to = static_cast<int32_t>(to);
    listed.sourceLine = lineOf(node);
    const auto add = [&](Vec2 place, std::optional<double> z) {
      listed.points.push_back(place);
      listed.heights.push_back(z);
    };
    if (!points(node, true, false, add)) return false;
    if (listed.points.size() < 2) return fail(node, "<connection> with fewer than two points");
    connections_.push_back(std::move(listed));
    return true;
  }

  bool truth(const pugi::xml_node& node) {
    if (!knownAttributes(node, {"area", "doubled-area", "components", "boundaries", "genus"})) return false;
    if (draft_.truth) return fail(node, "a second <truth>");
    double area = 0;
    if (node.attribute("area") && !number(node, "area", area)) return false;
    const std::optional<Int128> doubled = int128FromText(node.attribute("doubled-area").value());
    if (!doubled || *doubled < 0) {
      return fail(node, "<truth> needs an attribute 'doubled-area': twice the area in lattice units, an integer");
    }
    int64_t components = 0;
    int64_t boundaries = 0;
    int64_t genus = 0;
    if (!integer(node, "components", 0, UINT32_MAX, components) ||
        !integer(node, "boundaries", 0, UINT32_MAX, boundaries) || !integer(node, "genus", 0, UINT32_MAX, genus)) {
      return false;
    }
    draft_.truth = Topology{toDoubledArea(*doubled), static_cast<uint32_t>(components),
                            static_cast<uint32_t>(boundaries), static_cast<uint32_t>(genus)};
    return elements(node,
                    [&](const pugi::xml_node& child, std::string_view) { return unknown(node, child, "nothing"); });
  }

  const Source& source_;
  pugi::xml_document document_;
  EnvironmentDraft draft_;
  Intake intake_;
  std::set<int32_t> ids_;
  std::vector<ListedConnection> connections_;
  size_t countedTo_ = 0;  // the newlines before this offset are counted in line_
  size_t line_ = 1;
  std::optional<Error> error_;
};

}  // namespace

Result<EnvironmentDraft> readEnv(const Source& source) {
  return EnvReader(source).read();
}

}  // namespace wend
