#include "mesh/side_pieces.h"

#include <algorithm>
#include <tuple>

namespace wend {
namespace {

struct Entry {
  uint32_t other = 0;  // the larger position
  uint32_t domain = 0;
  uint32_t reversed = 0;  // 1 if the piece runs from the larger position to the smaller
  uint32_t piece = 0;
};

bool before(const Entry& x, const Entry& y) {
  if (x.other != y.other) return x.other < y.other;
  return std::tie(x.domain, x.reversed, x.piece) < std::tie(y.domain, y.reversed, y.piece);
}

// Entries of all loose pieces, grouped by their smaller position.
struct Buckets {
  std::vector<uint32_t> begin;
  std::vector<Entry> entries;
};

Buckets bucketsOf(std::span<const SidePiece> pieces, size_t positions) {
  Buckets out;
  out.begin.assign(positions + 1, 0);
  for (const SidePiece& piece : pieces) {
    if (piece.isLoose()) ++out.begin[std::min(piece.a, piece.b) + 1];
  }
  for (size_t i = 1; i < out.begin.size(); ++i) out.begin[i] += out.begin[i - 1];
  out.entries.resize(out.begin.back());
  std::vector<uint32_t> fill(out.begin.begin(), out.begin.end() - 1);
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    const SidePiece& piece = pieces[i];
    if (!piece.isLoose()) continue;
    const bool reversed = piece.a > piece.b;
    out.entries[fill[reversed ? piece.b : piece.a]++] = {reversed ? piece.a : piece.b, piece.domain, reversed ? 1U : 0U,
                                                         i};
  }
  return out;
}

// Entries with the same ends and domain: first those along, then those against.
void pairRun(std::span<SidePiece> pieces, std::span<const Entry> run, std::optional<SameWay>& clash) {
  size_t along = 0;
  while (along < run.size() && run[along].reversed == 0) ++along;
  const size_t against = run.size() - along;
  if (!clash && along > 1) clash = SameWay{run[0].piece, run[1].piece};
  if (!clash && against > 1) clash = SameWay{run[along].piece, run[along + 1].piece};
  for (size_t i = 0; i < std::min(along, against); ++i) {
    pieces[run[i].piece].twin = run[along + i].piece;
    pieces[run[along + i].piece].twin = run[i].piece;
  }
}

}  // namespace

std::optional<SameWay> pairOpposite(std::span<SidePiece> pieces, size_t positions) {
  std::optional<SameWay> clash;
  Buckets buckets = bucketsOf(pieces, positions);
  for (size_t bucket = 0; bucket < positions; ++bucket) {
    const auto entries =
        std::span(buckets.entries).subspan(buckets.begin[bucket], buckets.begin[bucket + 1] - buckets.begin[bucket]);
    if (entries.size() > 1) std::sort(entries.begin(), entries.end(), before);
    for (size_t i = 0; i < entries.size();) {
      size_t j = i + 1;
      while (j < entries.size() && entries[j].other == entries[i].other && entries[j].domain == entries[i].domain) ++j;
      pairRun(pieces, entries.subspan(i, j - i), clash);
      i = j;
    }
  }
  return clash;
}

void enterGates(std::span<SidePiece> pieces, std::span<const Gate> gates, size_t positions) {
  if (gates.empty()) return;
  const auto key = [](const Gate& g) { return std::tie(g.a, g.b, g.layer); };
  std::vector<Gate> sorted(gates.begin(), gates.end());
  std::sort(sorted.begin(), sorted.end(), [&](const Gate& x, const Gate& y) { return key(x) < key(y); });
  std::vector<uint8_t> startsGate(positions, 0);
  for (const Gate& gate : sorted) startsGate[gate.a] = 1;
  for (SidePiece& piece : pieces) {
    if (startsGate[piece.a] == 0 || !piece.isLoose()) continue;
    const Gate wanted{piece.a, piece.b, piece.domain, 0};
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), wanted,
                                        [&](const Gate& x, const Gate& y) { return key(x) < key(y); });
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
  size_t c = 0;
  for (uint32_t i = 0; i < pieces.size(); ++i) {
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
  for (SidePiece& piece : out) {
    if (piece.twin != kNone) piece.twin = moved[piece.twin];
  }
  pieces = std::move(out);
}

}  // namespace wend
