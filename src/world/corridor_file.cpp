#include "world/corridor_file.h"

namespace wend {
namespace {

file::Vec2 toFile(Vec2 p) {
  return {p.x, p.y};
}
file::Point toFile(Point p) {
  return {p.x, p.y};
}
Vec2 fromFile(const file::Vec2& p) {
  return {p.x(), p.y()};
}
Point fromFile(const file::Point& p) {
  return {p.x(), p.y()};
}

file::CorridorSite toFile(const CorridorMap::Site& site) {
  return {toFile(site.a), toFile(site.b), site.layer, static_cast<uint32_t>(site.kind)};
}
file::CorridorVertex toFile(const CorridorMap::Vertex& vertex) {
  return {toFile(vertex.p), vertex.clearance, vertex.layer, vertex.firstOut, vertex.degree};
}
file::CorridorEdge toFile(const CorridorMap::Edge& edge) {
  return {edge.length, edge.minClearance, edge.from, edge.to, edge.first, edge.count};
}
file::BendingPoint toFile(const CorridorMap::BendingPoint& bp) {
  return {toFile(bp.p), toFile(bp.l), toFile(bp.r), bp.clearance, bp.layer, bp.layerL, bp.layerR};
}
file::CorridorArc toFile(const CorridorMap::Arc& arc) {
  return {arc.minClearance, arc.length, arc.left, arc.right};
}

CorridorMap::Site fromFile(const file::CorridorSite& site) {
  // Any other number is no kind of site, and found out by the check.
  const auto kind = site.segment() > 1 ? uint8_t{2} : static_cast<uint8_t>(site.segment());
  return {fromFile(site.a()), fromFile(site.b()), static_cast<CorridorMap::SiteKind>(kind), site.layer()};
}
CorridorMap::Vertex fromFile(const file::CorridorVertex& vertex) {
  return {fromFile(vertex.p()), vertex.clearance(), vertex.layer(), vertex.first_out(), vertex.degree()};
}
CorridorMap::Edge fromFile(const file::CorridorEdge& edge) {
  return {edge.from(), edge.to(), edge.first(), edge.count(), edge.length(), edge.min_clearance()};
}
CorridorMap::BendingPoint fromFile(const file::BendingPoint& bp) {
  return {fromFile(bp.p()), fromFile(bp.l()), fromFile(bp.r()), bp.clearance(), bp.layer(), bp.layer_l(), bp.layer_r()};
}
CorridorMap::Arc fromFile(const file::CorridorArc& arc) {
  return {arc.left(), arc.right(), arc.min_clearance(), arc.length()};
}

template <typename Target, typename Source>
flatbuffers::Offset<flatbuffers::Vector<const Target*>> convertedStructs(flatbuffers::FlatBufferBuilder& builder,
                                                                         const std::vector<Source>& values) {
  std::vector<Target> converted;
  converted.reserve(values.size());
  for (const Source& value : values) converted.push_back(toFile(value));
  return builder.CreateVectorOfStructs(converted);
}

template <typename Target, typename Source>
void read(std::vector<Target>& out, const flatbuffers::Vector<const Source*>* values, TableReading& reading) {
  if (values == nullptr || values->size() == 0) return;  // FlatBuffers does not align what is empty
  if (reinterpret_cast<uintptr_t>(values->Data()) % alignof(Source) != 0) {
    reading.foundUnaligned();
    return;
  }
  if (!reading.take(values->size() * sizeof(Source))) return;
  out.reserve(values->size());
  for (const auto* value : *values) out.push_back(fromFile(*value));
}

void readIds(std::vector<uint32_t>& out, const flatbuffers::Vector<uint32_t>* values, TableReading& reading) {
  if (values != nullptr && reading.take(values->size() * sizeof(uint32_t))) out.assign(values->begin(), values->end());
}

}  // namespace

flatbuffers::Offset<file::CorridorMap> writeCorridorMap(flatbuffers::FlatBufferBuilder& builder,
                                                        const CorridorMap& map) {
  const auto sites = convertedStructs<file::CorridorSite>(builder, map.sites);
  const auto vertices = convertedStructs<file::CorridorVertex>(builder, map.vertices);
  const auto edges = convertedStructs<file::CorridorEdge>(builder, map.edges);
  const auto bendingPoints = convertedStructs<file::BendingPoint>(builder, map.bendingPoints);
  const auto arcs = convertedStructs<file::CorridorArc>(builder, map.arcs);
  const auto out = builder.CreateVector(map.out);
  const auto cellArc = builder.CreateVector(map.cellArc);
  return file::CreateCorridorMap(builder, sites, vertices, edges, bendingPoints, arcs, out, cellArc,
                                 map.voronoiAttempts, map.simpleOpenings, map.sweptOpenings);
}

CorridorMap readCorridorMap(const file::CorridorMap& table, const Lattice& lattice, TableReading& reading) {
  CorridorMap map;
  map.lattice = lattice;
  read(map.sites, table.sites(), reading);
  read(map.vertices, table.vertices(), reading);
  read(map.edges, table.edges(), reading);
  read(map.bendingPoints, table.bending_points(), reading);
  read(map.arcs, table.arcs(), reading);
  readIds(map.out, table.out(), reading);
  readIds(map.cellArc, table.cell_arc(), reading);
  map.voronoiAttempts = table.voronoi_attempts();
  map.simpleOpenings = table.simple_openings();
  map.sweptOpenings = table.swept_openings();
  return map;
}

}  // namespace wend
