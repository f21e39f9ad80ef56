#include "planning/corridor/bottleneck.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wend {
namespace {

constexpr size_t kVerticesPerLeaf = 64;  // about
constexpr int kMostLevels = 10;

// Edges are joined from the widest to the narrowest; in the trees of that union (the smaller hung below the larger, so
// no deeper than log2 n) each link remembers the clearance at which it was made. Links get narrower upwards.
struct Link {
  uint32_t parent = kNone;
  uint32_t order = kNone;  // when the link was made: a root's is the last
  double clearance = 0;
};

struct JoinedEdge {
  uint32_t a;
  uint32_t b;
  double clearance;
};

std::vector<Link> joinEdges(size_t vertices, std::vector<JoinedEdge>& edges) {
  std::vector<Link> links(vertices);
  std::sort(edges.begin(), edges.end(), [](const JoinedEdge& x, const JoinedEdge& y) {
    if (x.clearance != y.clearance) return x.clearance > y.clearance;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  std::vector<uint32_t> size(vertices, 1);
  const auto root = [&](uint32_t v) {
    while (links[v].parent != kNone) v = links[v].parent;
    return v;
  };
  uint32_t made = 0;
  for (const JoinedEdge& edge : edges) {
    uint32_t a = root(edge.a);
    uint32_t b = root(edge.b);
    if (a == b) continue;
    if (size[a] < size[b]) std::swap(a, b);
    size[a] += size[b];
    links[b] = {a, made++, edge.clearance};
  }
  return links;
}

double widestBetween(const std::vector<Link>& links, uint32_t from, uint32_t to) {
  double least = HUGE_VAL;
  // Of two different vertices the one whose link is older is below the point where their ways meet.
  while (from != to) {
    if (links[from].order > links[to].order) std::swap(from, to);
    if (links[from].parent == kNone) return -1;
    least = std::min(least, links[from].clearance);
    from = links[from].parent;
  }
  return least;
}

// The depth with so many vertices in a leaf, if they are spread evenly.
int depthFor(size_t vertices) {
  int depth = 0;
  while (depth < kMostLevels && (vertices >> (2 * depth)) > kVerticesPerLeaf) ++depth;
  return depth;
}

}  // namespace

struct CorridorBottleneck::Square {
  // Where to go on in the square around this one: a vertex that is handed on, and how wide the way there is. Every
  // other vertex that is handed on is reached through it as widely as at all.
  struct Up {
    uint32_t kept = kNone;
    double clearance = 0;
  };
  struct OpenEdge {
    uint32_t edge;
    uint32_t kept;  // its end in this square
  };
  std::vector<uint32_t> vertices;  // of a leaf, ascending
  std::vector<Link> links;
  std::vector<Up> up;
  uint32_t keptCount = 0;
  std::vector<JoinedEdge> keptEdges;  // the forest between the vertices that are handed on
  std::vector<OpenEdge> open;         // edges that leave the square
  std::array<std::shared_ptr<const Square>, 4> parts;
  std::array<uint32_t, 4> offset{};  // per part: the number of the first vertex that it hands on

  // Chooses what is handed on. `open` names its vertices by their numbers in this square.
  void hand();
};

// Handed on are the vertices with open edges, and those where their ways to the root meet.
void CorridorBottleneck::Square::hand() {
  const size_t count = links.size();
  std::vector<uint32_t> children(count, 0);  // that are on the way of a vertex with an open edge
  std::vector<uint32_t> markedChild(count, kNone);
  std::vector<uint8_t> isMarked(count, 0);
  std::vector<uint8_t> isOpen(count, 0);
  for (const OpenEdge& edge : open) {
    isOpen[edge.kept] = 1;
    for (uint32_t v = edge.kept; isMarked[v] == 0;) {
      isMarked[v] = 1;
      const uint32_t parent = links[v].parent;
      if (parent == kNone) break;
      ++children[parent];
      markedChild[parent] = v;
      v = parent;
    }
  }
  std::vector<uint32_t> keptOf(count, kNone);
  for (uint32_t v = 0; v < count; ++v) {
    if (isOpen[v] != 0 || children[v] > 1) keptOf[v] = keptCount++;
  }
  for (OpenEdge& edge : open) edge.kept = keptOf[edge.kept];
  for (uint32_t v = 0; v < count; ++v) {
    if (keptOf[v] == kNone) continue;
    for (uint32_t n = v; links[n].parent != kNone; n = links[n].parent) {
      const uint32_t above = keptOf[links[n].parent];
      if (above == kNone) continue;
      keptEdges.push_back({keptOf[v], above, links[n].clearance});
      break;
    }
  }
  up.resize(count);
  for (uint32_t v = 0; v < count; ++v) {
    uint32_t n = v;
    double clearance = HUGE_VAL;
    while (isMarked[n] == 0 && links[n].parent != kNone) {
      clearance = links[n].clearance;
      n = links[n].parent;
    }
    if (isMarked[n] == 0) continue;
    // On a single way up to here: down it, where the links are wider than those above.
    while (keptOf[n] == kNone) {
      n = markedChild[n];
      clearance = std::min(clearance, links[n].clearance);
    }
    up[v] = {keptOf[n], clearance};
  }
}

CorridorBottleneck::Code CorridorBottleneck::codeOf(Vec2 p) const {
  const double most = static_cast<double>((1U << depth_) - 1);
  const auto x = static_cast<Code>(std::clamp((p.x - low_.x) * scaleX_, 0.0, most));
  const auto y = static_cast<Code>(std::clamp((p.y - low_.y) * scaleY_, 0.0, most));
  Code code = 0;
  for (int bit = depth_ - 1; bit >= 0; --bit) code = (code << 2) | (((y >> bit) & 1) << 1) | ((x >> bit) & 1);
  return code;
}

std::shared_ptr<const CorridorBottleneck::Square> CorridorBottleneck::makeLeaf(const CorridorMap& map, Code code,
                                                                               std::vector<uint32_t> vertices) const {
  if (vertices.empty()) return nullptr;
  auto square = std::make_shared<Square>();
  std::vector<JoinedEdge> edges;
  for (uint32_t i = 0; i < vertices.size(); ++i) {
    const CorridorMap::Vertex& vertex = map.vertices[vertices[i]];
    for (uint32_t n = 0; n < vertex.degree; ++n) {
      const uint32_t halfEdge = map.out[vertex.firstOut + n];
      const CorridorMap::Edge& edge = map.edges[halfEdge >> 1];
      const uint32_t other = halfEdge & 1 ? edge.from : edge.to;
      if (other == vertices[i]) continue;
      if (codeOf(map.vertices[other].p) != code) {
        square->open.push_back({halfEdge >> 1, i});
      } else if ((halfEdge & 1) == 0) {
        const auto at = std::lower_bound(vertices.begin(), vertices.end(), other);
        edges.push_back({i, static_cast<uint32_t>(at - vertices.begin()), edge.minClearance});
      }
    }
  }
  square->links = joinEdges(vertices.size(), edges);
  square->vertices = std::move(vertices);
  square->hand();
  return square;
}

std::shared_ptr<const CorridorBottleneck::Square> CorridorBottleneck::makeInner(
    const CorridorMap& map, Code prefix, int level, std::array<std::shared_ptr<const Square>, 4> parts) const {
  if (std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part != nullptr; })) return nullptr;
  auto square = std::make_shared<Square>();
  std::vector<JoinedEdge> edges;
  struct Half {
    uint32_t edge;
    uint32_t vertex;
  };
  std::vector<Half> inside;
  uint32_t count = 0;
  const int below = 2 * (depth_ - level);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == nullptr) continue;
    square->offset[i] = count;
    for (const JoinedEdge& e : parts[i]->keptEdges) edges.push_back({count + e.a, count + e.b, e.clearance});
    for (const Square::OpenEdge& e : parts[i]->open) {
      const CorridorMap::Edge& edge = map.edges[e.edge];
      const bool isInside =
          codeOf(map.vertices[edge.from].p) >> below == prefix && codeOf(map.vertices[edge.to].p) >> below == prefix;
      if (isInside) {
        inside.push_back({e.edge, count + e.kept});
      } else {
        square->open.push_back({e.edge, count + e.kept});
      }
    }
    count += parts[i]->keptCount;
  }
  // Each of these comes from two parts.
  std::sort(inside.begin(), inside.end(), [](const Half& x, const Half& y) { return x.edge < y.edge; });
  for (size_t i = 0; i + 1 < inside.size(); i += 2) {
    edges.push_back({inside[i].vertex, inside[i + 1].vertex, map.edges[inside[i].edge].minClearance});
  }
  square->links = joinEdges(count, edges);
  square->parts = std::move(parts);
  square->hand();
  return square;
}

// Makes the squares that hold a touched leaf, and takes over the others.
class BottleneckUpdate {
 public:
  using Square = CorridorBottleneck::Square;
  using Code = CorridorBottleneck::Code;
  struct Leaf {
    Code code;
    std::vector<uint32_t> come;  // vertices, ascending
  };

  // `isGone(vertex)`: leaves that are touched lose it.
  template <typename IsGone>
  static std::shared_ptr<const Square> run(const CorridorBottleneck& all, const CorridorMap& map,
                                           const std::vector<Leaf>& leaves, const IsGone& isGone) {
    const auto make = [&](const auto& self, const std::shared_ptr<const Square>& old, Code prefix, int level,
                          size_t begin, size_t end) -> std::shared_ptr<const Square> {
      if (begin == end) return old;
      if (level == all.depth_) {
        std::vector<uint32_t> vertices;
        if (old != nullptr) {
          std::copy_if(old->vertices.begin(), old->vertices.end(), std::back_inserter(vertices),
                       [&](uint32_t v) { return !isGone(v); });
        }
        const auto kept = static_cast<ptrdiff_t>(vertices.size());
        vertices.insert(vertices.end(), leaves[begin].come.begin(), leaves[begin].come.end());
        std::inplace_merge(vertices.begin(), vertices.begin() + kept, vertices.end());
        return all.makeLeaf(map, prefix, std::move(vertices));
      }
      std::array<std::shared_ptr<const Square>, 4> parts;
      const int below = 2 * (all.depth_ - level - 1);
      for (Code i = 0; i < 4; ++i) {
        const Code part = (prefix << 2) | i;
        size_t stop = begin;
        while (stop < end && leaves[stop].code >> below == part) ++stop;
        parts[i] = self(self, old == nullptr ? nullptr : old->parts[i], part, level + 1, begin, stop);
        begin = stop;
      }
      return all.makeInner(map, prefix, level, std::move(parts));
    };
    return make(make, all.root_, 0, 0, 0, leaves.size());
  }
  static std::vector<Leaf> leavesOf(std::vector<std::pair<Code, uint32_t>> touched) {
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    std::vector<Leaf> leaves;
    for (const auto& [code, vertex] : touched) {
      if (leaves.empty() || leaves.back().code != code) leaves.push_back({code, {}});
      if (vertex != kNone) leaves.back().come.push_back(vertex);
    }
    return leaves;
  }
};

CorridorBottleneck::CorridorBottleneck(const CorridorGraph& graph) {
  const CorridorMap& map = graph.map();
  if (map.vertices.empty()) return;
  depth_ = depthFor(map.vertices.size());
  low_ = map.vertices[0].p;
  Vec2 high = low_;
  for (const CorridorMap::Vertex& vertex : map.vertices) {
    low_ = {std::min(low_.x, vertex.p.x), std::min(low_.y, vertex.p.y)};
    high = {std::max(high.x, vertex.p.x), std::max(high.y, vertex.p.y)};
  }
  scaleX_ = static_cast<double>(1U << depth_) / std::max(1.0, high.x - low_.x);
  scaleY_ = static_cast<double>(1U << depth_) / std::max(1.0, high.y - low_.y);
  std::vector<std::pair<Code, uint32_t>> all;
  all.reserve(map.vertices.size());
  for (uint32_t v = 0; v < map.vertices.size(); ++v) all.emplace_back(codeOf(map.vertices[v].p), v);
  root_ = BottleneckUpdate::run(*this, map, BottleneckUpdate::leavesOf(std::move(all)), [](uint32_t) { return true; });
}

CorridorBottleneck CorridorBottleneck::next(const CorridorMap& before, const CorridorMap& now,
                                            const ecm::AxisDifference& difference) const {
  std::vector<std::pair<Code, uint32_t>> touched;
  std::vector<uint32_t> moved;  // ascending
  ecm::forEachIn(difference.vertices, std::max(before.vertices.size(), now.vertices.size()), [&](uint32_t v) {
    const bool was = v < before.vertices.size();
    const bool is = v < now.vertices.size();
    if (was && is && before.vertices[v].p == now.vertices[v].p) return;
    moved.push_back(v);
    if (was) touched.emplace_back(codeOf(before.vertices[v].p), kNone);
    if (is) touched.emplace_back(codeOf(now.vertices[v].p), v);
  });
  ecm::forEachIn(difference.edges, std::max(before.edges.size(), now.edges.size()), [&](uint32_t e) {
    const bool was = e < before.edges.size();
    const bool is = e < now.edges.size();
    if (was && is && before.edges[e].from == now.edges[e].from && before.edges[e].to == now.edges[e].to &&
        before.edges[e].minClearance == now.edges[e].minClearance) {
      return;
    }
    const auto touch = [&](const CorridorMap& map) {
      for (const uint32_t v : {map.edges[e].from, map.edges[e].to}) {
        touched.emplace_back(codeOf(map.vertices[v].p), kNone);
      }
    };
    if (was) touch(before);
    if (is) touch(now);
  });
  CorridorBottleneck next = *this;
  next.root_ = BottleneckUpdate::run(*this, now, BottleneckUpdate::leavesOf(std::move(touched)),
                                     [&](uint32_t v) { return std::binary_search(moved.begin(), moved.end(), v); });
  return next;
}

double CorridorBottleneck::between(const CorridorMap& map, uint32_t from, uint32_t to) const {
  if (from == to) return HUGE_VAL;
  struct Climb {
    Code code;
    std::array<const Square*, kMostLevels + 1> squares;
    uint32_t at;
    double widest = HUGE_VAL;
  };
  const auto begin = [&](uint32_t vertex) {
    Climb climb;
    climb.code = codeOf(map.vertices[vertex].p);
    climb.squares[0] = root_.get();
    for (int level = 0; level < depth_; ++level) {
      const Code part = (climb.code >> (2 * (depth_ - level - 1))) & 3;
      climb.squares[static_cast<size_t>(level) + 1] = climb.squares[static_cast<size_t>(level)]->parts[part].get();
    }
    const std::vector<uint32_t>& vertices = climb.squares[static_cast<size_t>(depth_)]->vertices;
    climb.at = static_cast<uint32_t>(std::lower_bound(vertices.begin(), vertices.end(), vertex) - vertices.begin());
    return climb;
  };
  Climb a = begin(from);
  Climb b = begin(to);
  const auto goUp = [&](Climb& climb, int level) {
    const Square::Up& up = climb.squares[static_cast<size_t>(level)]->up[climb.at];
    if (up.kept == kNone) return false;
    climb.widest = std::min(climb.widest, up.clearance);
    const Code part = (climb.code >> (2 * (depth_ - level))) & 3;
    climb.at = climb.squares[static_cast<size_t>(level) - 1]->offset[part] + up.kept;
    return true;
  };
  double best = -1;
  for (int level = depth_; level >= 0; --level) {
    const auto n = static_cast<size_t>(level);
    if (a.squares[n] == b.squares[n]) {
      const double here = widestBetween(a.squares[n]->links, a.at, b.at);
      best = std::max(best, std::min({a.widest, b.widest, here}));
    }
    // A wider way may lead through the outside; none can where one of them is not joined to it.
    if (level == 0 || !goUp(a, level) || !goUp(b, level)) break;
  }
  return best;
}

double CorridorBottleneck::between(const CorridorGraph& graph, const AxisPoint& from, const AxisPoint& to) const {
  const CorridorMap& map = graph.map();
  double best = -1;
  if (from.edge == to.edge) best = leastClearanceBetween(graph, from, to);
  const CorridorMap::Edge& a = map.edges[from.edge];
  const CorridorMap::Edge& b = map.edges[to.edge];
  for (const auto& [start, leastStart] : {std::pair{a.from, from.leastToStart}, std::pair{a.to, from.leastToEnd}}) {
    for (const auto& [end, leastEnd] : {std::pair{b.from, to.leastToStart}, std::pair{b.to, to.leastToEnd}}) {
      const double ends = std::min(leastStart, leastEnd);
      if (ends > best) best = std::max(best, std::min(ends, between(map, start, end)));
    }
  }
  return best;
}

}  // namespace wend
