#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <wend/environment.h>

#include "mesh/weld.h"

// Sides of cells cut into pieces, each with at most one opposite piece.
namespace wend {

// A piece of a cell's side between two positions of a Welding. Pieces lie in the order of the cells, and around each
// cell in the order of its loop.
struct SidePiece {
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t domain = 0;  // the layer, or the number of layers plus the connection it lies on; kNone for a known wall
  uint32_t cell = 0;
  uint32_t twin = kNone;

  bool isLoose() const { return twin == kNone && domain != kNone; }
};

// A place where a piece must be cut.
struct Cut {
  uint32_t piece = 0;
  uint32_t position = 0;
  double along = 0;  // grows from the piece's start to its end
};

// A boundary edge of a layer that lies on a connection, in the direction of that layer's boundary walk.
struct ConnectionEdge {
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t layer = 0;
  uint32_t domain = 0;
};

// Two pieces of one domain that run in the same direction over the same ground: their cells overlap.
struct SameWay {
  uint32_t piece = 0;
  uint32_t other = 0;
};

// The pieces without an opposite piece, in their order: in most meshes, a few. All functions below work on these.
std::vector<uint32_t> looseOf(std::span<const SidePiece> pieces);

// Makes twins of the loose pieces that join the same positions in opposite directions within a domain. Where
// several run in one direction, they are paired in their order and the first two are returned. Expected O(n).
std::optional<SameWay> pairOpposite(std::span<SidePiece> pieces, std::span<const uint32_t> loose);

// Gives every loose piece that equals an edge of a connection the edge's domain.
void enterConnections(std::span<SidePiece> pieces, std::span<const uint32_t> loose,
                      std::span<const ConnectionEdge> connectionEdges, size_t positions);

// Replaces each piece by its parts; equal cuts count once. O(pieces + cuts log cuts).
void applyCuts(std::vector<SidePiece>& pieces, std::vector<Cut> cuts);

}  // namespace wend
