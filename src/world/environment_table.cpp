#include "world/environment_table.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace wend {
namespace {

// --- Writing --------------------------------------------------------------------------------------------------------

flatbuffers::Offset<file::Area> writeArea(flatbuffers::FlatBufferBuilder& builder, const std::vector<Polygon>& area) {
  std::vector<Point> points;
  std::vector<uint32_t> ringBegin{0};
  std::vector<uint32_t> polygonBegin{0};
  const auto add = [&](const Ring& ring) {
    points.insert(points.end(), ring.begin(), ring.end());
    ringBegin.push_back(static_cast<uint32_t>(points.size()));
  };
  for (const Polygon& polygon : area) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
    polygonBegin.push_back(static_cast<uint32_t>(ringBegin.size() - 1));
  }
  return file::CreateArea(builder, structs<file::Point>(builder, std::span<const Point>(points)),
                          scalars(builder, std::span<const uint32_t>(ringBegin)),
                          scalars(builder, std::span<const uint32_t>(polygonBegin)));
}

flatbuffers::Offset<file::HeightField> writeHeights(flatbuffers::FlatBufferBuilder& builder, const HeightField& field) {
  return file::CreateHeightField(
      builder, field.base, structs<file::Point>(builder, std::span<const Point>(field.points)),
      scalars(builder, std::span<const double>(field.z)),
      structs<file::Triangle>(builder, std::span<const std::array<uint32_t, 3>>(field.triangles)));
}

flatbuffers::Offset<file::Layer> writeLayer(flatbuffers::FlatBufferBuilder& builder, const Layer& layer) {
  std::vector<flatbuffers::Offset<file::Region>> regions;
  for (const Region& region : layer.regions) {
    const auto area = writeArea(builder, region.area);
    regions.push_back(file::CreateRegion(builder, builder.CreateString(region.label), area));
  }
  const auto heights = writeHeights(builder, layer.heights);
  const auto free = writeArea(builder, layer.free);
  return file::CreateLayer(builder, layer.id, builder.CreateString(layer.name), heights, free,
                           builder.CreateVector(regions));
}

// --- Reading --------------------------------------------------------------------------------------------------------

Error wrong(std::string sentence) {
  return {ErrorCode::kFormat, std::move(sentence)};
}

template <typename T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

bool onLattice(std::span<const Point> points) {
  for (const Point p : points) {
    if (p.x < -kMaxCoordinate || p.x > kMaxCoordinate || p.y < -kMaxCoordinate || p.y > kMaxCoordinate) return false;
  }
  return true;
}

// Whether offsets begin at 0, rise strictly and end at `end`.
bool areOffsets(std::span<const uint32_t> begin, size_t end) {
  if (begin.empty()) return end == 0;
  for (size_t i = 1; i < begin.size(); ++i) {
    if (begin[i] <= begin[i - 1]) return false;
  }
  return begin.front() == 0 && begin.back() == end;
}

Result<std::vector<Polygon>> readArea(const file::Area* table, TableReading& reading) {
  if (table == nullptr) return wrong("an area is missing");
  const std::span<const Point> points = view<Point>(table->points(), reading);
  const std::span<const uint32_t> ringBegin = view<uint32_t>(table->ring_begin(), reading);
  const std::span<const uint32_t> polygonBegin = view<uint32_t>(table->polygon_begin(), reading);
  const size_t rings = ringBegin.empty() ? 0 : ringBegin.size() - 1;
  if (!areOffsets(ringBegin, points.size()) || !areOffsets(polygonBegin, rings)) {
    return wrong("the offsets of an area are not in order");
  }
  if (!onLattice(points)) return wrong("a corner of an area lies beyond the lattice");
  std::vector<Polygon> area;
  const auto ring = [&](uint32_t i) { return Ring(points.begin() + ringBegin[i], points.begin() + ringBegin[i + 1]); };
  for (size_t i = 0; i + 1 < polygonBegin.size(); ++i) {
    Polygon& polygon = area.emplace_back();
    polygon.outer = ring(polygonBegin[i]);
    for (uint32_t k = polygonBegin[i] + 1; k < polygonBegin[i + 1]; ++k) polygon.holes.push_back(ring(k));
  }
  return area;
}

Result<HeightField> readHeights(const file::HeightField* table, TableReading& reading) {
  HeightField field;
  if (table == nullptr) return field;
  field.base = table->base();
  field.points = copy(view<Point>(table->points(), reading));
  field.z = copy(view<double>(table->z(), reading));
  field.triangles = copy(view<std::array<uint32_t, 3>>(table->triangles(), reading));
  if (field.z.size() != field.points.size()) return wrong("a height field has not one height per point");
  if (!onLattice(field.points)) return wrong("a point of a height field lies beyond the lattice");
  bool finite = std::isfinite(field.base);
  for (const double z : field.z) finite = finite && std::isfinite(z);
  if (!finite) return wrong("a height is not finite");
  for (const std::array<uint32_t, 3>& triangle : field.triangles) {
    for (const uint32_t corner : triangle) {
      if (corner >= field.points.size()) return wrong("a triangle of a height field names a point that is not there");
    }
  }
  return field;
}

Result<Layer> readLayer(const file::Layer& table, TableReading& reading) {
  Layer layer;
  layer.id = table.id();
  layer.name = text(table.name(), reading);
  Result<std::vector<Polygon>> free = readArea(table.free(), reading);
  if (!free.ok()) return free.error();
  layer.free = *std::move(free);
  Result<HeightField> heights = readHeights(table.heights(), reading);
  if (!heights.ok()) return heights.error();
  layer.heights = *std::move(heights);
  if (table.regions() == nullptr) return layer;
  for (const file::Region* entry : *table.regions()) {
    if (!reading.takeTable()) break;
    Result<std::vector<Polygon>> area = readArea(entry->area(), reading);
    if (!area.ok()) return area.error();
    layer.regions.push_back({text(entry->label(), reading), *std::move(area)});
  }
  return layer;
}

Result<Connection> readConnection(const file::Connection& table, size_t layers, TableReading& reading) {
  Connection connection{table.layer_a(), table.layer_b(), copy(view<Point>(table.line(), reading))};
  if (connection.layerA >= layers || connection.layerB >= layers) {
    return wrong(
        fmt::format("a connection joins layers {} and {} of {}", connection.layerA, connection.layerB, layers));
  }
  if (!onLattice(connection.line)) return wrong("a point of a connection lies beyond the lattice");
  return connection;
}

}  // namespace

std::string text(const flatbuffers::String* string, TableReading& reading) {
  if (string == nullptr || !reading.take(string->size())) return {};
  return {string->c_str(), string->size()};
}

flatbuffers::Offset<file::Topology> writeTopology(flatbuffers::FlatBufferBuilder& builder, const Topology& topology) {
  const DoubledArea area = topology.doubledArea;
  return file::CreateTopology(builder, area.low, static_cast<uint64_t>(area.high), topology.components,
                              topology.boundaries, topology.genus);
}

Topology readTopology(const file::Topology& table) {
  Topology topology;
  topology.doubledArea = {static_cast<int64_t>(table.doubled_area_high()), table.doubled_area_low()};
  topology.components = table.components();
  topology.boundaries = table.boundaries();
  topology.genus = table.genus();
  return topology;
}

flatbuffers::Offset<file::Environment> writeEnvironmentTable(flatbuffers::FlatBufferBuilder& builder,
                                                             const Environment& environment) {
  std::vector<flatbuffers::Offset<file::Layer>> layers;
  for (const Layer& layer : environment.layers) layers.push_back(writeLayer(builder, layer));
  std::vector<flatbuffers::Offset<file::Connection>> connections;
  for (const Connection& connection : environment.connections) {
    const auto line = structs<file::Point>(builder, std::span<const Point>(connection.line));
    connections.push_back(file::CreateConnection(builder, connection.layerA, connection.layerB, line));
  }
  flatbuffers::Offset<file::Topology> truth;
  if (environment.truth) truth = writeTopology(builder, *environment.truth);
  return file::CreateEnvironment(builder, builder.CreateString(environment.name), builder.CreateVector(layers),
                                 builder.CreateVector(connections), truth);
}

Result<Environment> readEnvironmentTable(const file::Environment& table, const Lattice& lattice,
                                         TableReading& reading) {
  Environment environment;
  environment.lattice = lattice;
  environment.name = text(table.name(), reading);
  if (!(lattice.unit >= 1e-6 && lattice.unit <= 1)) {
    return wrong(fmt::format("the lattice unit is {} m, outside 1e-6 to 1", lattice.unit));
  }
  if (table.layers() != nullptr) {
    for (const file::Layer* entry : *table.layers()) {
      if (!reading.takeTable()) break;
      Result<Layer> layer = readLayer(*entry, reading);
      if (!layer.ok()) return layer.error();
      environment.layers.push_back(*std::move(layer));
    }
  }
  if (table.connections() != nullptr) {
    for (const file::Connection* entry : *table.connections()) {
      if (!reading.takeTable()) break;
      Result<Connection> connection = readConnection(*entry, environment.layers.size(), reading);
      if (!connection.ok()) return connection.error();
      environment.connections.push_back(*std::move(connection));
    }
  }
  if (table.truth() != nullptr) environment.truth = readTopology(*table.truth());
  if (!reading.isSound()) return wrong(std::string(reading.fault()));
  return environment;
}

size_t bytesOf(const Environment& environment) {
  constexpr size_t kTable = 256;
  const auto areaBytes = [](const std::vector<Polygon>& area) {
    size_t bytes = kTable;
    for (const Polygon& polygon : area) {
      bytes += polygon.outer.size() * sizeof(Point) + 16;
      for (const Ring& hole : polygon.holes) bytes += hole.size() * sizeof(Point) + 8;
    }
    return bytes;
  };
  size_t bytes = kTable + environment.name.size();
  for (const Layer& layer : environment.layers) {
    bytes += kTable + layer.name.size() + areaBytes(layer.free);
    const HeightField& heights = layer.heights;
    bytes += heights.points.size() * (sizeof(Point) + sizeof(double)) + heights.triangles.size() * 12;
    for (const Region& region : layer.regions) bytes += kTable + region.label.size() + areaBytes(region.area);
  }
  for (const Connection& connection : environment.connections) {
    bytes += kTable + connection.line.size() * sizeof(Point);
  }
  return bytes;
}

}  // namespace wend
