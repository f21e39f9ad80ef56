#include "base/random.h"

#include <bit>

namespace wend {
namespace {

uint64_t splitmix(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(uint64_t seed) : Random(seed, 0) {}

Random::Random(uint64_t seed, uint64_t stream) : state_{} {
  uint64_t mix = seed;
  uint64_t s = splitmix(mix) ^ (stream * 0xd1342543de82ef95ULL);
  for (uint64_t& word : state_) word = splitmix(s);
}

uint64_t Random::next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::below(uint64_t n) {
  const uint64_t threshold = (0 - n) % n;
  while (true) {
    const uint64_t r = next();
    if (r >= threshold) return r % n;
  }
}

int64_t Random::between(int64_t low, int64_t high) {
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  if (span == 0) return static_cast<int64_t>(next());
  return static_cast<int64_t>(static_cast<uint64_t>(low) + below(span));
}

double Random::real() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace wend
