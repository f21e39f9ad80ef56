#include "environment/io/coordinate_text.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "geometry/area.h"

namespace wend {
namespace {

constexpr std::array<double, 7> kPowers{1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
constexpr std::array<uint32_t, 7> kTens{1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};

void dropTrailingZeros(std::string& text, size_t start) {
  if (text.find('.', start) == std::string::npos) return;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
}

// Cuts a closed walk at repeated vertices. Equal vertices are found by sorting, so a walk of n vertices costs
// O(n log n) however often it touches itself.
std::vector<Ring> cutWalk(const Ring& walk) {
  std::vector<uint32_t> order(walk.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return walk[a] != walk[b] ? walk[a] < walk[b] : a < b; });
  std::vector<uint32_t> vertex(walk.size());  // number of the position among the distinct ones
  uint32_t distinct = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && walk[order[i]] != walk[order[i - 1]]) ++distinct;
    vertex[order[i]] = distinct;
  }

  std::vector<Ring> rings;
  std::vector<uint32_t> open;                                           // walked, not yet closed into a ring
  std::vector<uint32_t> place(walk.empty() ? 0 : distinct + 1, kNone);  // where a vertex stands in `open`
  for (uint32_t i = 0; i < walk.size(); ++i) {
    const uint32_t seen = place[vertex[i]];
    if (seen != kNone) {
      Ring ring;
      for (size_t k = seen; k < open.size(); ++k) {
        ring.push_back(walk[open[k]]);
        place[vertex[open[k]]] = kNone;
      }
      open.resize(seen);
      if (ring.size() >= 3) rings.push_back(std::move(ring));
    }
    place[vertex[i]] = static_cast<uint32_t>(open.size());
    open.push_back(i);
  }
  Ring last;
  for (const uint32_t i : open) last.push_back(walk[i]);
  if (last.size() >= 3) rings.push_back(std::move(last));
  return rings;
}

}  // namespace

CoordinateText::CoordinateText(const Lattice& lattice) : unit_(lattice.unit), decimals_(0), decimal_(false) {
  for (size_t k = 0; k < kPowers.size(); ++k) {
    if (unit_ == kPowers[k]) {
      decimal_ = true;
      decimals_ = static_cast<int>(k);
      return;
    }
  }
  // An eighth of a unit is far inside the half that snapping forgives.
  double step = 1;
  while (step > unit_ / 8) {
    step /= 10;
    ++decimals_;
  }
}

void CoordinateText::append(std::string& out, int32_t units) const {
  const size_t start = out.size();
  if (!decimal_) {
    out += fmt::format("{:.{}f}", units * unit_, decimals_);
    dropTrailingZeros(out, start);
    return;
  }
  const uint32_t ten = kTens[static_cast<size_t>(decimals_)];
  const auto magnitude = static_cast<uint32_t>(units < 0 ? -static_cast<int64_t>(units) : units);
  if (units < 0) out += '-';
  out += fmt::format("{}", magnitude / ten);
  if (magnitude % ten == 0) return;
  out += fmt::format(".{:0{}}", magnitude % ten, decimals_);
  dropTrailingZeros(out, start);
}

void CoordinateText::append(std::string& out, Point p, char separator) const {
  append(out, p.x);
  out += separator;
  append(out, p.y);
}

std::string shortest(double value) {
  return fmt::format("{}", value);
}

std::string toText(Int128 value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (negative ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int128> int128FromText(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  // 38 digits always fit; areas on the lattice have at most 19.
  if (text.empty() || text.size() > 38) return std::nullopt;
  Int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

SimpleRings simpleRings(const Polygon& polygon) {
  SimpleRings result;
  for (Ring& ring : cutWalk(polygon.outer)) {
    // Of the pieces of an outer walk exactly one runs counter-clockwise: the interior is connected.
    if (result.outer.empty() && doubledArea(ring) > 0) {
      result.outer = std::move(ring);
    } else {
      result.holes.push_back(std::move(ring));
    }
  }
  for (const Ring& hole : polygon.holes) {
    for (Ring& ring : cutWalk(hole)) result.holes.push_back(std::move(ring));
  }
  return result;
}

}  // namespace wend
