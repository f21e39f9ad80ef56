#include <algorithm>

#include <fmt/format.h>

#include "base/text_cursor.h"
#include "environment/io/coordinate_text.h"
#include "environment/io/formats.h"

// Well-known text (OGC 06-103r4): polygons, multipolygons, and collections of them. Several geometries may follow each
// other. Each polygon is filled by the even-odd rule, and the free space is the union of all without the lines and
// points, which are fences and posts.
namespace wend {
namespace {

constexpr int kMaxCollections = 32;  // collections inside collections

std::string upper(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

class WktReader {
 public:
  explicit WktReader(const Source& source)
      : source_(source),
        cursor_(source.text, source.name),
        draft_(emptyDraft(source)),
        intake_(source, draft_.lattice, source.settings.scale) {
    draft_.layers.resize(1);
  }

  Result<EnvironmentDraft> read() {
    do {
      if (!geometry(0)) return std::move(*error_);
      cursor_.take(';');
      cursor_.skipSpace();
    } while (!cursor_.atEnd());
    if (extraNumbers_) source_.context.note(fmt::format("'{}': z and m coordinates are ignored", source_.name));
    return std::move(draft_);
  }

 private:
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  // EWKT's "SRID=4326;" stands before the geometry.
  bool skipReferenceSystem() {
    if (!cursor_.take('=') || !cursor_.integer() || !cursor_.take(';')) {
      return fail(cursor_.expected("a number and a semicolon after 'SRID='"));
    }
    source_.context.note(
        fmt::format("'{}': the reference system is ignored, coordinates are taken as planar", source_.name));
    return true;
  }

  bool geometry(int depth) {
    TextCursor here = cursor_;
    here.skipSpace();
    std::string tag = upper(cursor_.word());
    if (depth == 0 && tag == "SRID") {
      if (!skipReferenceSystem()) return false;
      here = cursor_;
      here.skipSpace();
      tag = upper(cursor_.word());
    }
    for (const char* const suffix : {"ZM", "Z", "M"}) {
      for (const char* const known :
           {"POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION", "POINT", "MULTIPOINT", "LINESTRING", "MULTILINESTRING"}) {
        if (tag == std::string(known) + suffix) {
          tag.resize(tag.size() - std::string_view(suffix).size());
          break;
        }
      }
    }
    if (tag == "POLYGON") return body([this](int) { return polygon(); }, depth, false);
    if (tag == "MULTIPOLYGON") return body([this](int) { return polygon(); }, depth, true);
    if (tag == "LINESTRING" || tag == "POINT") return body([this](int) { return line(); }, depth, false);
    if (tag == "MULTILINESTRING") return body([this](int) { return line(); }, depth, true);
    if (tag == "MULTIPOINT") return body([this](int) { return postOfMany(); }, depth, true);
    if (tag == "GEOMETRYCOLLECTION") {
      if (depth == kMaxCollections) {
        return fail(
            here.error(ErrorCode::kLimit, fmt::format("collections are nested deeper than {}", kMaxCollections)));
      }
      return body([this](int next) { return geometry(next); }, depth, true);
    }
    if (tag.empty()) return fail(here.expected("POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION"));
    return fail(here.error(
        ErrorCode::kUnsupported,
        fmt::format(
            "'{}' is neither area, line nor point; wend reads POLYGON, LINESTRING, POINT, their MULTI forms and "
            "GEOMETRYCOLLECTION",
            excerpt(tag))));
  }

  // [Z | M | ZM] then EMPTY, or one item, or a list of items in parentheses.
  template <typename Item>
  bool body(Item item, int depth, bool list) {
    cursor_.skipSpace();
    if (cursor_.peek() != '(') {
      const TextCursor here = cursor_;
      std::string word = upper(cursor_.word());
      if (word == "Z" || word == "M" || word == "ZM") word = upper(cursor_.word());
      if (word == "EMPTY") return true;
      if (!word.empty()) return fail(here.expected("'(' or EMPTY"));
    }
    if (!list) return item(depth);
    if (!cursor_.take('(')) return fail(cursor_.expected("'(' or EMPTY"));
    do {
      if (!item(depth + 1)) return false;
    } while (cursor_.take(','));
    if (!cursor_.take(')')) return fail(cursor_.expected("',' or ')'"));
    return true;
  }

  bool polygon() {
    cursor_.skipSpace();
    if (cursor_.peek() != '(') {
      const TextCursor here = cursor_;
      if (upper(cursor_.word()) == "EMPTY") return true;
      return fail(here.expected("'(' or EMPTY"));
    }
    cursor_.take('(');
    Loops loops;
    do {
      if (!ring(loops.emplace_back())) return false;
    } while (cursor_.take(','));
    if (!cursor_.take(')')) return fail(cursor_.expected("',' or ')'"));
    draft_.layers[0].walkable.push_back(std::move(loops));
    return true;
  }

  // The points of a line, or one point, in parentheses: obstacles.
  bool line() {
    std::vector<Vec2> points;
    if (!cursor_.take('(')) return fail(cursor_.expected("'(' before the points of a line"));
    do {
      if (!point(points)) return false;
    } while (cursor_.take(','));
    if (!cursor_.take(')')) return fail(cursor_.expected("',' or ')'"));
    addFence(points);
    return true;
  }

  // Both "(1 2)" and "1 2" stand for a point of many.
  bool postOfMany() {
    cursor_.skipSpace();
    if (cursor_.peek() == '(') return line();
    std::vector<Vec2> points;
    if (!point(points)) return false;
    addFence(points);
    return true;
  }

  void addFence(const std::vector<Vec2>& points) {
    std::vector<Loops>& obstacles = draft_.layers[0].obstacles;
    if (points.size() == 1) obstacles.push_back({points});
    for (size_t i = 0; i + 1 < points.size(); ++i) obstacles.push_back({{points[i], points[i + 1]}});
  }

  bool ring(std::vector<Vec2>& loop) {
    TextCursor start = cursor_;
    start.skipSpace();
    if (!cursor_.take('(')) return fail(cursor_.expected("'(' before the points of a ring"));
    do {
      if (!point(loop)) return false;
    } while (cursor_.take(','));
    if (!cursor_.take(')')) return fail(cursor_.expected("',' or ')'"));
    if (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    if (loop.size() >= 3) return true;
    return fail(start.error(ErrorCode::kFormat, "a ring with fewer than three points"));
  }

  bool point(std::vector<Vec2>& loop) {
    const TextCursor here = cursor_;
    const std::optional<double> x = cursor_.number();
    const std::optional<double> y = x ? cursor_.number() : std::nullopt;
    if (!y) return fail(cursor_.expected("a coordinate"));
    for (int extra = 0; extra < 2 && cursor_.number(); ++extra) extraNumbers_ = true;
    const Result<Vec2> place = intake_.accept({*x, *y});
    if (!place.ok()) return fail(here.error(place.error().code, place.error().message));
    loop.push_back(*place);
    return true;
  }

  const Source& source_;
  TextCursor cursor_;
  EnvironmentDraft draft_;
  Intake intake_;
  bool extraNumbers_ = false;
  std::optional<Error> error_;
};

void appendRing(std::string& out, const CoordinateText& text, const Ring& ring) {
  out += '(';
  for (size_t i = 0; i <= ring.size(); ++i) {
    if (i > 0) out += ", ";
    text.append(out, ring[i == ring.size() ? 0 : i], ' ');
  }
  out += ')';
}

void appendPolygon(std::string& out, const CoordinateText& text, const Polygon& polygon) {
  const SimpleRings rings = simpleRings(polygon);
  out += '(';
  appendRing(out, text, rings.outer);
  for (const Ring& hole : rings.holes) {
    out += ", ";
    appendRing(out, text, hole);
  }
  out += ')';
}

}  // namespace

Result<EnvironmentDraft> readWkt(const Source& source) {
  return WktReader(source).read();
}

Result<std::vector<Loops>> parseWktPolygons(std::string_view text, std::string_view name, size_t maxVertices) {
  const ReadSettings settings{.unit = 1.0, .maxVertices = maxVertices};
  const Context silent;
  Result<EnvironmentDraft> draft = readWkt({text, name, settings, silent});
  if (!draft.ok()) return draft.error();
  if (!draft->layers[0].obstacles.empty()) {
    return Error{ErrorCode::kUnsupported, fmt::format("'{}' holds a line or point, which is not an area", name)};
  }
  return std::move(draft->layers[0].walkable);
}

Result<std::string> formatWkt(const Environment& environment) {
  if (environment.layers.size() != 1) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("WKT holds one layer, this world has {}; write .env or .geojson instead",
                             environment.layers.size())};
  }
  const Layer& layer = environment.layers.front();
  if (!layer.heights.flat() || layer.heights.base != 0 || !layer.regions.empty()) {
    return Error{ErrorCode::kUnsupported, "WKT holds neither heights nor labelled regions; write .env instead"};
  }
  if (layer.free.empty()) return std::string("MULTIPOLYGON EMPTY\n");
  const CoordinateText text(environment.lattice);
  std::string out;
  if (layer.free.size() == 1) {
    out = "POLYGON ";
    appendPolygon(out, text, layer.free.front());
  } else {
    out = "MULTIPOLYGON (";
    for (size_t i = 0; i < layer.free.size(); ++i) {
      if (i > 0) out += ",\n";
      appendPolygon(out, text, layer.free[i]);
    }
    out += ')';
  }
  out += '\n';
  return out;
}

}  // namespace wend
