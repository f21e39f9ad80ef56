#pragma once

#include <cstdint>
#include <vector>

#include <wend/lattice.h>

#include "generators/ecm/diagram.h"

// The influence zone of an obstacle that is about to vanish, and the diagram that takes its place.
namespace wend::ecm {

// The zone is what lies nearest to the obstacle: the cells of both faces of a closed connection segment, or the cell of
// a bare point. It is a disk that does not overlap itself in top view. Outside of it nothing changes (lemma 5.2).
//
// `labels` are the sites across its outline, counter-clockwise; each is the nearest one along a part of the outline,
// which may be a single point. Gap k, between label k and the next one, is where their common edge enters the zone.
struct Zone {
  struct Gap {
    uint32_t vertex = kNone;
    uint32_t in = kNone;  // half-edge that arrives in the vertex, label k on its left; kNone in a corner
  };
  Point a;  // the segment a -> b, faceA on its left; a == b for a point
  Point b;
  uint32_t faceA = kNone;  // sites
  uint32_t faceB = kNone;  // kNone for a point
  std::vector<uint32_t> labels;
  std::vector<Gap> gaps;

  bool isPoint() const { return a == b; }
};

// faceA: a segment's face, or a bare point. For a segment, faceB is its other face.
// O(m).
Zone collectZone(const Diagram& diagram, uint32_t faceA, uint32_t faceB);

// The new diagram inside the zone: a tree whose leaves are the gaps. Half-edges 2 k and 2 k + 1 are twins; edge k of
// the first gaps.size() ones leaves gap k, label k on its left.
struct ZoneTree {
  struct Vertex {
    Vec2 p;  // lattice units
    double clearance = 0;
    bool joint = false;  // a point of an edge, no vertex
  };
  struct HalfEdge {
    uint32_t start = kNone;  // gap, or gaps.size() + vertex
    uint32_t label = kNone;  // on its left
    uint32_t next = kNone;   // with the same label on its left; kNone into a gap
  };
  std::vector<Vertex> vertices;
  std::vector<HalfEdge> edges;
};

}  // namespace wend::ecm
