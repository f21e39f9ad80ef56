#include "planning/disk/sleeve_string.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planning/disk/faces/contour_intervals.h"

namespace wend {
namespace {

constexpr double kArcStep = std::numbers::pi / 18;
// How often corners that the polygons of the arcs let slip join the path.
constexpr int kRepairs = 16;

// Walls farther than this from an arc's centre, in radii, leave it a slack of at least a tenth of the radius.
constexpr double kSleeveArcReach = 2.1;
// Of the radius: walls this near to the centre of an arc begin there.
constexpr double kTouching = 1e-6;

struct StepPortals {
  DirectedPortalId in = kNone;
  DirectedPortalId out = kNone;
};
StepPortals portalsOf(const DiskPath& path, size_t step) {
  const size_t i = step + (path.startOnPortal ? 1 : 0);
  return {i == 0 ? kNone : path.portals[i - 1], i == path.portals.size() ? kNone : path.portals[i]};
}

// The portals that lie between the ends of the path.
std::span<const DirectedPortalId> innerPortals(const DiskPath& path) {
  const size_t first = path.startOnPortal ? 1 : 0;
  const size_t last = path.portals.size() - (path.goalOnPortal && !path.portals.empty() ? 1 : 0);
  return first < last ? std::span(path.portals).subspan(first, last - first) : std::span<const DirectedPortalId>{};
}

class SleevePuller {
 public:
  SleevePuller(ShrunkPortals& table, const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path,
               double tolerance, SleeveStringScratch& scratch, DiskString& string)
      : table_(table),
        pieces_(pieces),
        ends_(ends),
        path_(path),
        tolerance_(tolerance),
        s_(scratch),
        out_(string),
        portals_(innerPortals(path)) {}

  template <typename Append>
  bool collect(const Append& append) {
    s_.portals.clear();
    s_.stepOf.clear();
    for (size_t step = 0; step < path_.steps.size(); ++step) {
      const DiskStep& at = path_.steps[step];
      const bool isEnd = at.piece == kNone && (at.entry == kNone || at.exit == kNone);
      if (!append(step) && !isEnd) return false;
      if (step < portals_.size()) addPortal(portals_[step]);
      s_.stepOf.resize(s_.portals.size(), static_cast<uint32_t>(step));
    }
    s_.string.clear();
    for (const SleevePortal& portal : s_.portals) s_.string.push_back({portal.left.place, portal.right.place});
    pullString(s_.string, ends_.start, ends_.goal, s_.funnel, s_.path);
    return true;
  }

  // The tangents and arcs around the corners of the funnel's path.
  void layAround() {
    findContacts();
    lay();
    for (int i = 0; i < kRepairs && repair(); ++i) lay();
  }

  // The funnel's path itself, with arcs where it follows a circle.
  void layAlong() {
    out_.bends.clear();
    out_.length = 0;
    Vec2 from = ends_.start;
    const std::vector<Bend>& bends = s_.path.bends;
    for (size_t i = 0; i < bends.size();) {
      const DiskContact contact = circleAt(bends[i]);
      size_t last = i;
      while (last + 1 < bends.size() && isSame(circleAt(bends[last + 1]), contact)) ++last;
      const Vec2 in = bends[i].place;
      const Vec2 out = bends[last].place;
      const Vec2 begin = in - contact.centre;
      const Vec2 end = out - contact.centre;
      double sweep = last == i ? 0 : contact.side * std::atan2(cross(begin, end), dot(begin, end));
      if (sweep < -1e-6) sweep += 2 * std::numbers::pi;
      sweep = std::max(0.0, sweep);
      out_.length += length(in - from) + sweep * contact.radius;
      out_.bends.emplace_back(contact, in, out, contact.side * sweep, 0);
      from = out;
      i = last + 1;
    }
    out_.length += length(ends_.goal - from);
    out_.bends.emplace_back(DiskContact{ends_.goal, 0, 0, 0, 0}, ends_.goal, ends_.goal, 0, HUGE_VAL);
  }

 private:
  void addPortal(DirectedPortalId portal) {
    const PortalEnds ends = portalEnds(table_, pieces_, portal);
    const auto point = [&](Vec2 place, Vec2 centre, SideId wall) {
      return wall == kNone ? ContourPoint{place, place, 0} : ContourPoint{place, centre, table_.radius()};
    };
    s_.portals.push_back(
        {point(ends.left, ends.leftCentre, ends.leftWall), point(ends.right, ends.rightCentre, ends.rightWall)});
  }
  // The stage of a contact is the number of its portal.
  static DiskContact contactOf(const ContourPoint& point, double side, uint32_t portal) {
    return {point.centre, point.radius, side, portal, portal};
  }
  DiskContact contactAt(const Bend& bend) const {
    const SleevePortal& portal = s_.portals[bend.vertex];
    const bool isLeft = portal.left.place == bend.place;
    return contactOf(isLeft ? portal.left : portal.right, isLeft ? 1 : -1, bend.vertex);
  }
  // The corner of a wall that leans over a portal stands for the wall, though the portal's end is not on its circle.
  DiskContact circleAt(const Bend& bend) const {
    const DiskContact contact = contactAt(bend);
    if (std::abs(length(bend.place - contact.centre) - contact.radius) <= tolerance_) return contact;
    return {bend.place, 0, contact.side, bend.vertex, bend.vertex};
  }
  // Feet on a wall may differ from its corner by rounding.
  bool isAlmostSame(const DiskContact& x, const DiskContact& y) const {
    return x.side == y.side && x.radius == y.radius && length(x.centre - y.centre) <= kTouching * table_.radius();
  }
  void findContacts() {
    s_.taut.assign(1, {ends_.start, 0, 0, 0, 0});
    for (const Bend& bend : s_.path.bends) {
      const DiskContact contact = circleAt(bend);
      if (isAlmostSame(s_.taut.back(), contact)) {
        s_.taut.back().lastStage = contact.lastStage;
      } else {
        s_.taut.push_back(contact);
      }
    }
    const auto last = static_cast<uint32_t>(s_.portals.size());
    s_.taut.push_back({ends_.goal, 0, 0, last, last});
  }
  void lay() {
    if (layOnce() != Laid::kWrong) return;
    dropWrongTurns(s_.taut);
    layOnce();
  }
  Laid layOnce() {
    WayFinder finder(nullptr, {}, s_.taut.size(), s_.way.own);
    s_.way.ways.assign(1, {});
    for (size_t i = 1; i < s_.taut.size(); ++i) s_.way.ways.push_back(finder.between(s_.taut[i - 1], s_.taut[i]));
    return layString(s_.taut, s_.way.ways, finder, out_);
  }

  // The tangent that leaves a circle touches it beside the last corner of the polygon that the funnel saw, so the
  // portals before the last corner but one are behind it. Around an arc of half a turn they would seem to be ahead.
  uint32_t firstCrossed(const DiskContact& contact) const {
    const std::vector<Bend>& bends = s_.path.bends;
    auto at = std::lower_bound(bends.begin(), bends.end(), contact.lastStage,
                               [](const Bend& bend, uint32_t portal) { return bend.vertex < portal; });
    if (at == bends.begin() || at == bends.end() || at->vertex != contact.lastStage) return contact.lastStage;
    return std::max(contact.firstStage, (at - 1)->vertex);
  }
  uint32_t lastCrossed(const DiskContact& contact) const {
    const std::vector<Bend>& bends = s_.path.bends;
    auto at = std::upper_bound(bends.begin(), bends.end(), contact.firstStage,
                               [](uint32_t portal, const Bend& bend) { return portal < bend.vertex; });
    if (at == bends.begin() || at == bends.end() || (at - 1)->vertex != contact.firstStage) return contact.firstStage;
    return std::min(contact.lastStage, at->vertex);
  }

  // A tangent may come a little too near to a circle of which the funnel saw a polygon. True if one joined the path.
  bool repair() {
    bool added = false;
    for (size_t i = s_.taut.size(); i-- > 1;) {
      const Tangent tangent = tangentBetween(s_.taut[i - 1], s_.taut[i]);
      const Vec2 from = touch(s_.taut[i - 1], tangent.direction);
      DiskContact worst;
      double most = tolerance_;
      const auto consider = [&](const DiskContact& contact) {
        if (isAlmostSame(contact, s_.taut[i - 1]) || isAlmostSame(contact, s_.taut[i])) return;
        const Vec2 off = contact.centre - from;
        const double along = dot(tangent.direction, off);
        const double missing = contact.radius - contact.side * cross(tangent.direction, off);
        if (along < 0 || along > tangent.length || missing <= most) return;
        most = missing;
        worst = contact;
      };
      const auto end = std::min<uint32_t>(lastCrossed(s_.taut[i]) + 1, static_cast<uint32_t>(s_.portals.size()));
      for (uint32_t k = firstCrossed(s_.taut[i - 1]); k < end; ++k) {
        consider(contactOf(s_.portals[k].left, 1, k));
        consider(contactOf(s_.portals[k].right, -1, k));
      }
      if (!(most > tolerance_)) continue;
      s_.taut.insert(s_.taut.begin() + static_cast<ptrdiff_t>(i), worst);
      added = true;
    }
    return added;
  }

  ShrunkPortals& table_;
  const DiskPieces& pieces_;
  const DiskEnds& ends_;
  const DiskPath& path_;
  double tolerance_;
  SleeveStringScratch& s_;
  DiskString& out_;
  std::span<const DirectedPortalId> portals_;
};

}  // namespace

bool CrossingSleeves::append(const DiskPieces& pieces, const DiskEnds& ends, const DiskPath& path, size_t step,
                             SleeveSource source, std::vector<SleevePortal>& portals) {
  const DiskStep& at = path.steps[step];
  if (at.piece == kNone && source == SleeveSource::kFaces) {
    return faces_.appendSleeve(at.cell, {ends.start, at.entry}, {ends.goal, at.exit}, portals);
  }
  const auto [in, out] = portalsOf(path, step);
  const bool isWhole = at.piece == kNone && in != kNone && out != kNone;
  const uint32_t crossing = isWhole ? table_.crossingIndex(in, out) : kNone;
  if (crossing == kNone) return appendFine(pieces, path, step, kArcStep, portals);
  if (crossing >= ranges_.size()) ranges_.resize(std::max<size_t>(crossing + 1, 2 * ranges_.size()));
  if (ranges_[crossing].first == kNone) {
    const auto first = static_cast<uint32_t>(portals_.size());
    const bool traced = appendFine(pieces, path, step, kArcStep, portals_);
    if (!traced) portals_.resize(first);
    ranges_[crossing] = {first, static_cast<uint32_t>(portals_.size()) - first, traced};
  }
  const Range& range = ranges_[crossing];
  portals.insert(portals.end(), portals_.begin() + range.first, portals_.begin() + range.first + range.count);
  return range.traced;
}

bool CrossingSleeves::appendFine(const DiskPieces& pieces, const DiskPath& path, size_t step, double arcStep,
                                 std::vector<SleevePortal>& portals) {
  const DiskStep& at = path.steps[step];
  if (at.entry == kNone || at.exit == kNone) return false;
  const NavMesh& mesh = table_.mesh();
  const ShrunkPortals::CellView view = table_.cell(at.cell);
  std::span<const DirectedPortalId> entries = view.entries;
  std::span<const uint32_t> faces = view.faces;
  polygon_.clear();
  if (at.piece != kNone) {
    const DiskPieces::Piece& piece = pieces.pieces()[at.piece];
    entries = piece.entries;
    faces = piece.faces.face;
    polygon_.assign(piece.polygon.begin(), piece.polygon.end());
  } else {
    for (SideId s = mesh.firstSide(at.cell); s != mesh.endSide(at.cell); ++s) polygon_.push_back(sideStart(mesh, s));
  }
  if (!findContourIntervals(table_, pieces, entries, faces, view.walls, intervals_)) return false;
  const auto [in, out] = portalsOf(path, step);
  const ContourCell cell{polygon_, intervals_, view.shapes, table_.radius(), arcStep};
  return findSleeve(cell, {at.entry, in == kNone}, {at.exit, out == kNone}, scratch_, portals);
}

bool pullSleeveString(ShrunkPortals& table, CrossingSleeves& sleeves, SleeveSource source, const DiskPieces& pieces,
                      const DiskEnds& ends, const DiskPath& path, double tolerance, SleeveStringScratch& scratch,
                      DiskString& string) {
  SleevePuller puller(table, pieces, ends, path, tolerance, scratch, string);
  const auto append = [&](size_t step) { return sleeves.append(pieces, ends, path, step, source, scratch.portals); };
  if (!puller.collect(append)) return false;
  puller.layAround();
  return true;
}

void limitArcs(ShrunkPortals& table, const DiskPath& path, const SleeveStringScratch& scratch, DiskString& string) {
  const double r = table.radius();
  const auto stepAt = [&](uint32_t portal) {
    return portal < scratch.stepOf.size() ? scratch.stepOf[portal] : path.steps.size() - 1;
  };
  for (DiskBend& bend : string.bends) {
    if (bend.sweep == 0) continue;
    const size_t last = std::min(stepAt(bend.contact.lastStage) + 1, path.steps.size() - 1);
    for (size_t step = stepAt(bend.contact.firstStage); step <= last; ++step) {
      for (const Wall& w : table.cell(path.steps[step].cell).shapes) {
        const double fromCentre = distanceToSegment(bend.contact.centre, w.a, w.b);
        // The corner's own walls are at distance r all along.
        if (fromCentre <= kTouching * r || fromCentre > kSleeveArcReach * r) continue;
        if (w.sight != nullptr && !w.sight->contains(bend.in) && !w.sight->contains(bend.out)) continue;
        bend.slack = std::min(bend.slack, std::max(0.0, arcClearance(bend, w) - r));
      }
    }
  }
}

bool pullFineSleeveString(ShrunkPortals& table, CrossingSleeves& sleeves, const DiskPieces& pieces,
                          const DiskEnds& ends, const DiskPath& path, double tolerance, SleeveStringScratch& scratch,
                          DiskString& string) {
  // A chord of an arc by this angle is nearer to the centre than the arc by half of the tolerance.
  const double arcStep = 2 * std::sqrt(tolerance / table.radius());
  SleevePuller puller(table, pieces, ends, path, tolerance, scratch, string);
  const auto append = [&](size_t step) { return sleeves.appendFine(pieces, path, step, arcStep, scratch.portals); };
  if (!puller.collect(append)) return false;
  puller.layAlong();
  return true;
}

}  // namespace wend
