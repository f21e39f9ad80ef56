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

// Linear axes from 0 (or the smallest value, if negative) to a round number above the largest.
std::string linearPlot(const PlotText& text, const std::vector<Curve>& curves, std::optional<double> top = {});

// How often values fall into equal bins.
std::string histogram(const PlotText& text, const std::vector<double>& values, std::string_view colour);

// Bars with names.
struct Bar {
  std::string name;
  double value = 0;
  std::string colour;
};
std::string barPlot(const PlotText& text, const std::vector<Bar>& bars);

}  // namespace wend::app
