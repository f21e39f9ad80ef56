#include "report/frame_costs.h"

#include <algorithm>
#include <charconv>

#include <wend/file.h>

#include <fmt/format.h>

#include "report/report_plot.h"

namespace wend::app {

FrameFit fitFrames(const std::vector<FrameCost>& frames) {
  FrameFit fit;
  fit.frames = frames.size();
  if (frames.empty()) return fit;
  double n = 0;
  double x = 0;
  double y = 0;
  double planning = 0;
  for (const FrameCost& f : frames) {
    n += 1;
    x += f.agents;
    y += f.seconds;
    planning += f.planning;
  }
  fit.planningShare = y > 0 ? planning / y : 0;
  x /= n;
  y /= n;
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const FrameCost& f : frames) {
    xx += (f.agents - x) * (f.agents - x);
    xy += (f.agents - x) * (f.seconds - y);
    yy += (f.seconds - y) * (f.seconds - y);
  }
  fit.perAgent = xx > 0 ? xy / xx : 0;
  fit.base = y - fit.perAgent * x;
  fit.r2 = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
  return fit;
}

Result<std::vector<FrameCost>> readFrames(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = readFile(path, size_t{256} << 20);
  if (!bytes.ok()) return bytes.error();
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  std::vector<FrameCost> frames;
  size_t line = 1;
  for (size_t at = text.find('\n'); at != std::string_view::npos && at + 1 < text.size();) {
    ++line;
    const size_t end = std::min(text.find('\n', at + 1), text.size());
    const std::string_view row = text.substr(at + 1, end - at - 1);
    at = end;
    double values[4] = {};
    const char* p = row.data();
    for (int i = 0; i < 4; ++i) {
      const auto [next, error] = std::from_chars(p, row.data() + row.size(), values[i]);
      const bool ends = next == row.data() + row.size();
      if (error != std::errc() || (i < 3 && (ends || *next != ',')) || !(values[i] >= 0)) {
        return Error{ErrorCode::kFormat,
                     fmt::format("'{}', line {}: expected time, agents and two costs; the file comes "
                                 "from wend simulate --frames",
                                 path, line)};
      }
      p = next + 1;
    }
    frames.push_back({values[0], static_cast<uint32_t>(std::min(values[1], 4e9)), values[2] / 1000, values[3] / 1000});
  }
  return frames;
}

std::string framesHtml(const std::vector<FrameCost>& frames) {
  if (frames.empty()) return {};
  const FrameFit fit = fitFrames(frames);
  Curve size{"crowd", "#1f77b4", {}, false};
  Curve cost{"step", "#d62728", {}, false};
  Curve planning{"planning and following", "#2ca02c", {}, false};
  Curve dots{"steps", "#7f7f7f", {}, true};
  double most = 0;
  // At most this many marks: the page stays small.
  constexpr size_t kMarks = 2000;
  const size_t every = frames.size() / kMarks + 1;
  for (size_t i = 0; i < frames.size(); i += every) {
    const FrameCost& f = frames[i];
    size.points.push_back({f.time, static_cast<double>(f.agents)});
    cost.points.push_back({f.time, 1000 * f.seconds});
    planning.points.push_back({f.time, 1000 * f.planning});
    dots.points.push_back({static_cast<double>(f.agents), 1000 * f.seconds});
    most = std::max(most, static_cast<double>(f.agents));
  }
  const Curve line{"line fit",
                   "#d62728",
                   {{0, std::max(0.0, 1000 * fit.base)}, {most, 1000 * (fit.base + fit.perAgent * most)}},
                   false};
  return fmt::format(
      "<section><h2>Cost of the simulation</h2>\n<p>{} steps; {:.3f} us per agent and step, R&sup2; {:.3f}; planning "
      "and "
      "following take {:.1f} % of a step.</p>\n{}{}{}</section>\n",
      frames.size(), 1e6 * fit.perAgent, fit.r2, 100 * fit.planningShare,
      linearPlot({"Crowd size", "time, s", "agents"}, {size}),
      linearPlot({"Cost of a step", "time, s", "ms"}, {cost, planning}),
      linearPlot({"Cost over crowd size", "agents", "ms"}, {dots, line}));
}

}  // namespace wend::app
