#include "progress_bar.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "process/streams.h"

namespace wend::app {
namespace {

int64_t now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

constexpr int64_t kSecond = 1'000'000'000;
constexpr int kWidth = 30;

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::fmod(seconds, 60.0));
}

}  // namespace

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressBar::update(std::string_view stage, double fraction) {
  if (!enabled_) return;
  const int64_t time = now();
  if (stage != stage_) {
    stage_ = stage;
    detail_.clear();
    stageStart_ = time;
    lastDraw_ = time;  // a stage that is over at once shows nothing
    return;
  }
  if (time - lastDraw_ < kSecond / 10) return;
  lastDraw_ = time;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const double spent = static_cast<double>(time - stageStart_) / kSecond;
  const std::string left = fraction > 0.02 ? duration(spent * (1 - fraction) / fraction) + " left" : "";
  const int full = static_cast<int>(fraction * kWidth);
  printError(fmt::format("\r\033[K{:<14} [{:#<{}}{:.<{}}] {:3.0f} %  {}  {}", stage_, "", full, "", kWidth - full,
                         fraction * 100, left, detail_));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::finish() {
  if (!shown_) return;
  printError("\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace wend::app
