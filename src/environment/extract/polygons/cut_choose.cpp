#include <algorithm>
#include <cmath>

#include "environment/extract/polygons/cut.h"

// Which parts of sides bound what is left, and which way.
namespace wend::extraction {
namespace {

// Up to so many sides of an outline it is looked at before the pieces are.
constexpr uint32_t kFewLines = 8;

}  // namespace

bool Cutter::runsAlong(Point a, Point b, uint32_t side) const {
  return orient(a, b, sides_[side].a) == 0 && orient(a, b, sides_[side].b) == 0;
}

// A convex ring: on both sides of the part, on neither, or only on one where the part runs along its border.
Cutter::Cover Cutter::coverOf(const Convex& piece, std::span<const Line> lines, const Part& part) const {
  // Without branches: where a part lies is not predictable.
  int beyond = 0;
  int close = 0;
  for (const Line& line : lines) {
    const double turn = line.turn(part.x, part.y);
    beyond |= static_cast<int>(turn < -line.near);
    close |= static_cast<int>(turn <= line.near);
  }
  if (beyond != 0) return Cover::kNo;
  return close == 0 ? Cover::kBoth : coverNear(piece, lines, part);
}

Cutter::Cover Cutter::coverNear(const Convex& piece, std::span<const Line> lines, const Part& part) const {
  Cover cover = Cover::kBoth;
  for (uint32_t i = 0; i < piece.count; ++i) {
    const Line& line = lines[i];
    const double turn = line.turn(part.x, part.y);
    if (std::abs(turn) <= line.near && runsAlong(piece.p[i], piece.p[i + 1 == piece.count ? 0 : i + 1], part.side)) {
      const Side& side = sides_[part.side];
      const bool along = line.x * (double(side.b.x) - side.a.x) + line.y * (double(side.b.y) - side.a.y) > 0;
      cover = along ? Cover::kLeft : Cover::kRight;
      continue;
    }
    if (turn < 0) return Cover::kNo;
  }
  return cover;
}

void Cutter::sortIntoRows(const Box& box) {
  rowOrigin_ = double(box.min.y) - 2;
  const double height = double(box.max.y) - box.min.y + 4;
  // A side may be off its true place by rounding: it belongs to the rows beside it too.
  const auto rowOf = [&](double y) { return static_cast<uint32_t>((y - rowOrigin_) * rowsPerUnit_); };
  const auto first = [&](uint32_t i) { return rowOf(double(std::min(sides_[i].a.y, sides_[i].b.y)) - 1); };
  const auto last = [&](uint32_t i) { return rowOf(double(std::max(sides_[i].a.y, sides_[i].b.y)) + 1); };
  uint32_t rows = outlineSides_;
  for (uint64_t entries = 0;; rows /= 2) {
    rowsPerUnit_ = rows / height;
    entries = 0;
    for (uint32_t i = 0; i < outlineSides_; ++i) entries += last(i) - first(i) + 1;
    if (rows == 1 || entries <= 8 * uint64_t{outlineSides_}) break;
  }
  rowBegin_.assign(rows + 2, 0);
  for (uint32_t i = 0; i < outlineSides_; ++i) {
    for (uint32_t r = first(i); r <= last(i); ++r) ++rowBegin_[r + 2];
  }
  for (size_t r = 2; r < rowBegin_.size(); ++r) rowBegin_[r] += rowBegin_[r - 1];
  rowItems_.resize(rowBegin_.back());
  for (uint32_t i = 0; i < outlineSides_; ++i) {
    for (uint32_t r = first(i); r <= last(i); ++r) rowItems_[rowBegin_[r + 1]++] = i;
  }
}

Cutter::Cover Cutter::outlineAt(const Part& part) {
  std::span<const uint32_t> row;
  if (!rowBegin_.empty()) {
    const double at = (part.y - rowOrigin_) * rowsPerUnit_;
    if (at < 0 || at >= static_cast<double>(rowBegin_.size() - 2)) return Cover::kNo;
    const auto r = static_cast<size_t>(at);
    row = std::span(rowItems_).subspan(rowBegin_[r], rowBegin_[r + 1] - rowBegin_[r]);
  }
  tests_ += rowBegin_.empty() ? outlineLines_.size() : row.size();
  // Without jumps; what lies next to a side is looked at again.
  int inside = 0;
  int close = 0;
  const auto pass = [&](const Line& line) {
    const double turn = line.turn(part.x, part.y);
    close |= static_cast<int>(std::abs(turn) <= line.near);
    // It counts if it passes on the right: upwards with the place on its left, or downwards with that on its right.
    const int begins = static_cast<int>(line.ay > part.y);
    const int ends = static_cast<int>(line.ay + line.y > part.y);
    inside ^= (begins ^ ends) & (begins ^ static_cast<int>(turn > 0));
  };
  if (rowBegin_.empty()) {
    for (const Line& line : outlineLines_) pass(line);
  } else {
    for (const uint32_t i : row) pass(outlineLines_[i]);
  }
  const Cover cover = inside != 0 ? Cover::kBoth : Cover::kNo;
  if (close == 0) return cover;
  if (rowBegin_.empty()) {
    for (uint32_t i = 0; i < outlineSides_; ++i) {
      if (const Cover along = alongOutline(part, i); along != Cover::kNo) return along;
    }
  } else {
    for (const uint32_t i : row) {
      if (const Cover along = alongOutline(part, i); along != Cover::kNo) return along;
    }
  }
  return cover;
}

// On which side the outline lies of a part that runs along this side of it; kNo if it does not.
Cutter::Cover Cutter::alongOutline(const Part& part, uint32_t i) const {
  const Line& line = outlineLines_[i];
  if (std::abs(line.turn(part.x, part.y)) > line.near || !runsAlong(sides_[i].a, sides_[i].b, part.side)) {
    return Cover::kNo;
  }
  const double along = line.x * (part.x - line.ax) + line.y * (part.y - line.ay);
  if (!(along > 0 && along < line.x * line.x + line.y * line.y)) return Cover::kNo;
  const Side& side = sides_[part.side];
  return line.x * (double(side.b.x) - side.a.x) + line.y * (double(side.b.y) - side.a.y) > 0 ? Cover::kLeft
                                                                                             : Cover::kRight;
}

// False if that takes too many tests.
bool Cutter::choose(std::span<const Convex> pieces, CutPart part) {
  arrows_.clear();
  const bool outside = part == CutPart::kOutside;
  nearPieces_.resize(pieces.size());
  const bool outlineFirst = outlineSides_ <= kFewLines;
  // Pieces whose boxes hold the middle of a part.
  const auto findNear = [&](const Part& p) {
    const PackedBox place(p.x, p.y);
    size_t found = 0;
    const auto test = [&](uint32_t k) {
      nearPieces_[found] = k;
      found += packedBoxes_[k].holds(place) ? 1 : 0;
    };
    if (pieces.size() > kGridFrom) {
      const std::span<const uint32_t> bucket = grid_.at(Vec2{p.x, p.y});
      tests_ += bucket.size();
      for (const uint32_t k : bucket) test(k);
    } else {
      tests_ += pieces.size();
      for (uint32_t k = 0; k < pieces.size(); ++k) test(k);
    }
    return found;
  };
  for (const Part& p : parts_) {
    if (tests_ > limits_.tests) return false;
    const uint32_t shape = sides_[p.side].shape;
    // Along the outline itself the outline's own part decides.
    if (outlineFirst && shape != 0 && outlineAt(p) != Cover::kBoth) continue;
    bool left = shape != 0;  // covered by a piece
    bool right = shape == 0;
    bool repeated = false;
    // What is covered on both sides bounds nothing, whatever lies around it; the right of the outline does not matter.
    bool both = false;
    const size_t found = findNear(p);
    for (size_t i = 0; i < found && !both; ++i) {
      const uint32_t k = nearPieces_[i];
      if (k + 1 == shape) continue;
      const Cover cover = coverOf(pieces[k], std::span(pieceLines_).subspan(firstLine_[k], pieces[k].count), p);
      left = left || cover == Cover::kBoth || cover == Cover::kLeft;
      right = right || cover == Cover::kBoth || cover == Cover::kRight;
      // Of pieces that share a border, the first draws it.
      repeated = repeated || (shape != 0 && cover == Cover::kLeft && k + 1 < shape);
      both = left && right;
    }
    if (repeated || (both && (outside || shape != 0))) continue;
    if (!outlineFirst && shape != 0 && outlineAt(p) != Cover::kBoth) continue;
    const bool keepLeft = left != outside;
    const bool keepRight = shape != 0 && right != outside;
    if (keepLeft && !keepRight) arrows_.push_back({p.a, p.b});
    if (keepRight && !keepLeft) arrows_.push_back({p.b, p.a});
  }
  return true;
}

}  // namespace wend::extraction
