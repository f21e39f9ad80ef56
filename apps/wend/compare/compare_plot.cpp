#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"
#include "compare/compare_page.h"

namespace wend::app {
namespace {

constexpr double kWidth = 470;
constexpr double kHeight = 310;
constexpr double kLeft = 62;
constexpr double kRight = 26;
constexpr double kTop = 28;
constexpr double kBottom = 44;

// Powers of ten around all values.
struct Range {
  double low = 0;
  double high = 1;

  explicit Range(std::span<const PlotSeries> series, double Vec2::*part) {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const PlotSeries& s : series) {
      for (const Vec2& p : s.points) {
        least = std::min(least, p.*part);
        most = std::max(most, p.*part);
      }
    }
    if (!(least <= most)) return;
    low = std::floor(std::log10(least));
    high = std::max(low + 1, std::ceil(std::log10(most)));
  }
  double at(double value) const { return (std::log10(value) - low) / (high - low); }
};

std::string powerOfTen(double exponent) {
  return exponent >= -3 && exponent <= 5 ? fmt::format("{:g}", std::pow(10, exponent))
                                         : fmt::format("1e{:g}", exponent);
}

}  // namespace

std::string logPlot(std::string_view title, std::string_view x, std::string_view y,
                    std::span<const PlotSeries> series) {
  const Range across(series, &Vec2::x);
  const Range up(series, &Vec2::y);
  const auto px = [&](double share) { return kLeft + share * (kWidth - kLeft - kRight); };
  const auto py = [&](double share) { return kHeight - kBottom - share * (kHeight - kTop - kBottom); };
  std::string svg = fmt::format(
      "<svg class=\"plot\" role=\"img\" aria-label=\"{0}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {1} "
      "{2}\" "
      "width=\"{1}\" height=\"{2}\" font-family=\"sans-serif\" font-size=\"11\">"
      "<rect width=\"{1}\" height=\"{2}\" fill=\"#fff\"/><text x=\"{3}\" y=\"16\" font-size=\"13\">{0}</text>",
      escapeXml(title), kWidth, kHeight, kLeft);
  for (double e = across.low; e <= across.high; ++e) {
    const double at = px((e - across.low) / (across.high - across.low));
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
        "text-anchor=\"middle\">{4}</text>",
        at, py(0), py(1), kHeight - kBottom + 15, powerOfTen(e));
  }
  for (double e = up.low; e <= up.high; ++e) {
    const double at = py((e - up.low) / (up.high - up.low));
    svg += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#ddd\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" "
        "text-anchor=\"end\">{5}</text>",
        px(0), at, px(1), kLeft - 5, at + 4, powerOfTen(e));
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", px(0.5), kHeight - 8,
                     escapeXml(x));
  svg += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>", py(0.5),
                     escapeXml(y));
  for (const PlotSeries& s : series) {
    std::string line;
    std::string dots;
    for (const Vec2& p : s.points) {
      const double ax = px(across.at(p.x));
      const double ay = py(up.at(p.y));
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", ax, ay);
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}: {:g}, {:g}</title></circle>", ax, ay,
                          escapeXml(s.name), p.x, p.y);
    }
    if (line.empty()) continue;
    svg += fmt::format("<g fill=\"{0}\"><path d=\"{1}\" fill=\"none\" stroke=\"{0}\" stroke-opacity=\"0.45\"/>{2}</g>",
                       s.colour, line, dots);
  }
  return svg + "</svg>";
}

}  // namespace wend::app
