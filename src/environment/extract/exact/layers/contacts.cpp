#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include "base/parallel.h"
#include "environment/extract/exact/layers/links.h"
#include "environment/extract/exact/layers/slit_areas.h"
#include "environment/extract/soup/first_equal.h"
#include "geometry/index/digit_sort.h"

namespace wend::exact {
namespace {

constexpr size_t kContactsPerTask = 256;  // edges or pairs of edges per task
constexpr size_t kLeafBlock = 32;         // leaves per task
// Walls this far beside a gap still stand in it; other things only reach into it from beyond. Grains.
constexpr double kBesideGap = 2;

// Keeps the part of an interval where low <= at + by t <= high.
void clip(Interval& interval, double at, double by, double low, double high) {
  if (by == 0) {
    if (at < low || at > high) interval.to = interval.from - 1;
    return;
  }
  double t0 = (low - at) / by;
  double t1 = (high - at) / by;
  if (t0 > t1) std::swap(t0, t1);
  interval.from = std::max(interval.from, t0);
  interval.to = std::min(interval.to, t1);
}

class ContactFinder {
 public:
  ContactFinder(const Soup& soup, const Patches& patches, const Edges& edges, const TriangleTrees& trees,
                const Tolerances& tolerances)
      : soup_(soup), points_(patches.rings.points), edges_(edges), trees_(trees), tol_(tolerances) {}

  Contacts run(const Context& context) {
    match(context);
    std::vector<std::vector<RawLink>> found = search(context);
    inOrder(found);
    found_.slits = slitsOf(found_.list, points_, tol_);
    return std::move(found_);
  }

  Contacts run(const Contacts& before, const std::vector<uint32_t>& edgeBefore, const Context& context) {
    match(context);
    std::vector<uint32_t> edgeNow(before.match.size(), kNone);
    fresh_.assign(points_.size(), 1);
    for (uint32_t e = 0; e < points_.size(); ++e) {
      if (edgeBefore[e] == kNone) continue;
      edgeNow[edgeBefore[e]] = e;
      // One that has lost its match was not looked at before.
      fresh_[e] = before.match[edgeBefore[e]] == kNone ? 0 : 1;
    }
    std::vector<std::vector<RawLink>> found = search(context);
    std::vector<RawLink> kept;
    for (RawLink link : before.list) {
      link.e = edgeNow[link.e];
      link.g = edgeNow[link.g];
      if (link.e == kNone || link.g == kNone) continue;
      if (found_.match[link.e] == kNone && found_.match[link.g] == kNone) kept.push_back(link);
    }
    found.push_back(std::move(kept));
    inOrder(found);
    found_.slits = slitsOf(found_.list, points_, tol_);
    return std::move(found_);
  }

 private:
  Point start(uint32_t e) const { return points_[e]; }
  Point end(uint32_t e) const { return points_[edges_.next[e]]; }

  // Equal edges in opposite directions at the same height. Storeys repeat edges in top view: a slot is for some
  // heights.
  void match(const Context& context) {
    const size_t n = points_.size();
    found_.match.assign(n, kNone);
    const auto waiting = std::make_unique_for_overwrite<Waiting[]>(n);
    const HashParts parts(n, context, [&](uint32_t e) {
      const Point a = start(e);
      const Point b = end(e);
      const uint64_t x = static_cast<uint64_t>(static_cast<uint32_t>(a.x)) + static_cast<uint32_t>(b.x);
      const uint64_t y = static_cast<uint64_t>(static_cast<uint32_t>(a.y)) + static_cast<uint32_t>(b.y);
      return x ^ y * 0xc2b2ae3d27d4eb4fULL;
    });
    parallelFor(parts.count(), context, [&](size_t part) {
      std::vector<uint32_t> head(std::bit_ceil(n / parts.count() + 1), kNone);
      parts.forEach(part, [&](uint32_t e, uint32_t tag) {
        const auto slotAt = [&](double z) -> uint32_t& {
          const auto storey = static_cast<uint32_t>(BoxTree::wholeFloor(z / tol_.height));
          return head[(tag + storey * 0x9e3779b9U) & (head.size() - 1)];
        };
        const double z = 0.5 * (edges_.z[e] + edges_.z[edges_.next[e]]);
        uint32_t& below = slotAt(z - tol_.contact);
        uint32_t& above = slotAt(z + tol_.contact);
        Match best{kNone, tol_.contact};
        matchAmong(e, tag, below, waiting.get(), best);
        if (&above != &below) matchAmong(e, tag, above, waiting.get(), best);
        if (best.edge != kNone) {
          found_.match[e] = best.edge;
          found_.match[best.edge] = e;
        } else {
          uint32_t& slot = slotAt(z);
          waiting[e] = {slot, tag};
          slot = e;
        }
      });
    });
  }

  // An edge that found no match among those before it.
  struct Waiting {
    uint32_t following;  // in the same slot
    uint32_t tag;        // so that most that are elsewhere need not be looked at
  };
  struct Match {
    uint32_t edge;
    double off;
  };
  // The edge that lies best against e, of those from `first` on; of equals the first of all.
  void matchAmong(uint32_t e, uint32_t tag, uint32_t first, const Waiting* waiting, Match& best) const {
    for (uint32_t g = first; g != kNone; g = waiting[g].following) {
      if (waiting[g].tag != tag) continue;
      if (found_.match[g] != kNone || start(g) != end(e) || end(g) != start(e)) continue;
      const double off =
          std::max(std::abs(edges_.z[e] - edges_.z[edges_.next[g]]), std::abs(edges_.z[edges_.next[e]] - edges_.z[g]));
      if (off < best.off || (off == best.off && g < best.edge)) best = {g, off};
    }
  }

  // Edges without a match that face each other.
  std::vector<std::vector<RawLink>> search(const Context& context) const {
    std::vector<uint32_t> open;
    std::vector<BoxTree::Extent> extents;
    open.reserve(points_.size());
    extents.reserve(points_.size());
    for (uint32_t e = 0; e < points_.size(); ++e) {
      if (found_.match[e] != kNone) continue;
      open.push_back(e);
      const auto [low, high] = std::minmax({edges_.z[e], edges_.z[edges_.next[e]]});
      extents.push_back({boxOf(start(e), end(e)), BoxTree::wholeBelow(low), BoxTree::wholeAbove(high)});
    }
    const BoxTree tree(extents, &context, open);
    std::vector<std::vector<RawLink>> found;
    if (fresh_.empty()) {
      found.resize((tree.leaves() + kLeafBlock - 1) / kLeafBlock);
      parallelFor(found.size(), context, [&](size_t i) { searchLeaves(tree, i * kLeafBlock, found[i]); });
      return found;
    }
    std::erase_if(open, [&](uint32_t e) { return fresh_[e] == 0; });
    found.resize((open.size() + kContactsPerTask - 1) / kContactsPerTask);
    parallelFor(found.size(), context, [&](size_t i) {
      searchAround(
          tree,
          std::span(open).subspan(i * kContactsPerTask, std::min(kContactsPerTask, open.size() - i * kContactsPerTask)),
          found[i]);
    });
    return found;
  }

  // By edges.
  void inOrder(const std::vector<std::vector<RawLink>>& found) {
    std::vector<const RawLink*> all;
    std::vector<uint64_t> order;  // edge and link
    for (const auto& part : found) {
      for (const RawLink& link : part) {
        order.push_back(uint64_t{link.e} << 32 | all.size());
        all.push_back(&link);
      }
    }
    sortByUpperHalf(order, static_cast<size_t>(std::bit_width(points_.size())));
    std::vector<RawLink>& raw = found_.list;
    raw.reserve(all.size());
    for (const uint64_t next : order) raw.push_back(*all[static_cast<uint32_t>(next)]);
    // Few begin at one edge.
    for (size_t i = 0, j = 0; i < raw.size(); i = j) {
      while (j < raw.size() && raw[j].e == raw[i].e) ++j;
      std::sort(raw.begin() + static_cast<std::ptrdiff_t>(i), raw.begin() + static_cast<std::ptrdiff_t>(j),
                [](const RawLink& p, const RawLink& q) { return p.g != q.g ? p.g < q.g : p.from < q.from; });
    }
  }

  struct EdgePair {
    uint32_t e, g;
  };

  // What lies between two edges that face each other.
  struct Gap {
    RawLink link;
    std::vector<Interval> open;
    double lateral;  // at most
    double middle;   // where the heights cross
    BoxTree::Extent extent;
  };
  struct Waitlist {
    std::array<Gap, BoxTree::kTogether> list;
    size_t count = 0;
  };

  // Pairs of edges with one in these leaves.
  void searchLeaves(const BoxTree& tree, size_t firstLeaf, std::vector<RawLink>& found) const {
    Waitlist gaps;
    // Those in a row are near each other.
    std::vector<EdgePair> near;
    for (size_t leaf = firstLeaf; leaf < std::min(tree.leaves(), firstLeaf + kLeafBlock); ++leaf) {
      near.clear();
      tree.forEachPair(leaf, margin(), climb(), [&](uint32_t p, uint32_t q) {
        near.push_back({std::min(p, q), std::max(p, q)});
      });
      addFacing(near, gaps, found);
    }
    addOpen(gaps, found);
  }

  // Pairs of one of these edges and any other.
  void searchAround(const BoxTree& tree, std::span<const uint32_t> some, std::vector<RawLink>& found) const {
    Waitlist gaps;
    std::vector<EdgePair> near;
    for (const uint32_t e : some) {
      near.clear();
      const Box box = boxOf(start(e), end(e));
      const auto [low, high] = std::minmax({edges_.z[e], edges_.z[edges_.next[e]]});
      tree.forEach({{box.min.x - margin(), box.min.y - margin()}, {box.max.x + margin(), box.max.y + margin()}},
                   low - climb() - 1, high + climb() + 1, [&](uint32_t g) {
                     if (g == e || (fresh_[g] != 0 && g < e)) return;
                     near.push_back({std::min(e, g), std::max(e, g)});
                   });
      addFacing(near, gaps, found);
    }
    addOpen(gaps, found);
  }

  int32_t margin() const { return static_cast<int32_t>(std::ceil(tol_.gap + 2 * tol_.grain)); }
  int32_t climb() const { return static_cast<int32_t>(std::ceil(tol_.step + tol_.contact + 1)); }

  // Of pairs of edges that are near each other those that face each other. Where something may stand between them, they
  // wait for others.
  void addFacing(std::vector<EdgePair>& near, Waitlist& gaps, std::vector<RawLink>& found) const {
    size_t kept = 0;
    for (const EdgePair pair : near) {
      near[kept] = pair;
      kept += static_cast<size_t>(runAgainst(pair.e, pair.g));
    }
    for (const auto [e, g] : std::span(near).first(kept)) {
      if (!mayFace(e, g)) continue;
      RawLink link{e, g, 0, 0, {}};
      const Facing& f = link.facing;
      if (!face(frameOf(e), e, g, link.facing)) continue;
      if (areTogether(f)) {
        addPart(link, {f.from, f.to}, found);
        continue;
      }
      gaps.list[gaps.count].link = link;
      if (++gaps.count == gaps.list.size()) addOpen(gaps, found);
    }
  }

  // What is open of those that wait.
  void addOpen(Waitlist& gaps, std::vector<RawLink>& found) const {
    const auto few = std::span(gaps.list).first(gaps.count);
    removeWalls(few);
    for (Gap& gap : few) {
      for (const Interval& interval : gap.open) addPart(gap.link, interval, found);
    }
    gaps.count = 0;
  }

  static void addPart(const RawLink& link, const Interval& part, std::vector<RawLink>& links) {
    if (part.to - part.from < 1) return;
    links.push_back(link);
    links.back().from = part.from;
    links.back().to = part.to;
  }

  // Along an edge, and to its right.
  struct Frame {
    double x, y;  // start
    double length;
    double ux, uy;  // direction
    double along(Point p) const { return (p.x - x) * ux + (p.y - y) * uy; }
    double right(Point p) const { return (p.x - x) * uy - (p.y - y) * ux; }
  };
  Frame frameOf(uint32_t e) const {
    const Point a = start(e);
    const Point b = end(e);
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double length = std::sqrt(x * x + y * y);
    return {double(a.x), double(a.y), length, x / length, y / length};
  }

  // Whether two edges are no more than 60 degrees from antiparallel. Without branches: the result is not predictable.
  bool runAgainst(uint32_t e, uint32_t g) const {
    const Point a = start(e);
    const Point b = end(e);
    const Point c = start(g);
    const Point d = end(g);
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double backX = double(c.x) - d.x;
    const double backY = double(c.y) - d.y;
    const double range = backX * x + backY * y;
    const double across = backX * y - backY * x;
    return (static_cast<int>(range > 0) & static_cast<int>(across * across <= 3.001 * range * range)) != 0;
  }

  // Whether edge g, which runs against e, is beside it and within a crack of it. All lengths are times that of e.
  bool mayFace(uint32_t e, uint32_t g) const {
    const Point a = start(e);
    const Point b = end(e);
    const Point c = start(g);
    const Point d = end(g);
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double cx = double(c.x) - a.x;
    const double cy = double(c.y) - a.y;
    const double dx = double(d.x) - a.x;
    const double dy = double(d.y) - a.y;
    const double square = x * x + y * y;
    const double common = std::min(square, cx * x + cy * y) - std::max(0.0, dx * x + dy * y);
    const double rightC = cx * y - cy * x;
    const double rightD = dx * y - dy * x;
    const double least = std::min(rightC, rightD);
    const double most = std::max(rightC, rightD);
    constexpr double kSlack = 0.01;
    const auto within = [&](double length) { return length * length * square; };
    return common > 0 && common * common >= within(1 - kSlack) &&
           (most >= 0 || most * most <= within(tol_.overlap + kSlack)) &&
           (least <= 0 || least * least <= within(tol_.gap + tol_.same + kSlack));
  }

  bool face(const Frame& frame, uint32_t e, uint32_t g, Facing& f) const {
    const double ze0 = edges_.z[e];
    const double ze1 = edges_.z[edges_.next[e]];
    const double zg0 = edges_.z[g];
    const double zg1 = edges_.z[edges_.next[g]];
    const double climb = tol_.step + tol_.contact;
    const Point a = start(e);
    const Point b = end(e);
    const Point c = start(g);
    const Point d = end(g);
    const double ex = double(b.x) - a.x;
    const double ey = double(b.y) - a.y;
    const double gx = double(d.x) - c.x;
    const double gy = double(d.y) - c.y;
    const double dot = ex * gx + ey * gy;
    const double ee = ex * ex + ey * ey;
    const double gg = gx * gx + gy * gy;
    if (dot >= 0 || dot * dot < 0.25 * ee * gg) return false;
    f.length = frame.length;
    f.ux = frame.ux;
    f.uy = frame.uy;
    f.gTo = frame.along(c);
    f.gFrom = frame.along(d);
    const double range = f.gTo - f.gFrom;
    if (!(range > 0)) return false;
    f.lateralBy = (frame.right(c) - frame.right(d)) / range;
    f.lateralAt = frame.right(d) - f.lateralBy * f.gFrom;
    f.slopeG = (zg0 - zg1) / range;
    f.lowG = zg1 - f.slopeG * f.gFrom;
    f.slopeE = (ze1 - ze0) / f.length;
    f.lowE = ze0;
    Interval interval{std::max(0.0, f.gFrom), std::min(f.length, f.gTo)};
    const double overlap = edges_.patch[e] == edges_.patch[g] ? tol_.same : tol_.overlap;
    clip(interval, f.lateralAt, f.lateralBy, -overlap, tol_.gap + tol_.same);
    clip(interval, f.lowG - f.lowE, f.slopeG - f.slopeE, -climb, climb);
    f.from = interval.from;
    f.to = interval.to;
    return f.to - f.from >= 1;
  }

  // Nothing fits between them.
  bool areTogether(const Facing& f) const {
    const double rise =
        std::max(std::abs(f.heightE(f.from) - f.heightG(f.from)), std::abs(f.heightE(f.to) - f.heightG(f.to)));
    return lateralOf(f) <= tol_.same && rise <= tol_.contact;
  }
  static double lateralOf(const Facing& f) { return std::max(f.lateral(f.from), f.lateral(f.to)); }
  void measure(Gap& gap) const {
    const Facing& f = gap.link.facing;
    gap.open.assign(1, {f.from, f.to});
    gap.lateral = lateralOf(f);
    const Point a = start(gap.link.e);
    const double margin = std::max(gap.lateral, 0.0) + 2 * kBesideGap * tol_.grain;
    Box box;
    for (const double t : {f.from, f.to}) {
      const double x = a.x + f.ux * t;
      const double y = a.y + f.uy * t;
      box.add(Point{static_cast<int32_t>(x - margin), static_cast<int32_t>(y - margin)});
      box.add(Point{static_cast<int32_t>(x + margin), static_cast<int32_t>(y + margin)});
    }
    const auto [low, high] = std::minmax({f.heightE(f.from), f.heightE(f.to), f.heightG(f.from), f.heightG(f.to)});
    gap.extent = {box, BoxTree::wholeFloor(low + tol_.step), -BoxTree::wholeFloor(-(high + tol_.height))};
    const double by = f.slopeG - f.slopeE;
    gap.middle = by == 0 ? f.from : -(f.lowG - f.lowE) / by;
  }

  // Takes out the parts where a wall stands between both edges, higher than a step above the lower of them.
  void removeWalls(std::span<Gap> gaps) const {
    std::array<Gap*, BoxTree::kTogether> asked;
    for (size_t i = 0; i < gaps.size(); ++i) {
      measure(gaps[i]);
      asked[i] = &gaps[i];
    }
    remove(std::span(asked).first(gaps.size()), trees_.walls, kBesideGap * tol_.grain);
    // A gap may be what something above it has cut out.
    const auto last = std::remove_if(asked.begin(), asked.begin() + gaps.size(),
                                     [&](const Gap* gap) { return gap->open.empty() || gap->lateral <= tol_.same; });
    remove(std::span(asked.begin(), last), trees_.others, -kBesideGap * tol_.grain);
  }

  void remove(std::span<Gap* const> gaps, const BoxTree& tree, double beside) const {
    std::array<BoxTree::Extent, BoxTree::kTogether> extents;
    for (size_t i = 0; i < gaps.size(); ++i) extents[i] = gaps[i]->extent;
    tree.forEach(std::span(extents).first(gaps.size()), [&](uint32_t t, uint32_t which) {
      for (; which != 0; which &= which - 1) {
        removeTriangle(soup_.triangles[t], beside, *gaps[static_cast<size_t>(std::countr_zero(which))]);
      }
    });
  }

  // In the frame of an edge.
  struct Corner {
    double t, lateral, z;
  };

  void removeTriangle(const Triangle& triangle, double margin, Gap& gap) const {
    if (gap.open.empty()) return;
    const Facing& f = gap.link.facing;
    const Point a = start(gap.link.e);
    const std::array<Point3, 3> wall = soup_.corners(triangle);
    const auto lateralOf = [&](const Point3& q) { return (double(q.x) - a.x) * f.uy - (double(q.y) - a.y) * f.ux; };
    const std::array<double, 3> lateral{lateralOf(wall[0]), lateralOf(wall[1]), lateralOf(wall[2])};
    // Most lie on one side of the gap as a whole.
    constexpr double kSlack = 0.01;
    const double least = std::min(std::min(lateral[0], lateral[1]), lateral[2]);
    const double most = std::max(std::max(lateral[0], lateral[1]), lateral[2]);
    if (most + margin <= 0 || least > std::max(gap.lateral, 0.0) + margin + kSlack) return;
    std::array<Corner, 3> corners;
    for (size_t i = 0; i < 3; ++i) {
      const double t = (double(wall[i].x) - a.x) * f.ux + (double(wall[i].y) - a.y) * f.uy;
      corners[i] = {t, lateral[i], double(wall[i].z)};
    }
    // The lower of the two heights is linear on either side of the place where they cross.
    if (gap.middle > f.from && gap.middle < f.to) {
      removeTriangle(corners, {f.from, gap.middle}, margin, gap);
      removeTriangle(corners, {gap.middle, f.to}, margin, gap);
    } else {
      removeTriangle(corners, {f.from, f.to}, margin, gap);
    }
  }

  void removeTriangle(const std::array<Corner, 3>& wall, Interval part, double margin, Gap& gap) const {
    const Facing& f = gap.link.facing;
    std::array<Corner, 12> p;
    std::copy(wall.begin(), wall.end(), p.begin());
    uint32_t count = 3;
    // Most of the rest lie beyond another limit as a whole.
    const auto misses = [&](const auto& value) { return std::max({value(p[0]), value(p[1]), value(p[2])}) <= 0; };
    const auto afterStart = [&](const Corner& c) { return c.t - part.from; };
    const auto beforeEnd = [&](const Corner& c) { return part.to - c.t; };
    const auto onThisSide = [&](const Corner& c) { return c.lateral + margin; };
    if (misses(afterStart) || misses(beforeEnd)) return;
    const auto keep = [&](auto&& value) {  // where value(corner) > 0
      std::array<double, 12> d;
      bool any = false;
      bool all = true;
      for (uint32_t i = 0; i < count; ++i) {
        d[i] = value(p[i]);
        any = any || d[i] > 0;
        all = all && d[i] >= 0;
      }
      if (!any || all) return any;
      std::array<Corner, 12> kept;
      uint32_t n = 0;
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t next = i + 1 == count ? 0 : i + 1;
        const Corner& u = p[i];
        const Corner& v = p[next];
        if (d[i] >= 0) kept[n++] = u;
        if ((d[i] > 0 && d[next] < 0) || (d[i] < 0 && d[next] > 0)) {
          const double s = d[i] / (d[i] - d[next]);
          kept[n++] = {u.t + s * (v.t - u.t), u.lateral + s * (v.lateral - u.lateral), u.z + s * (v.z - u.z)};
        }
      }
      std::copy_n(kept.begin(), n, p.begin());
      count = n;
      return true;
    };
    const double middle = 0.5 * (part.from + part.to);
    const bool eIsLower = f.heightE(middle) <= f.heightG(middle);
    const auto lower = [&](double t) { return eIsLower ? f.heightE(t) : f.heightG(t); };
    const auto farSide = [&](double t) { return std::max(f.lateral(t), 0.0) + margin; };
    const double farFrom = farSide(part.from);
    const double farBy = (farSide(part.to) - farFrom) / std::max(part.to - part.from, 1e-9);
    const auto onThatSide = [&](const Corner& c) { return farFrom + farBy * (c.t - part.from) - c.lateral; };
    // Half of the slack that floors are cut with: along the edge of what it has cut out itself, a wall stands in the
    // way, and rounding has no say.
    const double slack = 0.5 * tol_.contact;
    const auto aboveStep = [&](const Corner& c) { return c.z - lower(c.t) - tol_.step - slack; };
    const auto belowHead = [&](const Corner& c) { return lower(c.t) + tol_.height - slack - c.z; };
    if (misses(onThatSide) || misses(aboveStep) || misses(belowHead)) return;
    if (!keep(afterStart) || !keep(beforeEnd) || !keep(onThisSide) || !keep(onThatSide) || !keep(aboveStep) ||
        !keep(belowHead)) {
      return;
    }
    Interval blocked{1e300, -1e300};
    for (uint32_t i = 0; i < count; ++i) {
      blocked.from = std::min(blocked.from, p[i].t);
      blocked.to = std::max(blocked.to, p[i].t);
    }
    if (blocked.to - blocked.from < 1e-6) return;
    without(gap.open, blocked);
  }

  const Soup& soup_;
  const std::vector<Point>& points_;
  const Edges& edges_;
  const TriangleTrees& trees_;
  const Tolerances& tol_;
  std::vector<uint8_t> fresh_;  // pairs of edges without a mark are known; empty if nothing is
  Contacts found_;
};

}  // namespace

Contacts findContacts(const Soup& soup, const Patches& patches, const Edges& edges, const TriangleTrees& trees,
                      const Tolerances& tolerances, const Context& context) {
  return ContactFinder(soup, patches, edges, trees, tolerances).run(context);
}

Contacts updateContacts(const Contacts& contacts, const std::vector<uint32_t>& edgeBefore, const Soup& soup,
                        const Patches& patches, const Edges& edges, const TriangleTrees& trees,
                        const Tolerances& tolerances, const Context& context) {
  return ContactFinder(soup, patches, edges, trees, tolerances).run(contacts, edgeBefore, context);
}

}  // namespace wend::exact
