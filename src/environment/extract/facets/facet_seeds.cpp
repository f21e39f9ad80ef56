#include "environment/extract/facets/facet_seeds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <span>

#include "geometry/index/digit_sort.h"

namespace wend::extraction {
namespace {

// With more, sorting digit by digit pays.
constexpr size_t kFew = 64;

struct Corner {
  uint64_t place;  // in top view
  int32_t z;
  auto operator<=>(const Corner&) const = default;
};

std::array<Corner, 3> cornersOf(const Soup& soup, uint32_t t) {
  std::array<Corner, 3> c;
  for (size_t i = 0; i < 3; ++i) {
    const Point3& p = soup.points[soup.triangles[t].v[i]];
    c[i] = {orderOf(p.top()), p.z};
  }
  return c;
}

// Triangles of one size by their places.
bool liesBefore(const Soup& soup, uint32_t t, uint32_t u) {
  const auto sorted = [](std::array<Corner, 3> c) {
    if (c[1] < c[0]) std::swap(c[0], c[1]);
    if (c[2] < c[1]) std::swap(c[1], c[2]);
    if (c[1] < c[0]) std::swap(c[0], c[1]);
    return c;
  };
  const auto cornersT = cornersOf(soup, t);
  const auto cornersU = cornersOf(soup, u);
  const auto sortedT = sorted(cornersT);
  const auto sortedU = sorted(cornersU);
  if (sortedT != sortedU) return sortedT < sortedU;
  // Two sides of one triangle.
  return cornersT != cornersU ? cornersT < cornersU : t < u;
}

class SizeOrder {
 public:
  explicit SizeOrder(const Soup& soup) : soup_(soup) {}

  template <typename Wanted, typename Size>
  std::vector<uint32_t> run(const Wanted& wanted, const Size& size) {
    // The bits of positive numbers order them.
    const auto bitsOf = [&](uint32_t t) { return std::bit_cast<uint64_t>(size(soup_.triangles[t])); };
    std::vector<uint32_t> order;
    order.reserve(soup_.triangles.size());
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t t = 0; t < soup_.triangles.size(); ++t) {
      if (!wanted(soup_.triangles[t])) continue;
      order.push_back(t);
      least = std::min(least, bitsOf(t));
      most = std::max(most, bitsOf(t));
    }
    if (order.empty()) return order;
    // So many as fit: but for a few, sizes with the same are equal.
    const auto spread = static_cast<size_t>(std::bit_width(most - least));
    const size_t dropped = spread > 32 ? spread - 32 : 0;
    numbers_.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) numbers_[i] = (most - bitsOf(order[i])) >> dropped << 32 | order[i];
    sortByUpperHalf(numbers_, spread - dropped, scratch_);
    std::vector<size_t> ends;
    for (size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && numbers_[i] >> 32 != numbers_[i - 1] >> 32) ends.push_back(i);
      order[i] = static_cast<uint32_t>(numbers_[i]);
    }
    ends.push_back(order.size());
    size_t begin = 0;
    for (const size_t end : ends) {
      const std::span alike = std::span(order).subspan(begin, end - begin);
      begin = end;
      if (alike.size() == 1) continue;
      if (std::all_of(alike.begin(), alike.end(), [&](uint32_t t) { return bitsOf(t) == bitsOf(alike[0]); })) {
        sortByPlace(alike);
      } else {
        std::sort(alike.begin(), alike.end(), [&](uint32_t t, uint32_t u) {
          return bitsOf(t) != bitsOf(u) ? bitsOf(t) > bitsOf(u) : liesBefore(soup_, t, u);
        });
      }
    }
    return order;
  }

 private:
  // What tells most triangles apart.
  struct Item {
    uint64_t least;   // place of the first corner in order
    uint64_t middle;  // of the second
    int32_t z;        // of the first
    uint32_t triangle;
  };

  Item itemOf(uint32_t t) const {
    const auto [a, b, c] = cornersOf(soup_, t);
    const uint64_t least = std::min(std::min(a.place, b.place), c.place);
    const uint64_t most = std::max(std::max(a.place, b.place), c.place);
    const auto zIfLeast = [&](const Corner& corner) { return corner.place == least ? corner.z : INT32_MAX; };
    return {least, a.place ^ b.place ^ c.place ^ least ^ most,
            std::min(std::min(zIfLeast(a), zIfLeast(b)), zIfLeast(c)), t};
  }

  void sortByPlace(std::span<uint32_t> triangles) {
    const auto before = [&](const Item& p, const Item& q) {
      if (p.least != q.least) return p.least < q.least;
      if (p.z != q.z) return p.z < q.z;
      return p.middle != q.middle ? p.middle < q.middle : liesBefore(soup_, p.triangle, q.triangle);
    };
    items_.clear();
    for (const uint32_t t : triangles) items_.push_back(itemOf(t));
    if (items_.size() < kFew) {
      std::sort(items_.begin(), items_.end(), before);
      for (size_t i = 0; i < items_.size(); ++i) triangles[i] = items_[i].triangle;
      return;
    }
    numbers_.resize(items_.size());
    for (uint32_t i = 0; i < items_.size(); ++i) numbers_[i] = i;
    sortByLeast();
    const auto item = [&](uint64_t number) -> const Item& { return items_[static_cast<uint32_t>(number)]; };
    for (auto from = numbers_.begin(), to = from; from != numbers_.end(); from = to) {
      while (to != numbers_.end() && item(*to).least == item(*from).least) ++to;
      if (to - from == 1) continue;
      std::sort(from, to, [&](uint64_t p, uint64_t q) { return before(item(p), item(q)); });
    }
    for (size_t i = 0; i < items_.size(); ++i) triangles[i] = item(numbers_[i]).triangle;
  }

  // Puts the items named by the lower halves of the numbers in the order of their first corners. Equal digits keep
  // their order: y goes first, then x.
  void sortByLeast() {
    const uint64_t origin = orderOf(soup_.box.min);
    const uint64_t far = orderOf(soup_.box.max);
    for (const int shift : {0, 32}) {
      const auto digit = [&](uint64_t place) {
        return static_cast<uint32_t>(place >> shift) - static_cast<uint32_t>(origin >> shift);
      };
      for (uint64_t& number : numbers_) {
        const auto i = static_cast<uint32_t>(number);
        number = uint64_t{digit(items_[i].least)} << 32 | i;
      }
      sortByUpperHalf(numbers_, static_cast<size_t>(std::bit_width(digit(far))), scratch_);
    }
  }

  const Soup& soup_;
  std::vector<uint64_t> numbers_;
  std::vector<uint64_t> scratch_;
  std::vector<Item> items_;
};

}  // namespace

std::vector<uint32_t> floorSeeds(const Soup& soup) {
  return SizeOrder(soup).run([](const Triangle& t) { return t.walkable; }, [](const Triangle& t) { return t.area; });
}

std::vector<uint32_t> wallSeeds(const Soup& soup) {
  return SizeOrder(soup).run([](const Triangle& t) { return t.wall; },
                             [](const Triangle& t) { return double(t.high) - t.low; });
}

}  // namespace wend::extraction
