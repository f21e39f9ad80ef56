#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wend::app {

// One line on standard error with stage, bar and time left; silent where standard error is no terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void enable(bool on) { enabled_ = on && terminal_; }
  void update(std::string_view stage, double fraction);
  // Stands behind the bar from the next update on.
  void setDetail(std::string text) { detail_ = std::move(text); }
  // Removes the bar, so that a message can be printed.
  void finish();

 private:
  bool terminal_ = false;
  bool enabled_ = false;
  bool shown_ = false;
  std::string stage_;
  std::string detail_;
  int64_t stageStart_ = 0;  // nanoseconds
  int64_t lastDraw_ = 0;
};

}  // namespace wend::app
