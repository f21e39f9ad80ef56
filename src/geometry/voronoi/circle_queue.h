#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// The circle events of the Voronoi sweep that are still to come.
namespace wend {

// A binary heap. Which one of two children is larger is not foreseeable, so the way down takes no branch for it.
class CircleQueue {
 public:
  struct Item {
    Item(double x, uint32_t circle) : circle(circle) {
      const auto bits = std::bit_cast<int64_t>(x + 0.0);  // no negative zero
      order = bits ^ (bits >> 63 & std::numeric_limits<int64_t>::max());
    }

    int64_t order;  // as that of x, where the sweep comes to it: whole numbers are compared in less time
    uint32_t circle;
  };

  bool empty() const { return items_.empty(); }
  // The one with the smallest x, then the smallest y.
  uint32_t front() const { return items_.front().circle; }

  // yOf(circle) is called where two have the same x.
  template <typename YOf>
  void push(Item item, const YOf& yOf) {
    items_.push_back(item);
    rise(items_.size() - 1, item, yOf);
  }
  template <typename YOf>
  void pop(const YOf& yOf) {
    const Item last = items_.back();
    items_.pop_back();
    const size_t size = items_.size();
    if (size == 0) return;
    size_t hole = 0;
    size_t child = 2;
    for (; child < size; child = 2 * hole + 2) {
      child -= isAfter(items_[child], items_[child - 1], yOf) ? 1 : 0;
      items_[hole] = items_[child];
      hole = child;
    }
    if (child == size) {
      items_[hole] = items_[child - 1];
      hole = child - 1;
    }
    rise(hole, last, yOf);
  }

 private:
  template <typename YOf>
  static bool isAfter(const Item& a, const Item& b, const YOf& yOf) {
    if (a.order == b.order) [[unlikely]] {
      return yOf(a.circle) > yOf(b.circle);
    }
    return a.order > b.order;
  }
  template <typename YOf>
  void rise(size_t hole, Item item, const YOf& yOf) {
    while (hole > 0 && isAfter(items_[(hole - 1) / 2], item, yOf)) {
      items_[hole] = items_[(hole - 1) / 2];
      hole = (hole - 1) / 2;
    }
    items_[hole] = item;
  }

  std::vector<Item> items_;
};

}  // namespace wend
