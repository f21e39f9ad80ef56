#include "mesh/side_pieces.h"

#include <algorithm>
#include <tuple>

namespace wend {
namespace {

// A loose piece, known by its smaller position.
struct Entry {
  uint64_t line = 0;   // the larger position, then the domain
  uint64_t order = 0;  // those that run from the smaller position to the larger first, then by the piece
  bool operator<(const Entry& other) const { return line != other.line ? line < other.line : order < other.order; }

  bool isReversed() const { return order >> 32 != 0; }
  uint32_t piece() const { return static_cast<uint32_t>(order); }
};

// Entries of all loose pieces, grouped by their smaller position.
struct Buckets {
  std::vector<uint32_t> begin;
  std::vector<Entry> entries;
};

Buckets bucketsOf(std::span<const SidePiece> pieces, std::span<const uint32_t> loose, size_t positions) {
  Buckets out;
  out.begin.assign(positions + 1, 0);
  for (const uint32_t i : loose) ++out.begin[std::min(pieces[i].a, pieces[i].b)];
  for (size_t i = 1; i < out.begin.size(); ++i) out.begin[i] += out.begin[i - 1];
  out.entries.resize(loose.size());
  // From the ends of the buckets to their begins.
  for (const uint32_t i : loose) {
    const auto [a, b] = std::minmax(pieces[i].a, pieces[i].b);
    const uint64_t reversed = pieces[i].a > pieces[i].b ? 1 : 0;
    out.entries[--out.begin[a]] = {uint64_t{b} << 32 | pieces[i].domain, reversed << 32 | i};
  }
  return out;
}

// Entries with the same ends and domain: first those along, then those against.
void pairRun(std::span<SidePiece> pieces, std::span<const Entry> run, std::optional<SameWay>& clash) {
  size_t along = 0;
  while (along < run.size() && !run[along].isReversed()) ++along;
  const size_t against = run.size() - along;
  if (!clash && along > 1) clash = SameWay{run[0].piece(), run[1].piece()};
  if (!clash && against > 1) clash = SameWay{run[along].piece(), run[along + 1].piece()};
  for (size_t i = 0; i < std::min(along, against); ++i) {
    pieces[run[i].piece()].twin = run[along + i].piece();
    pieces[run[along + i].piece()].twin = run[i].piece();
  }
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

std::optional<SameWay> pairOpposite(std::span<SidePiece> pieces, std::span<const uint32_t> loose, size_t positions) {
  std::optional<SameWay> clash;
  if (loose.size() < 2) return clash;
  Buckets buckets = bucketsOf(pieces, loose, positions);
  for (size_t bucket = 0; bucket < positions; ++bucket) {
    const uint32_t begin = buckets.begin[bucket];
    const uint32_t end = buckets.begin[bucket + 1];
    if (end - begin < 2) continue;
    const auto entries = std::span(buckets.entries).subspan(begin, end - begin);
    std::sort(entries.begin(), entries.end());
    for (size_t i = 0; i < entries.size();) {
      size_t j = i + 1;
      while (j < entries.size() && entries[j].line == entries[i].line) ++j;
      pairRun(pieces, entries.subspan(i, j - i), clash);
      i = j;
    }
  }
  return clash;
}

void enterGates(std::span<SidePiece> pieces, std::span<const uint32_t> loose, std::span<const Gate> gates,
                size_t positions) {
  if (gates.empty() || loose.empty()) return;
  const auto key = [](const Gate& g) { return std::tie(g.a, g.b, g.layer); };
  std::vector<Gate> sorted(gates.begin(), gates.end());
  std::sort(sorted.begin(), sorted.end(), [&](const Gate& x, const Gate& y) { return key(x) < key(y); });
  std::vector<uint8_t> startsGate(positions, 0);
  for (const Gate& gate : sorted) startsGate[gate.a] = 1;
  for (const uint32_t i : loose) {
    SidePiece& piece = pieces[i];
    if (startsGate[piece.a] == 0) continue;
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
