#include "mesh/exact_cuts.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace wend {
namespace {

struct Line {
  int64_t dx = 0;  // primitive direction, pointing right, or up if vertical
  int64_t dy = 0;
  int64_t offset = 0;
  auto operator<=>(const Line&) const = default;
};

// A piece or an edge of a connection as an interval on its line.
struct Interval {
  Line line;
  int64_t low = 0;  // x, or y if vertical
  int64_t high = 0;
  uint32_t lowPosition = 0;
  uint32_t highPosition = 0;
  bool forward = true;
};

Interval intervalOf(const Welding& welding, uint32_t a, uint32_t b) {
  const Vec2 p = welding.positions[a];
  const Vec2 q = welding.positions[b];
  const auto px = static_cast<int64_t>(p.x);
  const auto py = static_cast<int64_t>(p.y);
  const auto qx = static_cast<int64_t>(q.x);
  const auto qy = static_cast<int64_t>(q.y);
  Interval out;
  out.forward = px != qx ? px < qx : py < qy;
  const int64_t sign = out.forward ? 1 : -1;
  const int64_t divisor = sign * std::gcd(qx - px, qy - py);
  out.line = {(qx - px) / divisor, (qy - py) / divisor, 0};
  out.line.offset = out.line.dx * py - out.line.dy * px;
  const int64_t start = px != qx ? px : py;
  const int64_t end = px != qx ? qx : qy;
  out.low = std::min(start, end);
  out.high = std::max(start, end);
  out.lowPosition = out.forward ? a : b;
  out.highPosition = out.forward ? b : a;
  return out;
}

uint64_t hashOf(const Line& line, uint32_t domain) {
  uint64_t h = domain + 0x9e3779b97f4a7c15ULL;
  for (const int64_t word : {line.dx, line.dy, line.offset}) {
    h = (std::rotl(h, 25) ^ static_cast<uint64_t>(word)) * 0xff51afd7ed558ccdULL;
    h ^= h >> 31;
  }
  return h;
}

// Equal for pieces on one line, and mostly only for them, or else for those of one slope: a quotient of whole numbers
// is rounded to the same double however they are multiplied. Without the divisor that a Line takes.
uint64_t roughHash(const Welding& welding, uint32_t a, uint32_t b, uint32_t domain) {
  const Vec2 p = welding.positions[a];
  const Vec2 q = welding.positions[b];
  const bool upright = p.x == q.x;
  const double slope = upright ? std::numeric_limits<double>::infinity() : (q.y - p.y) / (q.x - p.x);
  const double offset = upright ? p.x : slope == 0 ? p.y : 0;
  uint64_t h = domain + 0x9e3779b97f4a7c15ULL;
  for (const double value : {slope + 0.0, offset + 0.0}) {
    h = (std::rotl(h, 25) ^ std::bit_cast<uint64_t>(value)) * 0xff51afd7ed558ccdULL;
    h ^= h >> 31;
  }
  return h;
}

bool isWhole(const SidePiece& piece, const Welding& welding) {
  return welding.allWhole || (welding.whole[piece.a] != 0 && welding.whole[piece.b] != 0);
}

void addCut(std::vector<Cut>& cuts, uint32_t piece, const Interval& interval, int64_t at, uint32_t position) {
  if (at <= interval.low || at >= interval.high) return;
  cuts.push_back({piece, position, static_cast<double>(interval.forward ? at : -at)});
}

// --- connections -----------------------------------------------------------------------------------------------------

struct EdgeOnLine {
  uint64_t hash = 0;
  Interval interval;
  uint32_t edge = 0;
};

std::vector<EdgeOnLine> placeEdges(std::span<const ConnectionEdge> connectionEdges, const Welding& welding) {
  std::vector<EdgeOnLine> out;
  out.reserve(connectionEdges.size());
  for (uint32_t i = 0; i < connectionEdges.size(); ++i) {
    const Interval interval = intervalOf(welding, connectionEdges[i].a, connectionEdges[i].b);
    out.push_back({hashOf(interval.line, connectionEdges[i].layer), interval, i});
  }
  // Edges of one layer and line do not overlap, so their upper ends are sorted too.
  std::sort(out.begin(), out.end(), [](const EdgeOnLine& x, const EdgeOnLine& y) {
    return std::tie(x.hash, x.interval.forward, x.interval.low, x.edge) <
           std::tie(y.hash, y.interval.forward, y.interval.low, y.edge);
  });
  return out;
}

// Calls visit(piece index, its interval, edge) wherever a piece overlaps an edge of a connection of its layer and
// direction.
template <typename Visit>
void forEachMeeting(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                    std::span<const ConnectionEdge> connectionEdges, const Welding& welding, Visit&& visit) {
  if (connectionEdges.empty() || loose.empty()) return;
  const std::vector<EdgeOnLine> placed = placeEdges(connectionEdges, welding);
  uint32_t layers = 0;
  for (const ConnectionEdge& edge : connectionEdges) layers = std::max(layers, edge.layer + 1);
  const auto at = [&](uint32_t position) {
    const Vec2 p = welding.positions[position];
    return Point{static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
  };
  // Most pieces are far from all connections of their layer.
  std::vector<Box> bounds(layers);
  for (const ConnectionEdge& edge : connectionEdges) {
    bounds[edge.layer].add(at(edge.a));
    bounds[edge.layer].add(at(edge.b));
  }
  const auto isNear = [&](const SidePiece& piece) {
    const Box& box = bounds[piece.domain];
    const Point a = at(piece.a);
    const Point b = at(piece.b);
    return std::min(a.x, b.x) <= box.max.x && std::max(a.x, b.x) >= box.min.x && std::min(a.y, b.y) <= box.max.y &&
           std::max(a.y, b.y) >= box.min.y;
  };
  for (const uint32_t i : loose) {
    const SidePiece& piece = pieces[i];
    if (piece.domain >= layers || !isWhole(piece, welding) || !isNear(piece)) continue;
    const Interval interval = intervalOf(welding, piece.a, piece.b);
    const uint64_t hash = hashOf(interval.line, piece.domain);
    auto it = std::partition_point(placed.begin(), placed.end(), [&](const EdgeOnLine& g) {
      if (g.hash != hash) return g.hash < hash;
      if (g.interval.forward != interval.forward) return g.interval.forward < interval.forward;
      return g.interval.high <= interval.low;
    });
    for (; it != placed.end() && it->hash == hash && it->interval.low < interval.high; ++it) {
      if (it->interval.forward != interval.forward) break;
      if (it->interval.line == interval.line && connectionEdges[it->edge].layer == piece.domain)
        visit(i, interval, *it);
    }
  }
}

// --- opposite pieces ------------------------------------------------------------------------------------------------

struct PieceOnLine {
  Interval interval;
  uint32_t domain = 0;
  uint32_t piece = 0;
};

bool onOneLine(const PieceOnLine& x, const PieceOnLine& y) {
  return x.domain == y.domain && x.interval.line == y.interval.line;
}
bool beforeByLine(const PieceOnLine& x, const PieceOnLine& y) {
  return std::tie(x.domain, x.interval.line) < std::tie(y.domain, y.interval.line);
}
bool beforeAlong(const PieceOnLine& x, const PieceOnLine& y) {
  return std::tie(x.interval.forward, x.interval.low, x.piece) < std::tie(y.interval.forward, y.interval.low, y.piece);
}

void findClash(std::span<const PieceOnLine> sameWay, std::optional<SameWay>& clash) {
  for (size_t i = 1; i < sameWay.size() && !clash; ++i) {
    if (sameWay[i].interval.low < sameWay[i - 1].interval.high) clash = SameWay{sameWay[i - 1].piece, sameWay[i].piece};
  }
}

// The pieces of one line and domain.
void cutLine(std::span<PieceOnLine> line, ExactCuts& out) {
  // First the backward ones, then the forward ones.
  std::sort(line.begin(), line.end(), beforeAlong);
  size_t split = 0;
  while (split < line.size() && !line[split].interval.forward) ++split;
  const std::span<const PieceOnLine> backward = line.first(split);
  const std::span<const PieceOnLine> forward = line.subspan(split);
  findClash(backward, out.clash);
  findClash(forward, out.clash);
  for (size_t i = 0, j = 0; i < backward.size() && j < forward.size();) {
    const Interval& x = backward[i].interval;
    const Interval& y = forward[j].interval;
    if (std::max(x.low, y.low) < std::min(x.high, y.high)) {
      addCut(out.cuts, backward[i].piece, x, y.low, y.lowPosition);
      addCut(out.cuts, backward[i].piece, x, y.high, y.highPosition);
      addCut(out.cuts, forward[j].piece, y, x.low, x.lowPosition);
      addCut(out.cuts, forward[j].piece, y, x.high, x.highPosition);
    }
    if (x.high < y.high) {
      ++i;
    } else {
      ++j;
    }
  }
}

}  // namespace

ConnectionMeetings meetConnections(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                   std::span<const ConnectionEdge> connectionEdges, const Welding& welding) {
  ConnectionMeetings out;
  forEachMeeting(pieces, loose, connectionEdges, welding,
                 [&](uint32_t piece, const Interval& interval, const EdgeOnLine& edge) {
                   addCut(out.cuts, piece, interval, edge.interval.low, edge.interval.lowPosition);
                   addCut(out.cuts, piece, interval, edge.interval.high, edge.interval.highPosition);
                   if (edge.interval.low <= interval.low && interval.high <= edge.interval.high) {
                     out.within.push_back({piece, connectionEdges[edge.edge].domain});
                   }
                 });
  return out;
}

ExactCuts cutsAtOpposite(std::span<const SidePiece> pieces, std::span<const uint32_t> loose, const Welding& welding) {
  // Most pieces are walls, alone on their line: a table by hash leaves the few groups that deserve a closer look.
  const int unused = std::countl_zero(loose.size()) - 1;  // bits of hashes
  std::vector<uint32_t> heads(size_t{1} << (64 - unused), kNone);
  std::vector<uint32_t> next(loose.size());
  for (auto k = static_cast<uint32_t>(loose.size()); k-- > 0;) {
    const SidePiece& piece = pieces[loose[k]];
    if (!isWhole(piece, welding)) continue;
    next[k] = std::exchange(heads[roughHash(welding, piece.a, piece.b, piece.domain) >> unused], k);
  }
  ExactCuts out;
  std::vector<PieceOnLine> group;
  for (const uint32_t head : heads) {
    if (head == kNone || next[head] == kNone) continue;
    group.clear();
    for (uint32_t k = head; k != kNone; k = next[k]) {
      const SidePiece& piece = pieces[loose[k]];
      group.push_back({intervalOf(welding, piece.a, piece.b), piece.domain, loose[k]});
    }
    const auto isOther = [&](const PieceOnLine& piece) { return !onOneLine(piece, group.front()); };
    if (std::any_of(group.begin(), group.end(), isOther)) std::sort(group.begin(), group.end(), beforeByLine);
    for (size_t k = 0; k < group.size();) {
      size_t l = k + 1;
      while (l < group.size() && onOneLine(group[k], group[l])) ++l;
      cutLine(std::span(group).subspan(k, l - k), out);
      k = l;
    }
  }
  return out;
}

}  // namespace wend
