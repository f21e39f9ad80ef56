#pragma once

#include <vector>

#include <wend/environment.h>

// Voronoi cells of persons, counted in small squares: each walkable square belongs to the nearest person that it is
// joined to within a distance. The areas of all cells add up to the area of the squares, so the number of persons is
// kept. Along its edges, a cell differs from the exact Voronoi cell by up to a square.
namespace wend {

class VoronoiDensity {
 public:
  VoronoiDensity(const Layer& layer, const Lattice& lattice, Vec2 min, Vec2 max, double cell);

  struct Occupant {
    Vec2 at;  // metres
  };
  // Gives every square its owner. After it densityAt() and densityOf() hold for these persons.
  void assign(std::span<const Occupant> persons, double cutoff);
  // 1 over the area of the person's cell; 0 for a person outside the raster.
  double densityOf(size_t person) const { return densities_[person]; }
  // Of the square's owner; 0 without one.
  double densityAt(uint32_t square) const;

  // The squares that have an owner.
  std::span<const uint32_t> owned() const { return owned_; }

  uint32_t columns() const { return columns_; }
  uint32_t rows() const { return rows_; }
  double cell() const { return cell_; }
  bool isFree(uint32_t square) const { return free_[square] != 0; }
  Vec2 centre(uint32_t square) const;
  // kNone outside.
  uint32_t squareOf(Vec2 metres) const;

 private:
  void fill(const Layer& layer, const Lattice& lattice);

  Vec2 min_;
  double cell_;
  uint32_t columns_ = 0;
  uint32_t rows_ = 0;
  std::vector<uint8_t> free_;
  std::vector<uint32_t> owner_;
  std::vector<float> distance_;
  std::vector<uint32_t> round_;    // in which assign() the owner was set
  std::vector<uint32_t> visited_;  // by which flood
  std::vector<uint32_t> stack_;
  std::vector<uint32_t> owned_;
  std::vector<double> densities_;
  uint32_t rounds_ = 0;
  uint32_t floods_ = 0;
};

}  // namespace wend
