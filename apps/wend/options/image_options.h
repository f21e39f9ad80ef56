#pragma once

#include "command.h"

// Options of commands that read range images or look at scenes from above.
namespace wend::app {

class ImageOptions {
 public:
  // `always`: the command reads every PNG as a range image.
  void addTo(Command& command, bool always);
  // Where range images are read; `cell` is metres per pixel, 0 if not given.
  Status addTo(WorldReadSettings& settings, double cell);
  // The first option given, or "".
  std::string given() const;

 private:
  std::optional<Command> command_;
  bool always_ = false;
  bool range_ = false;
  bool topView_ = false;
  bool lidar_ = false;
  bool keepEdges_ = false;
  std::string rule_ = "minimum";
  std::string steps_;
  std::optional<double> noData_;
  std::vector<std::string> marks_;
  RangeReadSettings read_;
  TopViewSettings view_;
  NavigableSettings navigable_;
};

// One line about the picture, and the same as JSON.
std::string sayImage(const NavigableReport& report);
Json toJson(const NavigableReport& report);

}  // namespace wend::app
