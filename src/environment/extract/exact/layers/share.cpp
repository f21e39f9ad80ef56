#include "environment/extract/exact/layers/share.h"

#include <algorithm>
#include <cmath>

#include "environment/extract/exact/layers/footprint.h"
#include "environment/extract/exact/layers/lists.h"

namespace wend::exact {
namespace {

// Layers that each part tries at most; more would cost more than a layer.
constexpr size_t kMaxTries = 16;
// Edges that are looked for together.
constexpr size_t kTogether = 16;

// Whether both c and d lie on one side of the line through a and b, farther away than given. Most do.
bool liesBeside(Point a, Point b, Point c, Point d, double distance) {
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  const double leftC = x * (double(c.y) - a.y) - y * (double(c.x) - a.x);
  const double leftD = x * (double(d.y) - a.y) - y * (double(d.x) - a.x);
  const double nearer = std::min(leftC * leftC, leftD * leftD);
  return (leftC > 0) == (leftD > 0) && nearer > distance * distance * (x * x + y * y);
}

double squareToSegment(Point a, Point b, Point p) {
  const double x = double(b.x) - a.x;
  const double y = double(b.y) - a.y;
  const double px = double(p.x) - a.x;
  const double py = double(p.y) - a.y;
  const double t = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
  const double dx = px - t * x;
  const double dy = py - t * y;
  return dx * dx + dy * dy;
}

bool areNear(const Arrow& e, const Arrow& g, double reach) {
  if (liesBeside(e.a, e.b, g.a, g.b, reach + 1) || liesBeside(g.a, g.b, e.a, e.b, reach + 1)) return false;
  const double nearest = std::min({squareToSegment(e.a, e.b, g.a), squareToSegment(e.a, e.b, g.b),
                                   squareToSegment(g.a, g.b, e.a), squareToSegment(g.a, g.b, e.b)});
  return nearest <= reach * reach;
}

Box widened(const Box& box, int32_t by) {
  return {{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

// Layers as they were made.
struct Members {
  Lists<uint32_t> patches;
  Lists<Arrow> borders;  // edges that do not lead into the same layer
  std::vector<Box> boxes;
  Box reached;  // by those that move, with what is near them
};

// A layer and all that moved into it. What would move in, too, must overlap nothing, and come nowhere so near that it
// would have to give way.
class Host {
 public:
  Host(uint32_t layer, const Members& members, Footprint empty)
      : layer_(layer), members_(members), box_(members.boxes[layer]), waiting_{layer}, covered_(std::move(empty)) {}

  uint32_t layer() const { return layer_; }

  bool hasRoomFor(uint32_t layer, int32_t reach) {
    if (!meet(widened(members_.boxes[layer], reach + 1), box_)) return true;
    takeIn();
    const std::span<const Arrow> edges = members_.borders.of(layer);
    const std::span<const uint32_t> patches = members_.patches.of(layer);
    return !comesNear(edges, members_.boxes[layer], reach) &&
           std::none_of(patches.begin(), patches.end(), [&](uint32_t p) { return covered_.overlaps(p); });
  }

  void add(uint32_t layer) {
    waiting_.push_back(layer);
    box_ = joined(box_, members_.boxes[layer]);
  }

 private:
  // Most layers lie beside all others, and are never looked at closely.
  void takeIn() {
    for (const uint32_t layer : waiting_) {
      covered_.add(members_.patches.of(layer), members_.reached);
      std::vector<BoxTree::Extent> extents;
      for (const Arrow& e : members_.borders.of(layer)) {
        const Box box = boxOf(e.a, e.b);
        if (!meet(box, members_.reached)) continue;
        extents.push_back({box});
        edges_.push_back(e);
      }
      borders_.add(extents);
    }
    waiting_.clear();
  }

  bool comesNear(std::span<const Arrow> edges, const Box& box, int32_t reach) const {
    if (edges.size() <= kTogether) return anyComesNear(edges, box, reach);
    return std::any_of(edges.begin(), edges.end(),
                       [&](const Arrow& e) { return anyComesNear(std::span(&e, 1), boxOf(e.a, e.b), reach); });
  }
  // For a few edges and the box around them.
  bool anyComesNear(std::span<const Arrow> edges, const Box& box, int32_t reach) const {
    bool found = false;
    borders_.forEach(widened(box, reach + 1), [&](uint32_t k) {
      found = found ||
              std::any_of(edges.begin(), edges.end(), [&](const Arrow& e) { return areNear(e, edges_[k], reach); });
    });
    return found;
  }

  uint32_t layer_;
  const Members& members_;
  Box box_;
  std::vector<uint32_t> waiting_;  // layers that are not in the trees yet
  Footprint covered_;
  GrowingTree borders_;
  std::vector<Arrow> edges_;  // of the borders
};

class LayerSharing {
 public:
  LayerSharing(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
               const Selection& selection, const PatchTriangles& patchTriangles, const Tolerances& tolerances,
               LayerPlan& plan)
      : facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        selection_(selection),
        patchTriangles_(patchTriangles),
        tol_(tolerances),
        plan_(plan) {}

  void run() {
    measure();
    if (std::find(layersOf_.begin(), layersOf_.end(), 1U) == layersOf_.end()) return;
    gather();
    move();
  }

 private:
  struct Measure {
    double area = 0;
    double low = 1e300;
    double high = -1e300;
    uint32_t component = kNone;
  };

  void measure() {
    measures_.resize(plan_.count);
    layersOf_.assign(selection_.components, 0);
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      if (plan_.layer[p] == kNone) continue;
      Measure& m = measures_[plan_.layer[p]];
      const Facet& facet = facets_.list[patches_.facet[p]];
      if (m.component == kNone) ++layersOf_[selection_.component[p]];
      m.component = selection_.component[p];
      m.area += patches_.area(p);
      m.low = std::min(m.low, facet.low);
      m.high = std::max(m.high, facet.high);
    }
  }

  void gather() {
    std::vector<std::pair<uint32_t, uint32_t>> patches;
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      if (plan_.layer[p] != kNone) patches.emplace_back(plan_.layer[p], p);
    }
    members_.patches = Lists<uint32_t>(plan_.count, patches);
    members_.boxes.resize(plan_.count);
    std::vector<std::pair<uint32_t, Arrow>> borders;
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      const uint32_t layer = plan_.layer[edges_.patch[e]];
      if (layer == kNone) continue;
      const uint32_t g = links_.match[e];
      if (g != kNone && plan_.layer[edges_.patch[g]] == layer) continue;
      const Arrow edge{patches_.rings.points[e], patches_.rings.points[edges_.next[e]]};
      borders.emplace_back(layer, edge);
      members_.boxes[layer] = joined(members_.boxes[layer], boxOf(edge.a, edge.b));
    }
    members_.borders = Lists<Arrow>(plan_.count, borders);
  }

  // Only parts of one layer move: the layers of a larger part stand in a certain order.
  bool moves(uint32_t layer) const { return layersOf_[measures_[layer].component] == 1; }

  void move() {
    std::vector<uint32_t> movers;
    for (uint32_t i = 0; i < plan_.count; ++i) {
      if (moves(i)) {
        movers.push_back(i);
        members_.reached = joined(members_.reached, widened(members_.boxes[i], reach() + 1));
      } else {
        makeHost(i);
      }
    }
    std::stable_sort(movers.begin(), movers.end(),
                     [&](uint32_t i, uint32_t j) { return measures_[i].area > measures_[j].area; });
    std::vector<uint32_t> into(plan_.count);
    for (uint32_t i = 0; i < plan_.count; ++i) into[i] = i;
    for (const uint32_t mover : movers) {
      Host* const host = hostFor(mover);
      if (host == nullptr) {
        makeHost(mover);
      } else {
        host->add(mover);
        into[mover] = host->layer();
      }
    }
    renumber(into);
  }

  // Nearer than this layers would have to give way to each other.
  int32_t reach() const { return static_cast<int32_t>(std::ceil(2 * tol_.wall)); }

  void makeHost(uint32_t layer) {
    hosts_.emplace_back(layer, members_, Footprint(facets_, patches_, patchTriangles_, tol_));
    ranges_.push_back({measures_[layer].low - tol_.height, measures_[layer].high + tol_.height});
  }

  // The first at about the same height that has room.
  Host* hostFor(uint32_t mover) {
    const Measure& m = measures_[mover];
    size_t tries = 0;
    for (size_t k = 0; k < hosts_.size() && tries < kMaxTries; ++k) {
      if (m.low > ranges_[k].high || m.high < ranges_[k].low) continue;
      ++tries;
      if (hosts_[k].hasRoomFor(mover, reach())) return &hosts_[k];
    }
    return nullptr;
  }

  void renumber(const std::vector<uint32_t>& into) {
    std::vector<uint32_t> number(plan_.count, kNone);
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan_.count; ++i) {
      if (into[i] == i) number[i] = count++;
    }
    for (uint32_t& layer : plan_.layer) {
      if (layer != kNone) layer = number[into[layer]];
    }
    plan_.count = count;
  }

  struct Range {
    double low, high;
  };

  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const PatchTriangles& patchTriangles_;
  const Tolerances& tol_;
  LayerPlan& plan_;
  std::vector<Measure> measures_;
  std::vector<uint32_t> layersOf_;
  Members members_;
  std::vector<Host> hosts_;
  std::vector<Range> ranges_;  // heights that each host takes
};

}  // namespace

void shareLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                 const Selection& selection, const PatchTriangles& patchTriangles, const Tolerances& tolerances,
                 LayerPlan& plan) {
  if (plan.count < 2) return;
  LayerSharing(facets, patches, edges, links, selection, patchTriangles, tolerances, plan).run();
}

}  // namespace wend::exact
