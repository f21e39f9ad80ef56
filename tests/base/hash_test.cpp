#include "base/hash.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wend {
namespace {

uint64_t of(std::string_view text) {
  Hash h;
  h.add(text);
  return h.value();
}

TEST(Hash, EveryBitOfTheInputMatters) {
  std::string text(64, 'a');
  std::set<uint64_t> seen{of(text)};
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_TRUE(seen.insert(of(other)).second) << bit;
  }
}

TEST(Hash, LengthMatters) {
  std::set<uint64_t> seen;
  for (size_t n = 0; n < 100; ++n) EXPECT_TRUE(seen.insert(of(std::string(n, '\0'))).second) << n;
}

TEST(Hash, OrderOfArraysMatters) {
  const std::vector<int> a{1, 2};
  const std::vector<int> b{3};
  Hash ab;
  ab.array(std::span(a));
  ab.array(std::span(b));
  Hash ba;
  ba.array(std::span(b));
  ba.array(std::span(a));
  EXPECT_NE(ab.value(), ba.value());
}

}  // namespace
}  // namespace wend
