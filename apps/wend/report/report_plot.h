#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <wend/lattice.h>

// Plots of a report as SVG.
namespace wend::app {

struct Curve {
  std::string name;
  std::string colour;
  std::vector<Vec2> points;
  bool dots = false;  // marks instead of a line
};

struct PlotText {
  std::string title;
  std::string x;
  std::string y;
};

// Where the axis of the measured values begins: at 0 (or the smallest value, if negative), or at a round number below
// the smallest value, for values whose differences matter more than their size.
enum class PlotOrigin { kZero, kNearLeast };

// Linear axes that end at a round number above the largest value, or above `top`. The lower end of y is as `origin`
// says.
std::string linearPlot(const PlotText& text, const std::vector<Curve>& curves, std::optional<double> top = {},
                       PlotOrigin origin = PlotOrigin::kZero);

// How often values fall into equal bins. The lower end of x is as `origin` says.
std::string histogram(const PlotText& text, const std::vector<double>& values, std::string_view colour,
                      PlotOrigin origin = PlotOrigin::kZero);

// Bars with names.
struct Bar {
  std::string name;
  double value = 0;
  std::string colour;
};
std::string barPlot(const PlotText& text, const std::vector<Bar>& bars);

}  // namespace wend::app
