#include "mesh/cell_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/cell_geometry.h"

namespace wend {

namespace {

// A bucket with more cells than this is divided while that helps and the budget lasts.
constexpr size_t kCrowded = 12;
constexpr int kMaxDepth = 6;
// Entries per cell: of one grid, and of the whole tree.
constexpr size_t kSpread = 6;
constexpr size_t kBudget = 40;
// Lattice units. Crossings of sides and rows are computed with an error below 1e-6 (coordinates below 2^30, 53 bits);
// ranges grow by this much so that they never miss a bucket.
constexpr double kMargin = 1e-4;
// A split must leave each side at most this part of the cells; so many sides are tried for one.
constexpr double kWorthSplitting = 0.8;
constexpr size_t kTrials = 8;
constexpr size_t kSample = 64;
// Finer buckets than this would be lost in rounding.
constexpr double kMinBucket = 0.25;

struct Range {
  uint32_t row;
  uint32_t firstColumn;
  uint32_t lastColumn;
};

struct RowExtent {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  void add(double v) {
    min = std::min(min, v);
    max = std::max(max, v);
  }
  double within(double low, double high) const { return std::max(0.0, std::min(max, high) - std::max(min, low)); }
};

}  // namespace

struct CellGrid::Builder {
  const NavMesh& mesh;
  CellGrid& grid;
  size_t budget;
  std::vector<RowExtent> rowExtents;

  uint32_t build(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth);
  void sort(const Node& node, std::span<const CellId> cells, std::vector<uint32_t>& begin, std::vector<CellId>& sorted);
  // A bucket of such cells: listed, divided or split.
  Bucket fill(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth);
  Bucket list(std::span<const CellId> cells);
  bool split(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth, Bucket& out);
  // Whether the cell reaches left (1), right (2) or both (3) of the line inside the box; conservative.
  int sidesOf(CellId cell, Vec2 a, Vec2 b, Vec2 low, Vec2 high) const;
  Node shape(std::span<const CellId> cells, Vec2 low, Vec2 high) const;
  void ranges(const Node& node, CellId cell, std::vector<Range>& out);
  void box(CellId cell, RowExtent& x, RowExtent& y) const;
};

void CellGrid::Builder::box(CellId cell, RowExtent& x, RowExtent& y) const {
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 p = startPoint(mesh, s);
    x.add(p.x);
    y.add(p.y);
  }
}

// Buckets as wide and high as the average cell, about one per cell, fewer if the cells are so long that they would
// reach into too many.
CellGrid::Node CellGrid::Builder::shape(std::span<const CellId> cells, Vec2 low, Vec2 high) const {
  const double width = std::max(high.x - low.x, kMinBucket);
  const double height = std::max(high.y - low.y, kMinBucket);
  const auto count = static_cast<double>(cells.size());
  double sumWidth = 0;
  double sumHeight = 0;
  for (const CellId cell : cells) {
    RowExtent x;
    RowExtent y;
    box(cell, x, y);
    sumWidth += x.within(low.x, high.x);
    sumHeight += y.within(low.y, high.y);
  }
  double columns = std::max(1.0, width * count / std::max(sumWidth, kMinBucket));
  double rows = std::max(1.0, height * count / std::max(sumHeight, kMinBucket));
  const double scale = std::sqrt(2 * count / (columns * rows));
  columns *= scale;
  rows *= scale;
  // A convex cell that spans c columns and r rows reaches into about c + r buckets besides those it covers, and the
  // covered ones add up to the grid.
  while (columns * rows + sumWidth / width * columns + sumHeight / height * rows + count >
             static_cast<double>(kSpread) * count &&
         columns * rows > 1) {
    columns /= 1.25;
    rows /= 1.25;
  }
  Node node;
  node.low = low;
  node.columns = static_cast<uint32_t>(std::clamp(std::round(columns), 1.0, std::max(1.0, width / kMinBucket)));
  node.rows = static_cast<uint32_t>(std::clamp(std::round(rows), 1.0, std::max(1.0, height / kMinBucket)));
  // A thin layer leaves one direction with a single bucket: the other must not exceed the cells for that.
  node.columns = std::min(node.columns, static_cast<uint32_t>(std::min(4 * count, 65536.0)));
  node.rows = std::min(node.rows, static_cast<uint32_t>(std::min(4 * count, 65536.0)));
  node.scaleX = node.columns / width;
  node.scaleY = node.rows / height;
  return node;
}

// The buckets a cell reaches into, row by row: inside a row its extent is that of its sides there.
void CellGrid::Builder::ranges(const Node& node, CellId cell, std::vector<Range>& out) {
  RowExtent boxX;
  RowExtent boxY;
  box(cell, boxX, boxY);
  const uint32_t firstRow = node.row(boxY.min - kMargin);
  const uint32_t lastRow = node.row(boxY.max + kMargin);
  if (firstRow == lastRow) {
    out.push_back({firstRow, node.column(boxX.min - kMargin), node.column(boxX.max + kMargin)});
    return;
  }
  rowExtents.assign(lastRow - firstRow + 1, {});
  const double rowHeight = 1 / node.scaleY;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    Vec2 a = startPoint(mesh, s);
    Vec2 b = endPoint(mesh, s);
    if (a.y > b.y) std::swap(a, b);
    const uint32_t bottom = node.row(a.y - kMargin);
    const uint32_t top = node.row(b.y + kMargin);
    for (uint32_t row = bottom; row <= top; ++row) {
      // The rows at the rim reach to infinity, since coordinates beyond the grid are clamped into them.
      const double low = row == 0 ? a.y : std::max(a.y, node.low.y + row * rowHeight - kMargin);
      const double high = row + 1 == node.rows ? b.y : std::min(b.y, node.low.y + (row + 1) * rowHeight + kMargin);
      const auto crossing = [&](double y) {
        const double x = y <= a.y ? a.x : y >= b.y ? b.x : a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y));
        return std::clamp(x, std::min(a.x, b.x), std::max(a.x, b.x));
      };
      RowExtent& extent = rowExtents[row - firstRow];
      // A side that ends on the row's border, or is level there, counts with both ends.
      const bool level = b.y - a.y <= 2 * kMargin;
      extent.add(level ? a.x : crossing(low));
      extent.add(level ? b.x : crossing(high));
    }
  }
  for (uint32_t row = firstRow; row <= lastRow; ++row) {
    const RowExtent& extent = rowExtents[row - firstRow];
    if (extent.min > extent.max) continue;
    out.push_back({row, node.column(extent.min - kMargin), node.column(extent.max + kMargin)});
  }
}

// Counting sort of the cells into the buckets of a node; those of bucket i are at begin[i] to begin[i + 1], ascending.
void CellGrid::Builder::sort(const Node& node, std::span<const CellId> cells, std::vector<uint32_t>& begin,
                             std::vector<CellId>& sorted) {
  std::vector<Range> spans;
  std::vector<uint32_t> spanBegin{0};
  for (const CellId cell : cells) {
    ranges(node, cell, spans);
    spanBegin.push_back(static_cast<uint32_t>(spans.size()));
  }
  const auto forBuckets = [&](const Range& r, auto&& body) {
    const size_t row = static_cast<size_t>(r.row) * node.columns;
    for (uint32_t c = r.firstColumn; c <= r.lastColumn; ++c) body(row + c);
  };
  begin.assign(static_cast<size_t>(node.columns) * node.rows + 1, 0);
  for (const Range& r : spans) forBuckets(r, [&](size_t bucket) { ++begin[bucket + 1]; });
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  sorted.resize(begin.back());
  std::vector<uint32_t> cursor(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < cells.size(); ++i) {
    for (uint32_t s = spanBegin[i]; s < spanBegin[i + 1]; ++s) {
      forBuckets(spans[s], [&](size_t bucket) { sorted[cursor[bucket]++] = cells[i]; });
    }
  }
}

uint32_t CellGrid::Builder::build(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth) {
  Node node = shape(cells, low, high);
  node.first = static_cast<uint32_t>(grid.buckets_.size());
  const auto index = static_cast<uint32_t>(grid.nodes_.size());
  grid.nodes_.push_back(node);
  const size_t count = static_cast<size_t>(node.columns) * node.rows;
  grid.buckets_.resize(grid.buckets_.size() + count);

  std::vector<uint32_t> begin;
  std::vector<CellId> sorted;
  sort(node, cells, begin, sorted);
  budget -= std::min(budget, sorted.size());
  for (size_t i = 0; i < count; ++i) {
    const auto here = std::span<const CellId>(sorted).subspan(begin[i], begin[i + 1] - begin[i]);
    const size_t wholeRows = i / node.columns;
    const auto row = static_cast<double>(wholeRows);
    const auto column = static_cast<double>(i % node.columns);
    const Vec2 from{node.low.x + column / node.scaleX, node.low.y + row / node.scaleY};
    const Vec2 to{node.low.x + (column + 1) / node.scaleX, node.low.y + (row + 1) / node.scaleY};
    const Bucket bucket = fill(here, from, to, depth + 1);
    grid.buckets_[node.first + i] = bucket;
  }
  return index;
}

CellGrid::Bucket CellGrid::Builder::list(std::span<const CellId> cells) {
  const auto begin = static_cast<uint32_t>(grid.entries_.size());
  grid.entries_.insert(grid.entries_.end(), cells.begin(), cells.end());
  return {begin, static_cast<uint32_t>(grid.entries_.size())};
}

CellGrid::Bucket CellGrid::Builder::fill(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth) {
  if (cells.size() <= kCrowded) return list(cells);
  const Node finer = shape(cells, low, high);
  const bool affordable = depth <= kMaxDepth && kSpread * cells.size() <= budget;
  const size_t buckets = affordable ? static_cast<size_t>(finer.columns) * finer.rows : 1;
  if (2 * buckets >= cells.size()) return {build(cells, low, high, depth), kDivided};
  Bucket bucket;
  if (split(cells, low, high, 0, bucket)) return bucket;
  // Around the tip of a fan every line touches every cell; a coarse grid at least confines that to a small part.
  return buckets > 1 ? Bucket{build(cells, low, high, depth), kDivided} : list(cells);
}

int CellGrid::Builder::sidesOf(CellId cell, Vec2 a, Vec2 b, Vec2 low, Vec2 high) const {
  int reached = 0;
  bool wasOn = orient(a, b, startPoint(mesh, mesh.endSide(cell) - 1)) == 0;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    const Vec2 p = startPoint(mesh, s);
    const int turn = orient(a, b, p);
    if (turn != 0) reached |= turn > 0 ? 1 : 2;
    // A corner on the line counts only where queries can be.
    const bool near =
        p.x >= low.x - kMargin && p.x <= high.x + kMargin && p.y >= low.y - kMargin && p.y <= high.y + kMargin;
    if (turn == 0 && (near || wasOn)) return 3;
    wasOn = turn == 0;
  }
  return reached;
}

bool CellGrid::Builder::split(std::span<const CellId> cells, Vec2 low, Vec2 high, int depth, Bucket& out) {
  constexpr int kMaxSplits = 32;
  if (cells.size() <= kCrowded || depth >= kMaxSplits || cells.size() > budget) return false;
  // Judged by a sample, evenly spaced.
  const size_t step = (cells.size() + kSample - 1) / kSample;
  SideId best = kNone;
  const size_t sampled = cells.size() / step;
  auto bestSize = static_cast<size_t>(kWorthSplitting * static_cast<double>(sampled));
  for (size_t trial = 0; trial < kTrials; ++trial) {
    const CellId cell = cells[cells.size() * (2 * trial + 1) / (2 * kTrials)];
    const SideId side = mesh.firstSide(cell) + static_cast<SideId>(trial % mesh.sideCount(cell));
    size_t left = 0;
    size_t right = 0;
    for (size_t i = 0; i < cells.size(); i += step) {
      const int reached = sidesOf(cells[i], startPoint(mesh, side), endPoint(mesh, side), low, high);
      left += (reached & 1) != 0;
      right += (reached & 2) != 0;
    }
    if (std::max(left, right) < bestSize) {
      bestSize = std::max(left, right);
      best = side;
    }
  }
  if (best == kNone) return false;

  const auto index = static_cast<uint32_t>(grid.splits_.size());
  const Vec2 a = startPoint(mesh, best);
  const Vec2 b = endPoint(mesh, best);
  grid.splits_.push_back({a, b, {}, {}});
  std::vector<CellId> left;
  std::vector<CellId> right;
  for (const CellId c : cells) {
    const int reached = sidesOf(c, a, b, low, high);
    if ((reached & 1) != 0) left.push_back(c);
    if ((reached & 2) != 0) right.push_back(c);
  }
  budget -= std::min(budget, left.size() + right.size() - cells.size());
  Bucket leftBucket;
  Bucket rightBucket;
  if (!split(left, low, high, depth + 1, leftBucket)) leftBucket = list(left);
  if (!split(right, low, high, depth + 1, rightBucket)) rightBucket = list(right);
  grid.splits_[index].left = leftBucket;
  grid.splits_[index].right = rightBucket;
  out = {index, kSplit};
  return true;
}

CellGrid::CellGrid(const NavMesh& mesh, std::span<const CellId> cells) {
  if (cells.empty()) return;
  RowExtent x;
  RowExtent y;
  Builder builder{mesh, *this, kBudget * cells.size() + 256, {}};
  for (const CellId cell : cells) builder.box(cell, x, y);
  if (x.min > x.max) return;
  low_ = {x.min, y.min};
  high_ = {x.max, y.max};
  builder.build(cells, low_, high_, 0);
  nodes_.shrink_to_fit();
  buckets_.shrink_to_fit();
  splits_.shrink_to_fit();
  entries_.shrink_to_fit();
}

size_t CellGrid::memory() const {
  return nodes_.size() * sizeof(Node) + buckets_.size() * sizeof(Bucket) + splits_.size() * sizeof(Split) +
         entries_.size() * sizeof(CellId);
}

}  // namespace wend
