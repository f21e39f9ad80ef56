#pragma once

#include <vector>

#include <wend/result.h>

#include "generators/ecm/diagram.h"

// The diagram of one layer, before the layers are put together.
namespace wend::ecm {

// One visit of a walk at a vertex. Unless it is a bare point, a segment leads from it to the next visit.
struct Visit {
  Point p;
  uint32_t next = kNone;  // visit; kNone for a bare point
  uint32_t previous = kNone;
  uint32_t pointSite = kNone;    // ids in the diagram of all layers
  uint32_t segmentSite = kNone;  // kNone for a bare point
};

struct LayerWalks {
  std::vector<Visit> visits;
  bool repeated = false;  // a segment may be walked in both directions
};

struct LayerDiagram {
  std::vector<Diagram::Vertex> vertices;  // layer not set
  std::vector<Diagram::HalfEdge> edges;   // sites of the diagram of all layers, vertices and edges of this one
  // Per visit.
  std::vector<uint32_t> corner;
  std::vector<uint32_t> firstOfPoint;
  std::vector<uint32_t> firstOfSegment;
  int attempts = 1;
};

Result<LayerDiagram> buildLayerDiagram(const LayerWalks& walks, const Context& context);

}  // namespace wend::ecm
