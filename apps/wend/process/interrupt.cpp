#include "process/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include <unistd.h>

#include "base/scratch_folder.h"

namespace wend::app {
namespace {

constexpr unsigned kPatience = 1;  // s
// `timeout` and some shells send a signal to the program and again to its group. A user does not press Ctrl-C twice
// this fast.
constexpr int64_t kSameSignal = 200'000'000;  // ns

std::atomic<Context*> target{nullptr};
std::atomic<bool> mayFinish{false};
std::atomic<int64_t> firstSignal{0};  // ns on the monotonic clock

int64_t monotonicTime() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

extern "C" void onDeadline(int) {
  constexpr char kSentence[] = "wend: stopped\n";
  [[maybe_unused]] const auto put = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  removeScratchFolders();
  ::_exit(1);
}

extern "C" void onSignal(int signal) {
  if (Context* context = target.exchange(nullptr)) {
    firstSignal = monotonicTime();
    context->cancel();
    if (!mayFinish) ::alarm(kPatience);
  } else if (monotonicTime() - firstSignal > kSameSignal) {
    removeScratchFolders();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void cancelOnSignal(Context& context) {
  target = &context;
  std::signal(SIGALRM, onDeadline);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // A program under nohup, or in the background of a plain shell, was told to ignore some of them.
    if (std::signal(signal, onSignal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

void letWorkFinish() {
  mayFinish = true;
  ::alarm(0);
}

void letWorkEnd() {
  mayFinish = false;
  if (firstSignal != 0) ::alarm(kPatience);
}

}  // namespace wend::app
