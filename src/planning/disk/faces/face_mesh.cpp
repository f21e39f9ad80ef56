#include "planning/disk/faces/face_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/predicates.h"
#include "planning/disk/faces/contour_intervals.h"

namespace wend {
namespace {

constexpr double kFaceArcStep = std::numbers::pi / 18;
// Of the radius: a place this little outside of all triangles is in the nearest one. Borders are rounded.
constexpr double kOutside = 1e-6;

}  // namespace

const FaceMeshes::Record& FaceMeshes::find(CellId cell) {
  if (records_.empty()) records_.resize(table_.mesh().cellCount());
  Record& record = records_[cell];
  if (record.known) return record;
  record.known = true;
  record.firstTriangle = static_cast<uint32_t>(triangles_.size());
  record.firstInterval = static_cast<uint32_t>(atInterval_.size());
  const size_t firstPoint = points_.size();
  record.traced = trace(cell, record);
  if (!record.traced) {
    points_.resize(firstPoint);
    triangles_.resize(record.firstTriangle);
    faces_.resize(record.firstTriangle);
    atInterval_.resize(record.firstInterval);
  }
  record.triangleCount = static_cast<uint32_t>(triangles_.size()) - record.firstTriangle;
  return record;
}

bool FaceMeshes::trace(CellId cell, Record& record) {
  const ShrunkPortals::CellView view = table_.cell(cell);
  polygon_.clear();
  const NavMesh& mesh = table_.mesh();
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) polygon_.push_back(sideStart(mesh, s));
  if (!findContourIntervals(table_, noPieces_, view.entries, view.faces, view.walls, intervals_)) return false;
  const ContourCell contour{polygon_, intervals_, view.shapes, table_.radius(), kFaceArcStep};
  const auto count = static_cast<uint32_t>(intervals_.size());
  atInterval_.resize(record.firstInterval + count, kNone);
  for (uint32_t i = 0; i < count; ++i) {
    if (atInterval_[record.firstInterval + i] != kNone) continue;
    const auto firstTriangle = static_cast<uint32_t>(triangles_.size());
    if (addFace(contour, i, record.firstInterval)) continue;
    // The other faces of the cell may be known nevertheless.
    triangles_.resize(firstTriangle);
    faces_.resize(firstTriangle);
    for (uint32_t k = 0; k < count; ++k) {
      uint32_t& triangle = atInterval_[record.firstInterval + k];
      if (triangle != kNone && triangle >= firstTriangle) triangle = kNone;
    }
  }
  return true;
}

// The polygon of a face: its free intervals, and the traced borders between them.
bool FaceMeshes::addFace(const ContourCell& cell, uint32_t first, uint32_t firstInterval) {
  corners_.clear();
  const auto add = [&](const ContourPoint& point) {
    points_.push_back(point);
    corners_.push_back({static_cast<uint32_t>(points_.size() - 1), 0, 0});
  };
  uint32_t at = first;
  for (size_t steps = 0; steps <= cell.intervals.size(); ++steps) {
    const ContourInterval& interval = cell.intervals[at];
    border_.clear();
    const uint32_t next = traceContour(cell, at, border_);
    if (next == kNoWall) return false;
    // Begin and end of the interval are corners, even if they are the same place.
    if (corners_.empty()) add({interval.begin, interval.begin, 0});
    corners_.back().interval = at;
    if (border_.empty()) border_.push_back({interval.end, interval.end, 0});
    border_.front().place = interval.end;
    if (border_.size() > 1) border_.back().place = cell.intervals[next].begin;
    for (const ContourPoint& point : border_) add(point);
    if (next == first) {
      // The last corner is the first one, where the trace knows the circle that ends the interval.
      points_[corners_.front().point] = points_[corners_.back().point];
      points_[corners_.front().point].place = cell.intervals[first].begin;
      corners_.pop_back();
      while (corners_.size() < 3) add(points_[corners_.back().point]);
      if (!triangulate(firstInterval)) return false;
      faces_.resize(triangles_.size(), interval.face);
      return true;
    }
    at = next;
  }
  return false;
}

bool FaceMeshes::triangulate(uint32_t firstInterval) {
  const auto count = static_cast<uint32_t>(corners_.size());
  for (uint32_t i = 0; i < count; ++i) {
    corners_[i].next = i + 1 == count ? 0 : i + 1;
    corners_[i].previous = i == 0 ? count - 1 : i - 1;
  }
  uint32_t left = count;
  uint32_t at = 0;
  // Rounds that cut off every other corner keep the paths in the tree short.
  for (const bool strict : {true, false}) {
    uint32_t since = 0;
    while (left > 3 && since <= left) {
      if (!isEar(at, strict)) {
        at = corners_[at].next;
        ++since;
        continue;
      }
      const uint32_t next = corners_[at].next;
      cutOff(at, firstInterval);
      --left;
      since = 0;
      at = corners_[next].next;
    }
  }
  if (left > 3) return false;
  cutOff(at, firstInterval);
  return true;
}

// Not strict: where the border touches itself.
bool FaceMeshes::isEar(uint32_t v, bool strict) const {
  const uint32_t u = corners_[v].previous;
  const uint32_t w = corners_[v].next;
  const Vec2 a = points_[corners_[u].point].place;
  const Vec2 b = points_[corners_[v].point].place;
  const Vec2 c = points_[corners_[w].point].place;
  const int turn = orient(a, b, c);
  if (turn < 0) return false;
  if (turn == 0) return !strict || b == a || b == c;
  const Vec2 low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
  const Vec2 high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
  for (uint32_t i = corners_[w].next; i != u; i = corners_[i].next) {
    const Vec2 p = points_[corners_[i].point].place;
    if (p.x < low.x || p.x > high.x || p.y < low.y || p.y > high.y || p == a || p == c) continue;
    if (p == b) {
      if (strict) return false;
      continue;
    }
    if (orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) > 0) return false;
  }
  return true;
}

void FaceMeshes::cutOff(uint32_t v, uint32_t firstInterval) {
  const uint32_t u = corners_[v].previous;
  const uint32_t w = corners_[v].next;
  const auto triangle = static_cast<uint32_t>(triangles_.size());
  triangles_.push_back({corners_[u].point, corners_[v].point, corners_[w].point, kNone});
  const auto join = [&](const Corner& corner) {
    if (corner.interval != kNone) atInterval_[firstInterval + corner.interval] = triangle;
    if (corner.triangle != kNone) triangles_[corner.triangle].parent = triangle;
  };
  join(corners_[u]);
  join(corners_[v]);
  if (corners_[w].next == u) join(corners_[w]);
  corners_[u].interval = kNone;
  corners_[u].triangle = triangle;
  corners_[u].next = w;
  corners_[w].previous = u;
}

uint32_t FaceMeshes::triangleAt(const Record& record, Vec2 place) const {
  const uint32_t end = record.firstTriangle + record.triangleCount;
  const auto corners = [&](uint32_t i) {
    const Triangle& t = triangles_[i];
    return std::array<Vec2, 3>{points_[t.u].place, points_[t.v].place, points_[t.w].place};
  };
  for (uint32_t i = record.firstTriangle; i < end; ++i) {
    const auto [a, b, c] = corners(i);
    if (cross(b - a, place - a) >= 0 && cross(c - b, place - b) >= 0 && cross(a - c, place - c) >= 0 &&
        cross(b - a, c - a) > 0) {
      return i;
    }
  }
  uint32_t best = kNone;
  double least = kOutside * table_.radius();
  for (uint32_t i = record.firstTriangle; i < end; ++i) {
    const auto [a, b, c] = corners(i);
    const double off =
        std::min({distanceToSegment(place, a, b), distanceToSegment(place, b, c), distanceToSegment(place, c, a)});
    if (off > least) continue;
    least = off;
    best = i;
  }
  return best;
}

bool FaceMeshes::appendSleeve(CellId cell, const Stop& from, const Stop& to, std::vector<SleevePortal>& portals) {
  const Record& record = find(cell);
  if (!record.traced) return false;
  const auto triangleOf = [&](const Stop& stop) {
    return stop.interval == kNone ? triangleAt(record, stop.place) : atInterval_[record.firstInterval + stop.interval];
  };
  uint32_t t = triangleOf(from);
  uint32_t last = triangleOf(to);
  if (t == kNone || last == kNone || faces_[t] != faces_[last]) return false;
  back_.clear();
  // Parents have larger numbers.
  while (t != last) {
    if (t < last) {
      portals.push_back({points_[triangles_[t].u], points_[triangles_[t].w]});
      t = triangles_[t].parent;
    } else {
      back_.push_back({points_[triangles_[last].w], points_[triangles_[last].u]});
      last = triangles_[last].parent;
    }
  }
  portals.insert(portals.end(), back_.rbegin(), back_.rend());
  return true;
}

size_t FaceMeshes::bytes() const {
  return records_.capacity() * sizeof(Record) + points_.capacity() * sizeof(ContourPoint) +
         triangles_.capacity() * (sizeof(Triangle) + sizeof(uint32_t)) + atInterval_.capacity() * sizeof(uint32_t);
}

}  // namespace wend
