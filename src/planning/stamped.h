#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Arrays that forget everything between queries in O(1).
namespace wend {

// The number of the current query; an entry counts only if it carries this number.
class QueryStamp {
 public:
  // Returns true when the numbers have run out and every stamped array must be wiped.
  bool advance() { return ++value_ == 0 ? (value_ = 1, true) : false; }
  uint32_t value() const { return value_; }

 private:
  uint32_t value_ = 0;
};

// A set of ids.
class StampedSet {
 public:
  void grow(size_t size) {
    if (stamps_.size() < size) stamps_.resize(size, 0);
  }
  void wipe() { std::fill(stamps_.begin(), stamps_.end(), 0U); }
  bool has(uint32_t id, QueryStamp now) const { return stamps_[id] == now.value(); }
  // True if it was new.
  bool insert(uint32_t id, QueryStamp now) {
    if (has(id, now)) return false;
    stamps_[id] = now.value();
    return true;
  }

 private:
  std::vector<uint32_t> stamps_;
};

// A value per id. The stamp lies beside the value: one cache line per access.
template <typename T>
class StampedArray {
 public:
  void grow(size_t size) {
    if (entries_.size() < size) entries_.resize(size);
  }
  void wipe() {
    for (Entry& e : entries_) e.stamp = 0;
  }
  // The value, or null when this query has not written it.
  T* find(uint32_t id, QueryStamp now) {
    Entry& e = entries_[id];
    return e.stamp == now.value() ? &e.value : nullptr;
  }
  void set(uint32_t id, const T& value, QueryStamp now) { entries_[id] = {value, now.value()}; }

 private:
  struct Entry {
    T value{};
    uint32_t stamp = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace wend
