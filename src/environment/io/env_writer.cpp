#include <cmath>

#include <fmt/format.h>

#include "base/text_cursor.h"
#include "base/xml.h"
#include "environment/io/coordinate_text.h"
#include "environment/io/formats.h"

// Writing of ENV. The same environment gives the same bytes, and reading them gives the same environment.
namespace wend {
namespace {

class EnvWriter {
 public:
  explicit EnvWriter(const Environment& environment) : environment_(environment), text_(environment.lattice) {
    connectionsOf_.resize(environment.layers.size());
    for (uint32_t i = 0; i < environment.connections.size(); ++i) {
      connectionsOf_[environment.connections[i].layerA].push_back(i);
      connectionsOf_[environment.connections[i].layerB].push_back(i);
    }
  }

  std::string write() {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out_ += fmt::format("<environment version=\"1\" name=\"{}\" unit=\"{}\">\n", escapeXml(environment_.name),
                        shortest(environment_.lattice.unit));
    for (uint32_t i = 0; i < environment_.layers.size(); ++i) layer(i);
    if (environment_.truth) truth(*environment_.truth);
    out_ += "</environment>\n";
    return std::move(out_);
  }

 private:
  void points(const std::vector<Point>& line) {
    for (size_t i = 0; i < line.size(); ++i) {
      if (i > 0) out_ += ' ';
      text_.append(out_, line[i], ',');
    }
  }

  void polygons(const std::vector<Polygon>& area) {
    for (const Polygon& polygon : area) {
      if (polygon.holes.empty()) {
        out_ += "      <polygon>";
        points(polygon.outer);
        out_ += "</polygon>\n";
        continue;
      }
      out_ += "      <polygon>\n";
      ring(polygon.outer);
      for (const Ring& hole : polygon.holes) ring(hole);
      out_ += "      </polygon>\n";
    }
  }

  void ring(const Ring& ring) {
    out_ += "        <ring>";
    points(ring);
    out_ += "</ring>\n";
  }

  void layer(uint32_t index) {
    const Layer& layer = environment_.layers[index];
    out_ += fmt::format("  <layer id=\"{}\" name=\"{}\" height=\"{}\">\n", layer.id, escapeXml(layer.name),
                        shortest(layer.heights.base));
    out_ += "    <walkable>\n";
    polygons(layer.free);
    out_ += "    </walkable>\n";
    for (const Region& region : layer.regions) {
      out_ += fmt::format("    <region label=\"{}\">\n", escapeXml(region.label));
      polygons(region.area);
      out_ += "    </region>\n";
    }
    if (!layer.heights.flat()) surface(layer.heights);
    for (const uint32_t id : connectionsOf_[index]) {
      const Connection& connection = environment_.connections[id];
      const uint32_t other = connection.layerA == index ? connection.layerB : connection.layerA;
      out_ += fmt::format("    <connection to=\"{}\">", environment_.layers[other].id);
      points(connection.line);
      out_ += "</connection>\n";
    }
    out_ += "  </layer>\n";
  }

  void surface(const HeightField& heights) {
    out_ += "    <surface>\n";
    for (const std::array<uint32_t, 3>& triangle : heights.triangles) {
      out_ += "      <triangle>";
      for (size_t k = 0; k < 3; ++k) {
        if (k > 0) out_ += ' ';
        text_.append(out_, heights.points[triangle[k]], ',');
        out_ += ',';
        out_ += shortest(heights.z[triangle[k]]);
      }
      out_ += "</triangle>\n";
    }
    out_ += "    </surface>\n";
  }

  void truth(const Topology& truth) {
    out_ += fmt::format("  <truth area=\"{}\" doubled-area=\"{}\" components=\"{}\" boundaries=\"{}\" genus=\"{}\"/>\n",
                        shortest(environment_.lattice.area(truth.doubledArea)), toText(toInt128(truth.doubledArea)),
                        truth.components, truth.boundaries, truth.genus);
  }

  const Environment& environment_;
  CoordinateText text_;
  std::vector<std::vector<uint32_t>> connectionsOf_;  // per layer
  std::string out_;
};

}  // namespace

Result<std::string> formatEnv(const Environment& environment) {
  if (std::optional<Error> error = checkWritable(environment)) return *error;
  return EnvWriter(environment).write();
}

std::optional<Error> checkWritable(const Environment& environment) {
  const auto plain = [](std::string_view text, const char* what) -> std::optional<Error> {
    if (isPlainText(text)) return std::nullopt;
    return Error{ErrorCode::kUnsupported, fmt::format("{} '{}' cannot be written: names are UTF-8 without control "
                                                      "characters, at most {} bytes",
                                                      what, excerpt(text), kMaxNameBytes)};
  };
  if (!isUnit(environment.lattice.unit)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("a lattice unit of {:g} m; it must lie in [1e-6, 1]", environment.lattice.unit)};
  }
  if (auto error = plain(environment.name, "the name")) return error;
  for (const Connection& connection : environment.connections) {
    if (std::max(connection.layerA, connection.layerB) >= environment.layers.size()) {
      return Error{ErrorCode::kInvalidGeometry, "a connection names a layer that does not exist"};
    }
  }
  for (const Layer& layer : environment.layers) {
    if (auto error = plain(layer.name, "the layer name")) return error;
    for (const Region& region : layer.regions) {
      if (auto error = plain(region.label, "the label")) return error;
    }
    bool sound = std::isfinite(layer.heights.base) && layer.heights.z.size() == layer.heights.points.size();
    for (const double z : layer.heights.z) sound = sound && std::isfinite(z);
    for (const auto& triangle : layer.heights.triangles) {
      for (const uint32_t corner : triangle) sound = sound && corner < layer.heights.points.size();
    }
    if (!sound) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("the heights of layer {} are not finite or name points that do not exist", layer.id)};
    }
  }
  return std::nullopt;
}

}  // namespace wend
