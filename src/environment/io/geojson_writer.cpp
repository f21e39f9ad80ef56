#include <fmt/format.h>

#include "environment/io/coordinate_text.h"
#include "environment/io/formats.h"

// Writing of GeoJSON: one feature per layer with all of its free space, one per region, one line per connection. Rings
// are simple, closed, and turn as RFC 7946 asks.
namespace wend {
namespace {

std::string jsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

class GeoJsonWriter {
 public:
  explicit GeoJsonWriter(const Environment& environment) : environment_(environment), text_(environment.lattice) {}

  std::string write() {
    out_ += fmt::format("{{\"type\":\"FeatureCollection\",\"name\":{},\"unit\":{},\"features\":[",
                        jsonText(environment_.name), shortest(environment_.lattice.unit));
    for (const Layer& layer : environment_.layers) {
      beginFeature();
      out_ += fmt::format("\"layer\":{},\"layerName\":{},\"role\":\"walkable\",\"height\":{}}}", layer.id,
                          jsonText(layer.name), shortest(layer.heights.base));
      polygons(layer.free);
    }
    for (const Layer& layer : environment_.layers) {
      for (const Region& region : layer.regions) {
        beginFeature();
        out_ += fmt::format("\"layer\":{},\"role\":\"region\",\"label\":{}}}", layer.id, jsonText(region.label));
        polygons(region.area);
      }
    }
    for (const Connection& connection : environment_.connections) {
      beginFeature();
      out_ += fmt::format(
          "\"layer\":{},\"role\":\"connection\",\"to\":{}}},\"geometry\":{{\"type\":\"LineString\",\"coordinates\":[",
          environment_.layers[connection.layerA].id, environment_.layers[connection.layerB].id);
      for (size_t i = 0; i < connection.line.size(); ++i) position(connection.line[i], i > 0);
      out_ += "]}}";
    }
    out_ += "\n]}\n";
    return std::move(out_);
  }

 private:
  void beginFeature() {
    out_ += first_ ? "\n" : ",\n";
    first_ = false;
    out_ += "{\"type\":\"Feature\",\"properties\":{";
  }

  void position(Point p, bool comma) {
    out_ += comma ? ",[" : "[";
    text_.append(out_, p, ',');
    out_ += ']';
  }

  void ring(const Ring& ring) {
    out_ += '[';
    for (size_t i = 0; i <= ring.size(); ++i) position(ring[i == ring.size() ? 0 : i], i > 0);
    out_ += ']';
  }

  void polygons(const std::vector<Polygon>& area) {
    out_ += ",\"geometry\":{\"type\":\"MultiPolygon\",\"coordinates\":[";
    for (size_t i = 0; i < area.size(); ++i) {
      out_ += i > 0 ? ",\n[" : "[";
      const SimpleRings rings = simpleRings(area[i]);
      ring(rings.outer);
      for (const Ring& hole : rings.holes) {
        out_ += ',';
        ring(hole);
      }
      out_ += ']';
    }
    out_ += "]}}";
  }

  const Environment& environment_;
  CoordinateText text_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

Result<std::string> formatGeoJson(const Environment& environment) {
  if (std::optional<Error> error = checkWritable(environment)) return *error;
  for (const Layer& layer : environment.layers) {
    if (!layer.heights.flat()) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("GeoJSON holds no height field, but layer {} has one; write .env instead", layer.id)};
    }
  }
  return GeoJsonWriter(environment).write();
}

}  // namespace wend
