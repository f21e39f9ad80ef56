#include "environment/edit/cut_connections.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace wend {
namespace {

struct DirectedEdge {
  uint32_t layer;
  Point a;
  Point b;
  bool operator==(const DirectedEdge&) const = default;
};
struct DirectedEdgeHash {
  size_t operator()(const DirectedEdge& e) const {
    uint64_t h = e.layer;
    for (const int32_t v : {e.a.x, e.a.y, e.b.x, e.b.y}) {
      h = (h ^ static_cast<uint32_t>(v)) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29U;
    }
    return h;
  }
};

class ConnectionCutter {
 public:
  ConnectionCutter(const LiveBase& base, const CutClusters& clusters)
      : base_(base), boundary_(base.boundary()), clusterOf_(boundary_.rings().size(), nullptr) {
    for (const auto& cluster : clusters.all) {
      for (const CutGroup& group : cluster->groups) {
        for (const uint32_t ring : group.rings) clusterOf_[ring] = cluster.get();
        for (const Ring& ring : group.outers) addRing(group.layer, ring);
        for (const Ring& ring : group.holes) addRing(group.layer, ring);
      }
    }
  }

  // The open pieces of a connection; false if it is as it was.
  bool cut(const Connection& connection, std::vector<std::vector<Point>>& pieces) {
    bool concerned = false;
    for (size_t i = 0; i + 1 < connection.line.size() && !concerned; ++i) {
      const uint32_t a = boundary_.find(connection.layerA, connection.line[i], connection.line[i + 1]);
      if (a == kNone) return false;  // never open
      const uint32_t b = base_.twin(a);
      concerned = isCut(a) || (b != kNone && isCut(b));
    }
    if (!concerned) return false;
    const std::vector<Point> line = routedLine(connection);
    std::vector<Point> piece;
    const auto end = [&] {
      if (piece.size() > 1) pieces.push_back(piece);
      piece.clear();
    };
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      if (!isOpen(connection, line[i], line[i + 1])) {
        end();
        continue;
      }
      if (piece.size() > 1 && !passes(connection, piece[piece.size() - 2], line[i], line[i + 1])) end();
      if (piece.empty()) piece.push_back(line[i]);
      piece.push_back(line[i + 1]);
    }
    end();
    joinRound(connection, line, pieces);
    return pieces.size() != 1 || pieces.front() != connection.line;
  }

 private:
  bool isCut(uint32_t edge) const { return clusterOf_[base_.ringOf(edge)] != nullptr; }

  void addRing(uint32_t layer, const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      next_[{layer, a, b}] = ring[(i + 2) % ring.size()];
    }
  }

  // Over the points that its walls have got.
  std::vector<Point> routedLine(const Connection& connection) const {
    std::vector<Point> line;
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      line.push_back(connection.line[i]);
      const uint32_t a = boundary_.find(connection.layerA, connection.line[i], connection.line[i + 1]);
      const CutCluster* cluster = clusterOf_[base_.ringOf(a)];
      if (cluster == nullptr) continue;
      const auto stops = cluster->walls.find(a);
      if (stops != cluster->walls.end()) line.insert(line.end(), stops->second.begin(), stops->second.end());
    }
    line.push_back(connection.line.back());
    return line;
  }

  // The point after a boundary edge of the layer, if it is one.
  const Point* after(uint32_t layer, Point a, Point b) {
    const auto found = next_.find({layer, a, b});
    if (found != next_.end()) return &found->second;
    const uint32_t edge = boundary_.find(layer, a, b);
    if (edge == kNone || isCut(edge)) return nullptr;
    untouched_ = boundary_.end(boundary_.next(edge));
    return &untouched_;
  }
  bool follows(uint32_t layer, Point a, Point b, Point c) {
    const Point* next = after(layer, a, b);
    return next != nullptr && *next == c;
  }

  bool isOpen(const Connection& c, Point u, Point v) {
    return after(c.layerA, u, v) != nullptr && after(c.layerB, v, u) != nullptr;
  }
  // Whether nothing touches the line in v.
  bool passes(const Connection& c, Point u, Point v, Point w) {
    return follows(c.layerA, u, v, w) && follows(c.layerB, w, v, u);
  }

  // The ends of a line around a whole ring are no ends.
  void joinRound(const Connection& connection, const std::vector<Point>& line,
                 std::vector<std::vector<Point>>& pieces) {
    if (pieces.size() < 2 || connection.line.front() != connection.line.back()) return;
    std::vector<Point>& first = pieces.front();
    std::vector<Point>& last = pieces.back();
    if (first.front() != line.front() || last.back() != line.back()) return;
    if (!passes(connection, last[last.size() - 2], last.back(), first[1])) return;
    last.insert(last.end(), first.begin() + 1, first.end());
    pieces.erase(pieces.begin());
  }

  const LiveBase& base_;
  const Boundary& boundary_;
  std::vector<const CutCluster*> clusterOf_;  // per ring of the base
  std::unordered_map<DirectedEdge, Point, DirectedEdgeHash> next_;
  Point untouched_;
};

}  // namespace

std::vector<CutConnection> cutConnections(const LiveBase& base, const CutClusters& clusters,
                                          std::vector<Connection>& connections) {
  std::vector<CutConnection> result;
  if (connections.empty()) return result;
  ConnectionCutter cutter(base, clusters);
  std::vector<Connection> left;
  for (uint32_t i = 0; i < connections.size(); ++i) {
    CutConnection cut;
    cut.base = i;
    if (!cutter.cut(connections[i], cut.pieces)) {
      left.push_back(std::move(connections[i]));
      continue;
    }
    for (const std::vector<Point>& piece : cut.pieces) {
      left.push_back({connections[i].layerA, connections[i].layerB, piece});
    }
    result.push_back(std::move(cut));
  }
  std::sort(left.begin(), left.end(), [](const Connection& a, const Connection& b) {
    return std::tie(a.layerA, a.layerB, a.line) < std::tie(b.layerA, b.layerB, b.line);
  });
  connections = std::move(left);
  return result;
}

}  // namespace wend
