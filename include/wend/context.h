#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

// What a long verb needs from its caller: where to report progress and notes, when to stop, how many threads to use.
namespace wend {

// Thread safety: report() and note() are called from the thread that called the verb; cancel() may come from any
// thread (or a signal handler).
class Context {
 public:
  // Called with the stage's name and the fraction done in [0, 1].
  std::function<void(std::string_view stage, double fraction)> onProgress;
  // Called with one sentence about something the caller should know (a repaired polygon, a dropped sliver).
  std::function<void(std::string_view sentence)> onNote;
  // Worker threads at most; 0 = all cores. The result never depends on it.
  int threads = 0;

  void report(std::string_view stage, double fraction) const {
    if (onProgress) onProgress(stage, fraction);
  }
  void note(std::string_view sentence) const {
    if (onNote) onNote(sentence);
  }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace wend
