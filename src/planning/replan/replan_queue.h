#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Agents that wait for a new route: first in, first out, a limited number per frame.
namespace wend {

// A value. The order depends on frames and ids alone, not on the order of calls within a frame. add() and has() are
// O(1), so that a change that concerns many agents costs little; the first take() after it sorts them. One byte per id
// up to the largest that ever waited.
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
  bool has(uint32_t agent) const { return agent < waits_.size() && waits_[agent] != 0; }
  size_t size() const { return order_.size() - taken_ - stale_; }
  bool empty() const { return size() == 0; }

  // Takes out the first `budget` agents, 0 = all, and appends them to `out`. Agents of the same frame go by id.
  void take(uint32_t budget, std::vector<uint32_t>& out);

  // In the order in which they are taken: for saving, and back.
  std::vector<Entry> entries() const;
  static ReplanQueue of(std::span<const Entry> entries);

  bool operator==(const ReplanQueue& other) const { return entries() == other.entries(); }

 private:
  void compact();

  std::vector<Entry> order_;    // the first taken_ are gone
  std::vector<uint8_t> waits_;  // per agent
  size_t taken_ = 0;
  size_t stale_ = 0;  // after those, of agents that were removed
  bool isSorted_ = true;
};

}  // namespace wend
