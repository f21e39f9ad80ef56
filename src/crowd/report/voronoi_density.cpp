#include "crowd/report/voronoi_density.h"

namespace wend {

VoronoiDensity::VoronoiDensity(const Layer& layer, const Lattice& lattice, Vec2 min, Vec2 max, double cell)
    : min_(min), cell_(cell) {
  columns_ = static_cast<uint32_t>(std::max(1.0, std::ceil((max.x - min.x) / cell - 1e-9)));
  rows_ = static_cast<uint32_t>(std::max(1.0, std::ceil((max.y - min.y) / cell - 1e-9)));
  const size_t squares = static_cast<size_t>(columns_) * rows_;
  free_.assign(squares, 0);
  owner_.assign(squares, kNone);
  distance_.assign(squares, 0);
  round_.assign(squares, 0);
  visited_.assign(squares, 0);
  fill(layer, lattice);
}

// Row by row: the centre is walkable between crossings of odd and even number.
void VoronoiDensity::fill(const Layer& layer, const Lattice& lattice) {
  std::vector<std::vector<double>> crossings(rows_);
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      Vec2 a = lattice.toMetres(ring[i]);
      Vec2 b = lattice.toMetres(ring[(i + 1) % ring.size()]);
      if (a.y > b.y) std::swap(a, b);
      const double first = std::ceil((a.y - min_.y) / cell_ - 0.5);
      const double last = std::ceil((b.y - min_.y) / cell_ - 0.5);
      for (double r = std::max(0.0, first); r < std::min(static_cast<double>(rows_), last); ++r) {
        const double y = min_.y + (r + 0.5) * cell_;
        crossings[static_cast<size_t>(r)].push_back(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
      }
    }
  };
  for (const Polygon& polygon : layer.free) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  for (uint32_t r = 0; r < rows_; ++r) {
    std::vector<double>& row = crossings[r];
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i + 1 < row.size(); i += 2) {
      const double first = std::max(0.0, std::ceil((row[i] - min_.x) / cell_ - 0.5));
      const double last = std::min(static_cast<double>(columns_), std::ceil((row[i + 1] - min_.x) / cell_ - 0.5));
      for (double c = first; c < last; ++c) free_[static_cast<size_t>(r) * columns_ + static_cast<size_t>(c)] = 1;
    }
  }
}

Vec2 VoronoiDensity::centre(uint32_t square) const {
  const auto column = square % columns_;
  const auto row = square / columns_;
  return {min_.x + (static_cast<double>(column) + 0.5) * cell_, min_.y + (static_cast<double>(row) + 0.5) * cell_};
}

uint32_t VoronoiDensity::squareOf(Vec2 metres) const {
  const double c = std::floor((metres.x - min_.x) / cell_);
  const double r = std::floor((metres.y - min_.y) / cell_);
  if (!(c >= 0 && c < columns_ && r >= 0 && r < rows_)) return kNone;
  return static_cast<uint32_t>(r) * columns_ + static_cast<uint32_t>(c);
}

void VoronoiDensity::assign(std::span<const Occupant> persons, double cutoff) {
  ++rounds_;
  owned_.clear();
  for (size_t b = 0; b < persons.size(); ++b) {
    const uint32_t start = squareOf(persons[b].at);
    if (start == kNone) continue;
    ++floods_;
    stack_.assign(1, start);
    visited_[start] = floods_;
    while (!stack_.empty()) {
      const uint32_t square = stack_.back();
      stack_.pop_back();
      const Vec2 c = centre(square);
      const auto d = static_cast<float>(std::hypot(c.x - persons[b].at.x, c.y - persons[b].at.y));
      if (d > cutoff && square != start) continue;
      if (round_[square] != rounds_) owned_.push_back(square);
      if (round_[square] != rounds_ || d < distance_[square]) {
        round_[square] = rounds_;
        distance_[square] = d;
        owner_[square] = static_cast<uint32_t>(b);
      }
      const uint32_t column = square % columns_;
      const auto push = [&](uint32_t next) {
        if (visited_[next] == floods_ || free_[next] == 0) return;
        visited_[next] = floods_;
        stack_.push_back(next);
      };
      if (column > 0) push(square - 1);
      if (column + 1 < columns_) push(square + 1);
      if (square >= columns_) push(square - columns_);
      if (square + columns_ < free_.size()) push(square + columns_);
    }
  }
  densities_.assign(persons.size(), 0);
  for (const uint32_t square : owned_) densities_[owner_[square]] += 1;
  // A person without a square of its own shares one with another person.
  for (size_t b = 0; b < persons.size(); ++b) {
    if (squareOf(persons[b].at) != kNone) densities_[b] = 1 / (std::max(1.0, densities_[b]) * cell_ * cell_);
  }
}

double VoronoiDensity::densityAt(uint32_t square) const {
  return round_[square] == rounds_ ? densities_[owner_[square]] : 0;
}

}  // namespace wend
