#include "geometry/solid/volume_sum.h"

namespace wend {
namespace {

constexpr std::array<uint64_t, 2> kPrimes{(uint64_t{1} << 61) - 1, (uint64_t{1} << 61) - 31};  // both prime

uint64_t times(uint64_t a, uint64_t b, uint64_t prime) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Unsigned>(a) * b % prime);
}
uint64_t plus(uint64_t a, uint64_t b, uint64_t prime) {
  const uint64_t sum = a + b;
  return sum >= prime ? sum - prime : sum;
}
uint64_t less(uint64_t a, uint64_t b, uint64_t prime) {
  return a >= b ? a - b : a + prime - b;
}

}  // namespace

void VolumeSum::add(const Polyhedron& solid, bool negative) {
  rounded_ += negative ? -volumeOf(solid) : volumeOf(solid);
  std::vector<std::array<uint64_t, 3>> corners(solid.vertices.size());
  for (size_t k = 0; k < kPrimes.size(); ++k) {
    const uint64_t prime = kPrimes[k];
    for (size_t i = 0; i < corners.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto value = residue(solid.vertices[i], axis, prime);
        if (!value) decided_ = false;
        corners[i][static_cast<size_t>(axis)] = value.value_or(0);
      }
    }
    uint64_t sum = 0;
    for (const Polyhedron::Face& face : solid.faces) {
      const auto& a = corners[face.loop[0]];
      for (size_t i = 1; i + 1 < face.loop.size(); ++i) {
        const auto& b = corners[face.loop[i]];
        const auto& c = corners[face.loop[i + 1]];
        for (size_t axis = 0; axis < 3; ++axis) {
          const size_t next = (axis + 1) % 3;
          const size_t last = (axis + 2) % 3;
          const uint64_t minor = less(times(b[next], c[last], prime), times(b[last], c[next], prime), prime);
          sum = plus(sum, times(a[axis], minor, prime), prime);
        }
      }
    }
    residues_[k] = negative ? less(residues_[k], sum, prime) : plus(residues_[k], sum, prime);
  }
}

}  // namespace wend
