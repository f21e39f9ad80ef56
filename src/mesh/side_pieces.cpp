#include "mesh/side_pieces.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace wend {
namespace {

// The same for both directions.
size_t hashOf(const SidePiece& piece) {
  const uint64_t ends = uint64_t{std::max(piece.a, piece.b)} << 32 | std::min(piece.a, piece.b);
  return (ends + piece.domain) * 0x9e3779b97f4a7c15ULL >> 32;
}

// The first two pieces that run the same way, of those with the smallest positions.
void keepFirst(std::optional<SameWay>& clash, SameWay found, std::span<const SidePiece> pieces) {
  const auto place = [&](SameWay way) {
    const SidePiece& piece = pieces[way.piece];
    const auto [low, high] = std::minmax(piece.a, piece.b);
    return std::tuple(low, high, piece.domain, piece.a > piece.b);
  };
  if (!clash || place(found) < place(*clash)) clash = found;
}

}  // namespace

std::vector<uint32_t> looseOf(std::span<const SidePiece> pieces) {
  std::vector<uint32_t> loose;
  loose.reserve(pieces.size());
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].isLoose()) loose.push_back(i);
  }
  return loose;
}

std::optional<SameWay> pairOpposite(std::span<SidePiece> pieces, std::span<const uint32_t> loose) {
  std::optional<SameWay> clash;
  // Pieces without an opposite piece so far; of the same ends and domain, in their order.
  const size_t mask = std::bit_ceil(loose.size() + loose.size() / 2 + 1) - 1;
  std::vector<uint32_t> waiting(mask + 1, kNone);
  for (const uint32_t i : loose) {
    SidePiece& piece = pieces[i];
    size_t slot = hashOf(piece) & mask;
    for (; waiting[slot] != kNone; slot = (slot + 1) & mask) {
      SidePiece& other = pieces[waiting[slot]];
      if (other.domain != piece.domain) continue;
      if (other.a == piece.b && other.b == piece.a) {
        if (other.twin == kNone) {
          piece.twin = waiting[slot];
          other.twin = i;
          break;
        }
        keepFirst(clash, {other.twin, i}, pieces);
      } else if (other.a == piece.a && other.b == piece.b) {
        keepFirst(clash, {waiting[slot], i}, pieces);
      }
    }
    if (piece.twin == kNone) waiting[slot] = i;
  }
  return clash;
}

void enterConnections(std::span<SidePiece> pieces, std::span<const uint32_t> loose,
                      std::span<const ConnectionEdge> connectionEdges, size_t positions) {
  if (connectionEdges.empty() || loose.empty()) return;
  const auto key = [](const ConnectionEdge& g) { return std::tie(g.a, g.b, g.layer); };
  std::vector<ConnectionEdge> sorted(connectionEdges.begin(), connectionEdges.end());
  std::sort(sorted.begin(), sorted.end(),
            [&](const ConnectionEdge& x, const ConnectionEdge& y) { return key(x) < key(y); });
  std::vector<uint8_t> startsEdge(positions, 0);
  for (const ConnectionEdge& edge : sorted) startsEdge[edge.a] = 1;
  for (const uint32_t i : loose) {
    SidePiece& piece = pieces[i];
    if (startsEdge[piece.a] == 0) continue;
    const ConnectionEdge wanted{piece.a, piece.b, piece.domain, 0};
    const auto found =
        std::lower_bound(sorted.begin(), sorted.end(), wanted,
                         [&](const ConnectionEdge& x, const ConnectionEdge& y) { return key(x) < key(y); });
    if (found != sorted.end() && key(*found) == key(wanted)) piece.domain = found->domain;
  }
}

void applyCuts(std::vector<SidePiece>& pieces, std::vector<Cut> cuts) {
  if (cuts.empty()) return;
  std::sort(cuts.begin(), cuts.end(), [](const Cut& x, const Cut& y) {
    return std::tie(x.piece, x.along, x.position) < std::tie(y.piece, y.along, y.position);
  });
  std::vector<SidePiece> out;
  out.reserve(pieces.size() + cuts.size());
  std::vector<uint32_t> moved(pieces.size());
  uint32_t i = 0;
  const auto copyUpTo = [&](uint32_t end) {
    std::iota(moved.begin() + i, moved.begin() + end, static_cast<uint32_t>(out.size()));
    out.insert(out.end(), pieces.begin() + i, pieces.begin() + end);
    i = end;
  };
  for (size_t c = 0; c < cuts.size(); ++i) {
    copyUpTo(cuts[c].piece);
    moved[i] = static_cast<uint32_t>(out.size());
    SidePiece part = pieces[i];
    for (; c < cuts.size() && cuts[c].piece == i; ++c) {
      if (cuts[c].position == part.a || cuts[c].position == pieces[i].b) continue;
      part.b = cuts[c].position;
      out.push_back(part);
      part.a = part.b;
    }
    part.b = pieces[i].b;
    out.push_back(part);
  }
  copyUpTo(static_cast<uint32_t>(pieces.size()));
  for (SidePiece& piece : out) {
    if (piece.twin != kNone) piece.twin = moved[piece.twin];
  }
  pieces = std::move(out);
}

}  // namespace wend
