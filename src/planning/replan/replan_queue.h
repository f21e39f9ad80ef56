#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

// Agents that wait to be planned for again: first in, first out, so many per frame.
namespace wend {

// A value. The order depends on frames and ids alone, not on the order of calls within a frame. O(log n) per call.
class ReplanQueue {
 public:
  struct Entry {
    uint64_t frame = 0;  // since when it waits
    uint32_t agent = 0;
    auto operator<=>(const Entry&) const = default;
  };

  // An agent that waits already keeps its place.
  void add(uint32_t agent, uint64_t frame);
  void remove(uint32_t agent);
  void clear();
  bool has(uint32_t agent) const { return since_.contains(agent); }
  size_t size() const { return order_.size(); }
  bool empty() const { return order_.empty(); }

  // Takes out the first `budget` agents, 0 = all, and appends them to `out`. Who came in the same frame goes by id.
  void take(uint32_t budget, std::vector<uint32_t>& out);

  // In the order in which they are taken: for saving, and back.
  std::vector<Entry> entries() const;
  static ReplanQueue of(std::span<const Entry> entries);

  bool operator==(const ReplanQueue& other) const { return order_ == other.order_; }

 private:
  std::set<Entry> order_;
  std::unordered_map<uint32_t, uint64_t> since_;
};

}  // namespace wend
