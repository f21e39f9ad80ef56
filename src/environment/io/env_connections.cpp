#include "environment/io/env_connections.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/text_cursor.h"

namespace wend {
namespace {

constexpr double kHeightStep = 1.0;  // metres; the same as validate() allows along a connection

// A listing in a form that is equal for the two sides of a connection.
struct Side {
  int32_t low = 0;  // layer ids
  int32_t high = 0;
  std::vector<Point> line;
  bool reversed = false;  // the points of the listing run against `line`
  uint32_t index = 0;     // of the listing
};

bool sameConnection(const Side& a, const Side& b) {
  return a.low == b.low && a.high == b.high && a.line == b.line;
}

bool before(const Side& a, const Side& b) {
  if (a.low != b.low) return a.low < b.low;
  if (a.high != b.high) return a.high < b.high;
  if (a.line != b.line) return a.line < b.line;
  return a.index < b.index;
}

class Pairing {
 public:
  Pairing(const std::vector<ListedConnection>& listed, const std::vector<LayerDraft>& layers, const Lattice& lattice,
          std::string_view fileName)
      : listed_(listed), lattice_(lattice), fileName_(fileName), partner_(listed.size(), kNone) {
    for (const LayerDraft& layer : layers) layers_[layer.id] = &layer;
  }

  Result<std::vector<ConnectionDraft>> run() {
    for (uint32_t i = 0; i < listed_.size(); ++i) {
      if (std::optional<Error> error = checkListing(i)) return *error;
      Result<Side> side = sideOf(i);
      if (!side.ok()) return side.error();
      sides_.push_back(std::move(*side));
    }
    match();
    std::vector<ConnectionDraft> connections;
    for (uint32_t i = 0; i < listed_.size(); ++i) {
      if (partner_[i] == kNone) return lonely(i);
      if (partner_[i] < i) continue;
      if (std::optional<Error> error = checkHeights(i)) return *error;
      connections.push_back({listed_[i].layer, listed_[i].to, listed_[i].points});
    }
    return connections;
  }

 private:
  Error errorAt(uint32_t index, ErrorCode code, std::string_view what) const {
    return errorAtLine(code, fileName_, listed_[index].sourceLine, what);
  }

  std::optional<Error> checkListing(uint32_t i) const {
    const ListedConnection& c = listed_[i];
    if (c.layer == c.to) {
      return errorAt(i, ErrorCode::kInvalidGeometry, fmt::format("layer {} has a connection to itself", c.layer));
    }
    if (!layers_.contains(c.to)) {
      return errorAt(i, ErrorCode::kInvalidGeometry,
                     fmt::format("layer {} has a connection to layer {}, which does not exist", c.layer, c.to));
    }
    return std::nullopt;
  }

  Result<Side> sideOf(uint32_t i) const {
    Side side{std::min(listed_[i].layer, listed_[i].to), std::max(listed_[i].layer, listed_[i].to), {}, false, i};
    for (const Vec2 p : listed_[i].points) {
      const Result<Point> snapped = lattice_.snap(p);
      if (!snapped.ok()) return errorAt(i, snapped.error().code, snapped.error().message);
      side.line.push_back(*snapped);
    }
    std::vector<Point> turned(side.line.rbegin(), side.line.rend());
    if (turned < side.line) {
      side.line = std::move(turned);
      side.reversed = true;
    }
    return side;
  }

  // Equal listings stand together once sorted; the k-th of the lower layer belongs to the k-th of the higher one.
  void match() {
    std::vector<uint32_t> order(sides_.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return before(sides_[a], sides_[b]); });
    for (size_t begin = 0; begin < order.size();) {
      size_t end = begin;
      std::vector<uint32_t> low;
      std::vector<uint32_t> high;
      for (; end < order.size() && sameConnection(sides_[order[begin]], sides_[order[end]]); ++end) {
        (listed_[order[end]].layer == sides_[order[end]].low ? low : high).push_back(order[end]);
      }
      for (size_t k = 0; k < std::min(low.size(), high.size()); ++k) {
        partner_[low[k]] = high[k];
        partner_[high[k]] = low[k];
      }
      begin = end;
    }
  }

  Error lonely(uint32_t i) const {
    const ListedConnection& c = listed_[i];
    for (uint32_t k = 0; k < listed_.size(); ++k) {
      if (partner_[k] != kNone || listed_[k].layer != c.to || listed_[k].to != c.layer) continue;
      return errorAt(i, ErrorCode::kInvalidGeometry,
                     fmt::format("layers {} and {} give different points for their connection (line {} and line {}); "
                                 "both must list the same points",
                                 c.layer, c.to, c.sourceLine, listed_[k].sourceLine));
    }
    return errorAt(i, ErrorCode::kInvalidGeometry,
                   fmt::format("layer {} has a connection to layer {}, but layer {} does not list it; add <connection "
                               "to=\"{}\"> with the same points there",
                               c.layer, c.to, c.to, c.layer));
  }

  std::optional<Error> checkHeights(uint32_t i) const {
    const uint32_t other = partner_[i];
    const size_t last = listed_[i].points.size() - 1;
    const bool opposite = sides_[i].reversed != sides_[other].reversed;
    for (size_t k = 0; k <= last; ++k) {
      const std::optional<double> mine = listed_[i].heights[k];
      const std::optional<double> theirs = listed_[other].heights[opposite ? last - k : k];
      if (mine && theirs && std::abs(*mine - *theirs) > kHeightStep) {
        return errorAt(i, ErrorCode::kInvalidGeometry,
                       fmt::format("layers {} and {} give heights of {:g} m and {:g} m for one point of their "
                                   "connection; they may differ by {:g} m",
                                   listed_[i].layer, listed_[i].to, *mine, *theirs, kHeightStep));
      }
    }
    std::optional<Error> error = checkAgainstLayer(i);
    return error ? error : checkAgainstLayer(other);
  }

  // A sloped layer has its height from its surface, which buildEnvironment() compares along the connection.
  std::optional<Error> checkAgainstLayer(uint32_t i) const {
    const LayerDraft& layer = *layers_.at(listed_[i].layer);
    if (!layer.surface.empty()) return std::nullopt;
    for (const std::optional<double>& z : listed_[i].heights) {
      if (!z || std::abs(*z - layer.height) <= kHeightStep) continue;
      return errorAt(i, ErrorCode::kInvalidGeometry,
                     fmt::format("the connection from layer {} to layer {} has a point at {:g} m, but layer {} lies at "
                                 "{:g} m; they may differ by {:g} m",
                                 listed_[i].layer, listed_[i].to, *z, layer.id, layer.height, kHeightStep));
    }
    return std::nullopt;
  }

  const std::vector<ListedConnection>& listed_;
  const Lattice& lattice_;
  std::string_view fileName_;
  std::map<int32_t, const LayerDraft*> layers_;
  std::vector<Side> sides_;
  std::vector<uint32_t> partner_;
};

}  // namespace

Result<std::vector<ConnectionDraft>> pairConnections(const std::vector<ListedConnection>& listed,
                                                     const std::vector<LayerDraft>& layers, const Lattice& lattice,
                                                     std::string_view fileName) {
  return Pairing(listed, layers, lattice, fileName).run();
}

}  // namespace wend
