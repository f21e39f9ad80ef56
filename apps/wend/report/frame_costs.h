#pragma once

#include <string>
#include <vector>

#include <wend/simulate.h>

// The cost of steps against the size of the crowd.
namespace wend::app {

// cost = base + perAgent * agents, by least squares.
struct FrameFit {
  size_t frames = 0;
  double base = 0;      // s
  double perAgent = 0;  // s
  double r2 = 0;        // share of the variation that the line explains
  double planningShare = 0;
};
FrameFit fitFrames(const std::vector<FrameCost>& frames);

// The CSV of `wend simulate --frames`.
Result<std::vector<FrameCost>> readFrames(const std::string& path);

// A section of the report: the size of the crowd, the cost of steps over time and over the size, with the line.
std::string framesHtml(const std::vector<FrameCost>& frames);

}  // namespace wend::app
