#include "environment/extract/exact/drawing/separate.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "base/parallel.h"
#include "environment/extract/exact/drawing/rejoin.h"
#include "environment/extract/exact/free_space/convex_covers.h"

namespace wend::exact {
namespace {

// PatchBorders this near are the same line. Grains.
constexpr double kTouch = 2.5;
// More than that. Grains.
constexpr double kSeparateBeside = 3;
constexpr size_t kLeavesPerTask = 32;
constexpr size_t kPatchesPerTask = 16;

// What is cut off on the left of a line. Layers that hand it on do so with the same line, each one wall's width deeper.
struct Strip {
  uint32_t patch;     // to be trimmed
  uint32_t receiver;  // the layer that takes what is cut off, or kNone
  Point a, b;
  double before, after;  // how far it goes on beyond the ends of the line, as it does to the left
  double width;
  bool isRoom;  // over or under what an earlier layer gave away; where it leads to is not known yet
  Convex area;
};

class Separator {
 public:
  Separator(const Facets& facets, const Patches& patches, const PatchBorders& borders, const LayerPlan& plan,
            const Tolerances& tolerances, const Context& context)
      : facets_(facets),
        patches_(patches),
        borders_(borders),
        plan_(plan),
        tol_(tolerances),
        touch_(kTouch * tolerances.grain),
        beside_(static_cast<int32_t>(std::ceil(kSeparateBeside * tolerances.grain))),
        strips_(plan.count),
        context_(context) {}

  Separation run() {
    result_.marked.assign(patches_.count(), 0);
    const std::vector<BorderSegment> whole = borders_.boundary(context_);
    result_.borders = whole;
    result_.openings = closeBorders(result_.borders);
    findContacts();
    for (uint32_t layer = 0; layer < plan_.count; ++layer) trimLayer(layer);
    if (parts_.empty()) return std::move(result_);
    result_.borders = rejoin(borders_, borders_.boundary(whole, result_.marked), parts_, plan_, tol_, context_);
    result_.openings = closeBorders(result_.borders);
    for (auto& [patch, parts] : parts_) {
      for (Trimmed& part : parts) result_.parts.push_back(std::move(part));
    }
    return std::move(result_);
  }

 private:
  void findContacts() {
    const std::vector<BorderSegment>& borders = result_.borders;
    std::vector<uint32_t> beyond(borders.size(), kNone);  // the layer that a segment leads to
    for (const auto& [i, j] : result_.openings) {
      beyond[i] = borders[j].layer;
      beyond[j] = borders[i].layer;
    }
    std::vector<BoxTree::Extent> extents(borders.size());
    for (uint32_t i = 0; i < borders.size(); ++i) {
      const Box box = boxOf(borders[i].a, borders[i].b);
      // Layers in place of heights.
      extents[i] = {{{box.min.x - beside_, box.min.y - beside_}, {box.max.x + beside_, box.max.y + beside_}},
                    static_cast<int32_t>(borders[i].layer),
                    static_cast<int32_t>(borders[i].layer) + 1};
    }
    const BoxTree tree(extents, &context_);
    struct Contact {
      uint32_t i, k;
      double from, to;
    };
    const size_t blocks = (tree.leaves() + kLeavesPerTask - 1) / kLeavesPerTask;
    std::vector<std::vector<Contact>> found(blocks);
    std::vector<std::vector<Corner>> foundCorners(blocks);
    parallelFor(blocks, context_, [&](size_t block) {
      for (size_t leaf = block * kLeavesPerTask; leaf < std::min(tree.leaves(), (block + 1) * kLeavesPerTask); ++leaf) {
        tree.forEachPair(leaf, 0, 0, [&](uint32_t p, uint32_t q) {
          if (borders[p].patch == borders[q].patch) return;
          Contact contact{std::min(p, q), std::max(p, q), 0, 0};
          if (touch(borders[contact.i], borders[contact.k], contact.from, contact.to)) {
            found[block].push_back(contact);
          } else {
            findCorners(borders[p], borders[q], foundCorners[block]);
          }
        });
      }
    });
    std::vector<Contact> contacts;
    for (const std::vector<Contact>& part : found) contacts.insert(contacts.end(), part.begin(), part.end());
    std::sort(contacts.begin(), contacts.end(),
              [](const Contact& c, const Contact& d) { return c.i != d.i ? c.i < d.i : c.k < d.k; });
    for (const Contact& c : contacts) trim(c.i, c.k, c.from, c.to, beyond);
    std::vector<Corner> corners;
    for (const std::vector<Corner>& part : foundCorners) corners.insert(corners.end(), part.begin(), part.end());
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (const Corner& corner : corners) trimCorner(corner);
  }

  // A corner of one patch on the border of another, too far above or below it to be one way.
  struct Corner {
    uint32_t first, second;  // patches
    Point p;
    auto operator<=>(const Corner&) const = default;
  };
  void findCorners(const BorderSegment& s, const BorderSegment& t, std::vector<Corner>& corners) const {
    if (s.patch >= patches_.count() || t.patch >= patches_.count()) return;
    const Facet& facet = facets_.list[patches_.facet[s.patch]];
    const Facet& other = facets_.list[patches_.facet[t.patch]];
    // Most are at one height.
    if (std::max(facet.high, other.high) - std::min(facet.low, other.low) <= tol_.step) return;
    const auto find = [&](Point p, const BorderSegment& on) {
      if (std::abs(facet.plane.at(p) - other.plane.at(p)) > tol_.step + tol_.contact && liesOn(on.a, on.b, p, touch_)) {
        corners.push_back({std::min(s.patch, t.patch), std::max(s.patch, t.patch), p});
      }
    };
    for (const Point p : {s.a, s.b}) find(p, t);
    for (const Point p : {t.a, t.b}) find(p, s);
  }
  const Plane& planeOf(uint32_t patch) const { return facets_.list[patches_.facet[patch]].plane; }

  // The height there is ambiguous.
  void trimCorner(const Corner& corner) {
    const Point p = corner.p;
    if (isTrimmed(corner.first, p) || isTrimmed(corner.second, p)) return;
    const auto rank = [&](uint32_t patch) { return std::pair(leadsOn(patch, p), -planeOf(patch).at(p)); };
    const bool first = rank(corner.first) < rank(corner.second);
    const uint32_t layer = plan_.layer[corner.first];
    Strip strip{first ? corner.first : corner.second, kNone, p, p, 0, 0, tol_.wall, false, {}};
    const auto wide = static_cast<int32_t>(std::ceil(tol_.wall));
    for (const Point side : {Point{-wide, -wide}, {wide, -wide}, {wide, wide}, {-wide, wide}}) {
      strip.area.add({p.x + side.x, p.y + side.y});
    }
    addStrip(strip, layer);
    trimBeside(strip, layer, first ? corner.second : corner.first);
  }

  // Whether a way from a patch into another layer begins or ends at p.
  bool leadsOn(uint32_t patch, Point p) {
    const std::vector<BorderSegment>& own = bordersOf(patch);
    return std::any_of(own.begin(), own.end(), [&](const BorderSegment& s) {
      return s.partner < patches_.count() && plan_.layer[s.partner] != plan_.layer[patch] &&
             liesOn(s.a, s.b, p, touch_);
    });
  }

  // Whether two segments run against each other along one line; `from` and `to` on the first, in units.
  bool touch(const BorderSegment& s, const BorderSegment& t, double& from, double& to) const {
    const double x = double(s.b.x) - s.a.x;
    const double y = double(s.b.y) - s.a.y;
    // Most do not.
    if ((double(t.a.x) - t.b.x) * x + (double(t.a.y) - t.b.y) * y <= 0) return false;
    const double length = std::sqrt(x * x + y * y);
    const auto along = [&](Point p) { return ((double(p.x) - s.a.x) * x + (double(p.y) - s.a.y) * y) / length; };
    const auto right = [&](Point p) { return ((double(p.x) - s.a.x) * y - (double(p.y) - s.a.y) * x) / length; };
    const double end = along(t.a);
    const double begin = along(t.b);
    if (end - begin <= 0) return false;
    const double by = (right(t.a) - right(t.b)) / (end - begin);
    if (std::abs(by) > 0.1) return false;
    from = std::max(0.0, begin);
    to = std::min(length, end);
    const auto off = [&](double u) { return std::abs(right(t.b) + by * (u - begin)); };
    return to - from >= 2 && off(from) <= touch_ && off(to) <= touch_;
  }

  double heightOf(const BorderSegment& s) const {
    if (s.patch >= patches_.count()) return 0;
    return facets_.list[patches_.facet[s.patch]].plane.at(s.a);
  }

  void trim(uint32_t i, uint32_t k, double from, double to, const std::vector<uint32_t>& beyond) {
    const std::vector<BorderSegment>& borders = result_.borders;
    // Cut where nothing is lost but area; failing that, where a later layer takes the strip; of equals, the upper one.
    const auto rank = [&](uint32_t s) {
      if (borders[s].patch >= patches_.count()) return 3;
      if (beyond[s] == kNone) return 0;
      return beyond[s] > borders[s].layer ? 1 : 2;
    };
    uint32_t cut = i;
    uint32_t other = k;
    if (std::tuple(rank(k), -heightOf(borders[k])) < std::tuple(rank(i), -heightOf(borders[i]))) std::swap(cut, other);
    if (rank(cut) == 3) return;
    // The short end of a crack that was filled. A passage so narrow is closed as a neck, if it is one.
    if (rank(other) == 3 && to - from < tol_.wall) return;
    Point a = pointOn(borders[i], from);
    Point b = pointOn(borders[i], to);
    if (cut != i) std::swap(a, b);
    a = snapped(a, borders[cut], borders[other]);
    b = snapped(b, borders[cut], borders[other]);
    if (a == b) return;
    const double before = linkedAt(borders[cut].patch, a, borders[other].patch) ? 0 : tol_.wall;
    const double after = linkedAt(borders[cut].patch, b, borders[other].patch) ? 0 : tol_.wall;
    if (to - from < tol_.jag && before + after < 2 * tol_.wall) return;
    Strip strip{borders[cut].patch, rank(cut) == 1 ? beyond[cut] : kNone, a, b, before, after, tol_.wall, false, {}};
    strip.area = areaOf(strip);
    if (strip.area.count < 3) return;
    addStrip(strip, borders[cut].layer);
    trimBeside(strip, borders[cut].layer, borders[other].patch);
  }

  void addStrip(const Strip& strip, uint32_t layer) {
    strips_[layer].push_back(strip);
    areasOf_[strip.patch].push_back(strip.area);
  }
  bool isTrimmed(uint32_t patch, Point p) const {
    const auto it = areasOf_.find(patch);
    return it != areasOf_.end() && std::any_of(it->second.begin(), it->second.end(),
                                               [&](const Convex& area) { return contains(area, std::span(&p, 1)); });
  }

  // Asked for the same patch many times in a row.
  const std::vector<BorderSegment>& bordersOf(uint32_t patch) {
    if (ownPatch_ != patch) {
      ownPatch_ = patch;
      own_.clear();
      borders_.of(patch, own_);
    }
    return own_;
  }

  // Neighbours with a corner at the end of the strip, and theirs, would still touch there.
  void trimBeside(Strip strip, uint32_t layer, uint32_t across) {
    std::vector<uint32_t> reached{strip.patch};
    for (size_t next = 0; next < reached.size(); ++next) {
      for (const BorderSegment& s : bordersOf(reached[next])) {
        if (s.partner < patches_.count() && s.partner != across && plan_.layer[s.partner] == layer &&
            (contains(strip.area, std::span(&s.a, 1)) || contains(strip.area, std::span(&s.b, 1))) &&
            std::find(reached.begin(), reached.end(), s.partner) == reached.end()) {
          reached.push_back(s.partner);
        }
      }
    }
    for (size_t i = 1; i < reached.size(); ++i) {
      strip.patch = reached[i];
      addStrip(strip, layer);
    }
  }

  static Point pointOn(const BorderSegment& s, double along) {
    const double length = std::hypot(double(s.b.x) - s.a.x, double(s.b.y) - s.a.y);
    const double t = along / length;
    return rounded(s.a.x + t * (double(s.b.x) - s.a.x), s.a.y + t * (double(s.b.y) - s.a.y));
  }
  Point snapped(Point p, const BorderSegment& first, const BorderSegment& second) const {
    for (const Point q : {first.a, first.b, second.a, second.b}) {
      if (std::hypot(double(q.x) - p.x, double(q.y) - p.y) <= touch_) return q;
    }
    return p;
  }

  // Whether a link between the two patches of this layer ends at p: then the passage must not be narrowed.
  bool linkedAt(uint32_t patch, Point p, uint32_t other) {
    const std::vector<BorderSegment>& own = bordersOf(patch);
    return std::any_of(own.begin(), own.end(), [&](const BorderSegment& s) {
      return (s.a == p || s.b == p) && s.partner != kNone && (s.partner == other || s.partner >= patches_.count());
    });
  }

  // On the left of the line, and a little to its right.
  Convex areaOf(const Strip& strip) const {
    const Point a = strip.a;
    const Point b = strip.b;
    const double length = std::hypot(double(b.x) - a.x, double(b.y) - a.y);
    const double x = (double(b.x) - a.x) / length;
    const double y = (double(b.y) - a.y) / length;
    Convex area;
    const auto add = [&](Point p, double along, double left) {
      area.add(rounded(p.x + x * along - y * left, p.y + y * along + x * left));
    };
    add(a, -strip.before, -beside_);
    add(b, strip.after, -beside_);
    add(b, strip.after, strip.width);
    add(a, -strip.before, strip.width);
    tidy(area);
    return area;
  }

  void trimLayer(uint32_t layer) {
    std::vector<Strip>& strips = strips_[layer];
    std::stable_sort(strips.begin(), strips.end(), [](const Strip& s, const Strip& t) {
      return s.patch != t.patch ? s.patch < t.patch : s.width > t.width;
    });
    dropNarrower(strips);
    findReceivers(strips);
    std::vector<std::span<const Strip>> groups;  // of each patch
    for (size_t i = 0, j = 0; i < strips.size(); i = j) {
      while (j < strips.size() && strips[j].patch == strips[i].patch) ++j;
      groups.push_back(std::span(strips).subspan(i, j - i));
    }
    std::vector<Trim> trims(groups.size());
    parallelBlocks(groups.size(), kPatchesPerTask, context_, [&](size_t begin, size_t end) {
      Cutter cutter;
      for (size_t i = begin; i < end; ++i) trims[i] = trimPatch(groups[i], layer, cutter);
    });
    for (size_t i = 0; i < groups.size(); ++i) {
      const uint32_t patch = groups[i][0].patch;
      result_.marked[patch] = 1;
      parts_[patch] = std::move(trims[i].parts);
      for (const Strip& strip : trims[i].given) makeRoom(strip);
    }
  }

  // A layer finds strips of its own along the line of those that were handed to it. Only the widest counts, or each
  // layer would hand on one more than it got. Room is wider than what is found, and so comes first.
  void dropNarrower(std::vector<Strip>& strips) const {
    const auto near = [&](Point p, Point q) { return std::hypot(double(p.x) - q.x, double(p.y) - q.y) <= touch_; };
    size_t kept = 0;
    size_t room = 0;  // the first of the same patch
    for (const Strip& strip : strips) {
      if (kept > 0 && strips[kept - 1].patch != strip.patch) room = kept;
      size_t i = room;
      while (i < kept && strips[i].isRoom && !(near(strips[i].a, strip.a) && near(strips[i].b, strip.b))) ++i;
      if (i == kept || !strips[i].isRoom) {
        strips[kept++] = strip;
      } else if (strips[i].receiver == kNone) {
        strips[i].receiver = strip.receiver;
      }
    }
    strips.erase(strips.begin() + static_cast<ptrdiff_t>(kept), strips.end());
  }

  // What becomes of a patch: its parts, and the strips that went to later layers.
  struct Trim {
    std::vector<Trimmed> parts;
    std::vector<Strip> given;
  };
  // All strips are of one patch.
  Trim trimPatch(std::span<const Strip> strips, uint32_t layer, Cutter& cutter) const {
    const uint32_t patch = strips[0].patch;
    std::vector<Trimmed> before;
    if (const auto it = parts_.find(patch); it != parts_.end()) before = it->second;
    if (result_.marked[patch] == 0) before.push_back({patch, layer, ringsOf(patch)});
    std::vector<uint32_t> receivers;
    for (const Strip& strip : strips) {
      if (strip.receiver != kNone) receivers.push_back(strip.receiver);
    }
    std::sort(receivers.begin(), receivers.end());
    receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
    Trim trim;
    for (Trimmed& part : before) {
      if (part.layer != layer) {
        trim.parts.push_back(std::move(part));
        continue;
      }
      std::vector<Convex> areas;
      for (const Strip& strip : strips) areas.push_back(strip.area);
      Rings rest;
      if (!cutter.cut(part.rings, areas, CutPart::kOutside, rest).ok()) {
        trim.parts.push_back(std::move(part));
        continue;
      }
      for (const uint32_t receiver : receivers) give(part, receiver, strips, cutter, trim);
      if (rest.count() > 0) trim.parts.push_back({patch, layer, std::move(rest)});
    }
    return trim;
  }

  static void give(const Trimmed& part, uint32_t receiver, std::span<const Strip> strips, Cutter& cutter, Trim& trim) {
    std::vector<Convex> areas;
    for (const Strip& strip : strips) {
      if (strip.receiver == receiver) areas.push_back(strip.area);
    }
    Rings given;
    if (!cutter.cut(part.rings, areas, CutPart::kInside, given).ok() || given.count() == 0) return;
    trim.parts.push_back({part.patch, receiver, std::move(given)});
    for (const Strip& strip : strips) {
      if (strip.receiver == receiver) trim.given.push_back(strip);
    }
  }

  Rings ringsOf(uint32_t patch) const {
    std::vector<BorderSegment> borders;
    std::vector<uint32_t> begin;
    borders_.of(patch, borders, &begin);
    Rings rings;
    std::vector<Point> ring;
    for (size_t r = 0; r + 1 < begin.size(); ++r) {
      ring.clear();
      for (uint32_t i = begin[r]; i < begin[r + 1]; ++i) ring.push_back(borders[i].a);
      if (ring.size() >= 3) rings.add(ring);
    }
    return rings;
  }

  // The receiver's own patches above or below the strip give way in turn, by one more wall's width to each side.
  void makeRoom(const Strip& strip) {
    const Plane& plane = facets_.list[patches_.facet[strip.patch]].plane;
    Strip room = strip;
    room.receiver = kNone;
    room.isRoom = true;
    if (room.before > 0) room.before += tol_.wall;
    if (room.after > 0) room.after += tol_.wall;
    room.width += tol_.wall;
    room.area = areaOf(room);
    if (room.area.count < 3) return;
    const Box box = boxOf(room.area.ring());
    for (const uint32_t p : patchesOf(strip.receiver)) {
      const Facet& facet = facets_.list[patches_.facet[p]];
      if (!overlap(facet.box, box)) continue;
      if (std::abs(facet.plane.at(room.a) - plane.at(room.a)) < 0.5 * tol_.height) continue;
      room.patch = p;
      strips_[strip.receiver].push_back(room);
    }
  }

  const std::vector<uint32_t>& patchesOf(uint32_t layer) {
    if (patchesOf_.empty()) {
      patchesOf_.resize(plan_.count);
      for (uint32_t p = 0; p < patches_.count(); ++p) {
        if (plan_.layer[p] != kNone) patchesOf_[plan_.layer[p]].push_back(p);
      }
    }
    return patchesOf_[layer];
  }

  // Room is made at the expense of the patches that lead to a later layer there, and of those behind them: all of it
  // goes to that layer, or the way would break where the strip leaves the first patch. Strips are sorted by patch.
  void findReceivers(std::vector<Strip>& strips) {
    std::vector<uint32_t> known;
    for (uint32_t i = 0; i < strips.size(); ++i) {
      if (strips[i].isRoom && strips[i].receiver == kNone) strips[i].receiver = receiverOf(strips[i]);
      if (strips[i].receiver != kNone) known.push_back(i);
    }
    while (!known.empty()) {
      const Strip from = strips[known.back()];
      known.pop_back();
      const auto pass = [&](uint32_t patch, const auto& reaches) {
        const auto first = std::lower_bound(strips.begin(), strips.end(), patch,
                                            [](const Strip& s, uint32_t p) { return s.patch < p; });
        for (auto it = first; it != strips.end() && it->patch == patch; ++it) {
          if (!it->isRoom || it->receiver != kNone || !reaches(it->area)) continue;
          it->receiver = from.receiver;
          known.push_back(static_cast<uint32_t>(it - strips.begin()));
        }
      };
      const Box box = boxOf(from.area.ring());
      pass(from.patch, [&](const Convex& area) { return overlap(boxOf(area.ring()), box); });
      for (const BorderSegment& s : bordersOf(from.patch)) {
        if (s.partner >= patches_.count() || s.partner == s.patch || !passes(s, from.area)) continue;
        pass(s.partner, [&](const Convex& area) { return passes(s, area); });
      }
    }
  }

  // The later layer that the patch of a strip leads to inside it, or kNone.
  uint32_t receiverOf(const Strip& strip) {
    for (const BorderSegment& s : bordersOf(strip.patch)) {
      if (s.partner == kNone || s.partner >= patches_.count()) continue;
      const uint32_t layer = plan_.layer[s.partner];
      if (layer == kNone || layer <= plan_.layer[strip.patch]) continue;
      const Point middle{static_cast<int32_t>((int64_t{s.a.x} + s.b.x) / 2),
                         static_cast<int32_t>((int64_t{s.a.y} + s.b.y) / 2)};
      if (contains(strip.area, std::span(&middle, 1))) return layer;
    }
    return kNone;
  }

  static bool overlap(const Box& p, const Box& q) {
    return p.min.x <= q.max.x && q.min.x <= p.max.x && p.min.y <= q.max.y && q.min.y <= p.max.y;
  }

  // Whether part of a segment lies in an area.
  static bool passes(const BorderSegment& s, const Convex& area) {
    double from = 0;
    double to = 1;
    for (uint32_t i = 0; i < area.count && from <= to; ++i) {
      const Point a = area.p[i];
      const Point b = area.p[i + 1 == area.count ? 0 : i + 1];
      const auto inside = [&](Point p) {
        return (double(b.x) - a.x) * (double(p.y) - a.y) - (double(b.y) - a.y) * (double(p.x) - a.x);
      };
      const double first = inside(s.a);
      const double last = inside(s.b);
      if (first < 0 && last < 0) return false;
      if (first < 0) from = std::max(from, first / (first - last));
      if (last < 0) to = std::min(to, first / (first - last));
    }
    return from <= to;
  }

  const Facets& facets_;
  const Patches& patches_;
  const PatchBorders& borders_;
  const LayerPlan& plan_;
  const Tolerances& tol_;
  double touch_;
  int32_t beside_;
  std::vector<std::vector<Strip>> strips_;                     // of each layer
  std::unordered_map<uint32_t, std::vector<Convex>> areasOf_;  // of the strips of each patch, as far as contacts go
  TrimmedParts parts_;
  std::vector<std::vector<uint32_t>> patchesOf_;  // of each layer
  const Context& context_;
  std::vector<BorderSegment> own_;
  uint32_t ownPatch_ = kNone;
  Separation result_;
};

}  // namespace

Separation separate(const Facets& facets, const Patches& patches, const PatchBorders& borders, const LayerPlan& plan,
                    const Tolerances& tolerances, const Context& context) {
  return Separator(facets, patches, borders, plan, tolerances, context).run();
}

}  // namespace wend::exact
