#include <algorithm>
#include <cmath>

#include <wend/draw.h>

#include <fmt/format.h>

#include "draw/palette.h"
#include "draw/svg.h"

namespace wend {
namespace {

constexpr double kVolumesMargin = 16;  // pixels
constexpr double kTitle = 26;

double along(Vec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

struct Panel {
  VolumeSection section;
  int right = 0;   // axis that points right
  int up = 2;      // axis that points up
  double top = 0;  // pixels
};

Panel panelOf(const VolumeSection& section) {
  if (section.axis == 2) return {section, 0, 1, 0};
  return {section, section.axis == 0 ? 1 : 0, 2, 0};
}

class Drawing {
 public:
  Drawing(const VolumeMesh& mesh, const VolumeDrawSettings& settings) : mesh_(mesh), settings_(settings) {
    const VolumeDraft& info = mesh.info();
    low_ = info.lattice.toMetres({double(info.low.x), double(info.low.y), double(info.low.z)});
    high_ = info.lattice.toMetres({double(info.high.x), double(info.high.y), double(info.high.z)});
    colourCells();
  }

  std::string draw(std::span<const VolumeRoute> routes) {
    std::vector<VolumeSection> sections = settings_.sections;
    if (sections.empty()) {
      sections = {{1, (low_.y + high_.y) / 2}, {0, (low_.x + high_.x) / 2}, {2, std::min(low_.z + 1, high_.z)}};
    }
    std::vector<Panel> panels;
    double widest = 0;
    for (const VolumeSection& section : sections) {
      panels.push_back(panelOf(section));
      widest = std::max(widest, along(high_, panels.back().right) - along(low_, panels.back().right));
    }
    scale_ = (settings_.width - 2 * kVolumesMargin) / widest;
    double y = kVolumesMargin;
    std::string title;
    if (settings_.labels) {
      title = svgText({kVolumesMargin, y + 14}, 16, "start",
                      fmt::format("{}{} volumes, {} gateways", settings_.title.empty() ? "" : settings_.title + ": ",
                                  mesh_.cellCount(), mesh_.gatewayCount()));
      y += kTitle;
    }
    for (Panel& panel : panels) {
      if (settings_.labels) y += kTitle;
      panel.top = y;
      drawPanel(panel, routes);
      y += (along(high_, panel.up) - along(low_, panel.up)) * scale_ + kVolumesMargin;
    }
    if (settings_.labels) {
      body_ += scaleBar({kVolumesMargin, y + 10}, scale_, settings_.width / 4);
      y += 30;
    }
    return svgDocument(settings_.width, y, title + body_);
  }

 private:
  // Neighbours differ wherever the palette allows it.
  void colourCells() {
    colours_.assign(mesh_.cellCount(), 0);
    for (VolumeId c = 0; c < mesh_.cellCount(); ++c) {
      uint32_t taken = 0;
      for (const GatewayId g : mesh_.gatewaysOf(c)) {
        const VolumeId other = mesh_.gateway(g).across(c);
        if (other < c) taken |= 1U << colours_[other];
      }
      const auto count = static_cast<uint32_t>(kCellColours.size());
      uint32_t colour = c % count;
      for (uint32_t tries = 0; tries < count && (taken >> colour & 1U) != 0; ++tries) colour = (colour + 1) % count;
      colours_[c] = static_cast<uint8_t>(colour);
    }
  }

  Vec2 pixel(const Panel& panel, Vec3 p) const {
    return {kVolumesMargin + (along(p, panel.right) - along(low_, panel.right)) * scale_,
            panel.top + (along(high_, panel.up) - along(p, panel.up)) * scale_};
  }
  std::string pathOf(const Panel& panel, std::span<const Vec3> points, bool closed) const {
    std::string path;
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec2 at = pixel(panel, points[i]);
      path += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", at.x, at.y);
    }
    return closed ? path + "Z" : path;
  }

  void drawPanel(const Panel& panel, std::span<const VolumeRoute> routes) {
    if (settings_.labels) {
      constexpr std::array<const char*, 3> kNames{"from the front, x", "from the side, y", "from above, z"};
      body_ += svgText({kVolumesMargin, panel.top - 8}, 13, "start",
                       fmt::format("{} = {:.2f} m", kNames[static_cast<size_t>(panel.section.axis)], panel.section.at));
    }
    const double width = (along(high_, panel.right) - along(low_, panel.right)) * scale_;
    const double height = (along(high_, panel.up) - along(low_, panel.up)) * scale_;
    body_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n",
                         kVolumesMargin, panel.top, width, height, kObstacleColour);
    std::string ids;
    for (const VolumeSlice& slice : sliceVolumes(mesh_, panel.section.axis, panel.section.at)) {
      body_ += fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.7\"/>\n",
                           pathOf(panel, slice.corners, true), kCellColours[colours_[slice.cell]], kWallColour);
      if (!settings_.cellIds) continue;
      Vec2 middle;
      for (const Vec3 p : slice.corners) {
        const Vec2 at = pixel(panel, p);
        middle = {middle.x + at.x / static_cast<double>(slice.corners.size()),
                  middle.y + at.y / static_cast<double>(slice.corners.size())};
      }
      ids += svgText(middle, 10, "middle", std::to_string(slice.cell));
    }
    drawGateways(panel);
    body_ += ids;
    for (const VolumeRoute& route : routes) {
      body_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"/>\n",
                           pathOf(panel, route.points, false), kRouteColour);
    }
  }

  // Where the plane of the section crosses a gateway.
  void drawGateways(const Panel& panel) {
    const int axis = panel.section.axis;
    for (GatewayId g = 0; g < mesh_.gatewayCount(); ++g) {
      const std::span<const Vec3> corners = mesh_.gatewayCorners(g);
      std::vector<Vec3> ends;
      for (size_t i = 0; i < corners.size(); ++i) {
        const Vec3 p = corners[i];
        const Vec3 q = corners[(i + 1) % corners.size()];
        const double dp = along(p, axis) - panel.section.at;
        const double dq = along(q, axis) - panel.section.at;
        if ((dp < 0) == (dq < 0)) continue;
        const double t = dp / (dp - dq);
        ends.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)});
      }
      if (ends.size() != 2) continue;
      body_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                           pathOf(panel, ends, false), mesh_.gateway(g).slanted ? kConnectionColour : kPortalColour);
    }
  }

  const VolumeMesh& mesh_;
  const VolumeDrawSettings& settings_;
  Vec3 low_;
  Vec3 high_;
  double scale_ = 1;
  std::vector<uint8_t> colours_;
  std::string body_;
};

}  // namespace

Result<std::string> drawVolumes(const VolumeMesh& mesh, std::span<const VolumeRoute> routes,
                                const VolumeDrawSettings& settings) {
  if (!(settings.width >= 100 && settings.width <= 20000)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("the picture is {} pixels wide; it must be 100 to 20000", settings.width)};
  }
  for (const VolumeSection& section : settings.sections) {
    if (section.axis < 0 || section.axis > 2 || !std::isfinite(section.at)) {
      return Error{ErrorCode::kInvalidSettings, "a section needs an axis from 0 to 2 and a finite place"};
    }
  }
  if (mesh.empty()) return Error{ErrorCode::kEmpty, "there are no volumes to draw"};
  return Drawing(mesh, settings).draw(routes);
}

}  // namespace wend
