#include "planning/replan/replan_queue.h"

namespace wend {

void ReplanQueue::add(uint32_t agent, uint64_t frame) {
  if (since_.emplace(agent, frame).second) order_.insert({frame, agent});
}

void ReplanQueue::remove(uint32_t agent) {
  const auto at = since_.find(agent);
  if (at == since_.end()) return;
  order_.erase({at->second, agent});
  since_.erase(at);
}

void ReplanQueue::clear() {
  order_.clear();
  since_.clear();
}

void ReplanQueue::take(uint32_t budget, std::vector<uint32_t>& out) {
  size_t left = budget == 0 ? order_.size() : budget;
  while (left-- > 0 && !order_.empty()) {
    const Entry first = *order_.begin();
    out.push_back(first.agent);
    order_.erase(order_.begin());
    since_.erase(first.agent);
  }
}

std::vector<ReplanQueue::Entry> ReplanQueue::entries() const {
  return {order_.begin(), order_.end()};
}

ReplanQueue ReplanQueue::of(std::span<const Entry> entries) {
  ReplanQueue queue;
  for (const Entry& entry : entries) queue.add(entry.agent, entry.frame);
  return queue;
}

}  // namespace wend
