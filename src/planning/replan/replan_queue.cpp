#include "planning/replan/replan_queue.h"

#include <algorithm>

namespace wend {

void ReplanQueue::add(uint32_t agent, uint64_t frame) {
  if (has(agent)) return;
  // An entry that it left behind would give it its old place.
  if (stale_ > 0) compact();
  if (agent >= waits_.size()) waits_.resize(static_cast<size_t>(agent) + 1 + waits_.size() / 2, 0);
  waits_[agent] = 1;
  const Entry entry{frame, agent};
  isSorted_ = isSorted_ && (order_.size() == taken_ || order_.back() < entry);
  order_.push_back(entry);
}

void ReplanQueue::remove(uint32_t agent) {
  if (!has(agent)) return;
  waits_[agent] = 0;
  ++stale_;
}

void ReplanQueue::clear() {
  for (size_t i = taken_; i < order_.size(); ++i) waits_[order_[i].agent] = 0;
  order_.clear();
  taken_ = 0;
  stale_ = 0;
  isSorted_ = true;
}

void ReplanQueue::compact() {
  order_.erase(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(taken_));
  std::erase_if(order_, [&](const Entry& entry) { return waits_[entry.agent] == 0; });
  taken_ = 0;
  stale_ = 0;
}

void ReplanQueue::take(uint32_t budget, std::vector<uint32_t>& out) {
  if (stale_ > 0) compact();
  if (!isSorted_) std::sort(order_.begin() + static_cast<ptrdiff_t>(taken_), order_.end());
  isSorted_ = true;
  for (size_t left = budget == 0 ? size() : budget; left > 0 && taken_ < order_.size(); --left, ++taken_) {
    waits_[order_[taken_].agent] = 0;
    out.push_back(order_[taken_].agent);
  }
  if (taken_ > order_.size() / 2) compact();
}

std::vector<ReplanQueue::Entry> ReplanQueue::entries() const {
  std::vector<Entry> all;
  for (size_t i = taken_; i < order_.size(); ++i) {
    if (waits_[order_[i].agent] != 0) all.push_back(order_[i]);
  }
  if (!isSorted_) std::sort(all.begin(), all.end());
  return all;
}

ReplanQueue ReplanQueue::of(std::span<const Entry> entries) {
  ReplanQueue queue;
  for (const Entry& entry : entries) queue.add(entry.agent, entry.frame);
  return queue;
}

}  // namespace wend
