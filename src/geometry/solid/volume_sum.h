#pragma once

#include <array>
#include <cstdint>

#include "geometry/solid/polyhedron.h"

// Sums of volumes that can be compared exactly.
//
// The volume of a polyhedron is a fraction whose denominator grows with every corner, so sums of thousands would need
// megabits. Instead each volume is known modulo two primes of 61 bits: equal sums are equal there, and different sums
// are equal in both with a chance below 2^-100.
namespace wend {

class VolumeSum {
 public:
  // In units of 1/6 of a cubic lattice unit.
  void add(const Polyhedron& solid) { add(solid, false); }
  void subtract(const Polyhedron& solid) { add(solid, true); }

  double cubicUnits() const { return rounded_; }
  const std::array<uint64_t, 2>& residues() const { return residues_; }
  // A denominator was a multiple of a prime: that prime says nothing. Practically never.
  bool decided() const { return decided_; }
  bool operator==(const VolumeSum& o) const { return residues_ == o.residues_; }

  static VolumeSum of(double cubicUnits, const std::array<uint64_t, 2>& residues) {
    VolumeSum sum;
    sum.rounded_ = cubicUnits;
    sum.residues_ = residues;
    return sum;
  }

 private:
  void add(const Polyhedron& solid, bool negative);

  double rounded_ = 0;
  std::array<uint64_t, 2> residues_{};
  bool decided_ = true;
};

}  // namespace wend
