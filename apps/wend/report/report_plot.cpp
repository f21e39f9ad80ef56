#include "report/report_plot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "compare/compare_page.h"

namespace wend::app {
namespace {

constexpr double kPlotWidth = 520;
constexpr double kPlotHeight = 320;
constexpr double kPlotLeft = 58;
constexpr double kPlotRight = 18;
constexpr double kPlotTop = 30;
constexpr double kPlotBottom = 46;
constexpr double kLeastRange = 1;      // of an axis that does not begin at 0: equal values are no noise
constexpr size_t kMaxVertices = 1500;  // of a curve: more cannot be seen

// 1, 2 or 5 times a power of ten, so that about five steps make the whole.
double roundStep(double range) {
  const double raw = std::max(range, 1e-9) / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double m : {1.0, 2.0, 5.0}) {
    if (raw <= m * power) return m * power;
  }
  return 10 * power;
}

struct Axis {
  double low = 0;
  double high = 1;
  double step = 0.2;

  void fit(double least, double most, PlotOrigin origin = PlotOrigin::kZero) {
    low = origin == PlotOrigin::kZero ? std::min(0.0, least) : least;
    high = std::max(most, low + (origin == PlotOrigin::kZero ? 1e-6 : kLeastRange));
    step = roundStep(high - low);
    low = std::floor(low / step) * step;
    high = std::ceil(high / step - 1e-9) * step;
  }
  double share(double value) const { return (value - low) / (high - low); }
};

class Frame {
 public:
  Frame(const PlotText& text, Axis across, Axis up) : across_(across), up_(up) {
    svg_ = fmt::format(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{0}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {1} "
        "{2}\" "
        "width=\"{1}\" height=\"{2}\" font-family=\"sans-serif\" font-size=\"11\"><rect width=\"{1}\" height=\"{2}\" "
        "fill=\"#fff\"/><text x=\"{3}\" y=\"17\" font-size=\"13\" font-weight=\"600\">{0}</text>",
        escapeXml(text.title), kPlotWidth, kPlotHeight, kPlotLeft);
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
                        (kPlotLeft + kPlotWidth - kPlotRight) / 2, kPlotHeight - 9, escapeXml(text.x));
    svg_ += fmt::format(
        "<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
        (kPlotTop + kPlotHeight - kPlotBottom) / 2, escapeXml(text.y));
  }

  double x(double value) const { return kPlotLeft + across_.share(value) * (kPlotWidth - kPlotLeft - kPlotRight); }
  double y(double value) const {
    return kPlotHeight - kPlotBottom - up_.share(value) * (kPlotHeight - kPlotTop - kPlotBottom);
  }

  void gridAcross() {
    for (double v = across_.low; v <= across_.high + across_.step / 2; v += across_.step) {
      svg_ += fmt::format(
          "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e6e6e6\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
          "text-anchor=\"middle\" fill=\"#444\">{4}</text>",
          x(v), y(up_.low), y(up_.high), kPlotHeight - kPlotBottom + 15, shortNumber(std::abs(v) < 1e-12 ? 0 : v));
    }
  }
  void gridUp() {
    for (double v = up_.low; v <= up_.high + up_.step / 2; v += up_.step) {
      svg_ += fmt::format(
          "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#e6e6e6\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
          "text-anchor=\"end\" fill=\"#444\">{5}</text>",
          kPlotLeft, y(v), kPlotWidth - kPlotRight, kPlotLeft - 5, y(v) + 4, shortNumber(std::abs(v) < 1e-12 ? 0 : v));
    }
  }
  void add(const std::string& shape) { svg_ += shape; }
  void legend(const std::vector<Curve>& curves) {
    if (curves.size() < 2) return;
    double at = kPlotTop + 12;
    for (const Curve& curve : curves) {
      // The second of two curves of one name.
      if (curve.name.empty()) continue;
      svg_ += fmt::format(
          "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"10\" height=\"10\" fill=\"{2}\"/><text x=\"{3:.1f}\" "
          "y=\"{4:.1f}\" "
          "text-anchor=\"end\" stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\">{5}</text>",
          kPlotWidth - kPlotRight - 14, at - 9, curve.colour, kPlotWidth - kPlotRight - 19, at, escapeXml(curve.name));
      at += 15;
    }
  }
  std::string finish() { return svg_ + "</svg>"; }

 private:
  Axis across_;
  Axis up_;
  std::string svg_;
};

}  // namespace

std::string linearPlot(const PlotText& text, const std::vector<Curve>& curves, std::optional<double> top,
                       PlotOrigin origin) {
  Axis across;
  Axis up;
  double least[2] = {0, origin == PlotOrigin::kZero ? 0 : HUGE_VAL};
  double most[2] = {0, 0};
  for (const Curve& curve : curves) {
    for (const Vec2 p : curve.points) {
      least[0] = std::min(least[0], p.x);
      most[0] = std::max(most[0], p.x);
      least[1] = std::min(least[1], p.y);
      most[1] = std::max(most[1], p.y);
    }
  }
  across.fit(least[0], most[0]);
  up.fit(std::min(least[1], most[1]), top.value_or(most[1]), origin);
  Frame frame(text, across, up);
  frame.gridAcross();
  frame.gridUp();
  for (const Curve& curve : curves) {
    std::string shape;
    const size_t every = curve.points.size() / kMaxVertices + 1;
    if (curve.dots) {
      for (const Vec2 p : curve.points) {
        if (p.y > up.high) continue;
        shape += fmt::format("M{:.1f} {:.1f}h0", frame.x(p.x), frame.y(p.y));
      }
      frame.add(fmt::format(
          "<path d=\"{}\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-opacity=\"0.5\"/>", shape,
          curve.colour));
      continue;
    }
    for (size_t i = 0; i < curve.points.size(); i += every) {
      shape += fmt::format("{}{:.1f} {:.1f}", shape.empty() ? "M" : "L", frame.x(curve.points[i].x),
                           frame.y(curve.points[i].y));
    }
    if (!curve.points.empty()) {
      shape += fmt::format("L{:.1f} {:.1f}", frame.x(curve.points.back().x), frame.y(curve.points.back().y));
    }
    frame.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>", shape, curve.colour));
  }
  frame.legend(curves);
  return frame.finish();
}

std::string histogram(const PlotText& text, const std::vector<double>& values, std::string_view colour,
                      PlotOrigin origin) {
  Axis across;
  double most = 0;
  double least = origin == PlotOrigin::kZero || values.empty() ? 0 : HUGE_VAL;
  for (const double v : values) {
    most = std::max(most, v);
    if (origin != PlotOrigin::kZero) least = std::min(least, v);
  }
  across.fit(least, most, origin);
  const double width = across.step / 4;
  std::vector<double> counts(static_cast<size_t>(std::round((across.high - across.low) / width)), 0);
  for (const double v : values) {
    counts[std::min(counts.size() - 1, static_cast<size_t>(std::max(0.0, v - across.low) / width))] += 1;
  }
  Axis up;
  up.fit(0, counts.empty() ? 1 : *std::max_element(counts.begin(), counts.end()));
  Frame frame(text, across, up);
  frame.gridAcross();
  frame.gridUp();
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double left = frame.x(across.low + static_cast<double>(i) * width);
    frame.add(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>",
                          left + 0.5, frame.y(counts[i]),
                          frame.x(across.low + static_cast<double>(i + 1) * width) - left - 1,
                          frame.y(0) - frame.y(counts[i]), colour));
  }
  return frame.finish();
}

std::string barPlot(const PlotText& text, const std::vector<Bar>& bars) {
  Axis across;
  across.low = 0;
  across.high = static_cast<double>(std::max<size_t>(1, bars.size()));
  Axis up;
  double most = 0;
  for (const Bar& bar : bars) most = std::max(most, bar.value);
  up.fit(0, most);
  Frame frame(text, across, up);
  frame.gridUp();
  for (size_t i = 0; i < bars.size(); ++i) {
    const double left = frame.x(static_cast<double>(i) + 0.15);
    const double right = frame.x(static_cast<double>(i) + 0.85);
    frame.add(
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" stroke=\"#777\" "
                    "stroke-width=\"0.5\"/><text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                    left, frame.y(bars[i].value), right - left, frame.y(0) - frame.y(bars[i].value), bars[i].colour,
                    (left + right) / 2, kPlotHeight - kPlotBottom + 15, escapeXml(bars[i].name)));
  }
  return frame.finish();
}

}  // namespace wend::app
