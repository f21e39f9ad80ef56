#include "draw/svg.h"

#include <cmath>

#include <fmt/format.h>

#include "base/xml.h"

namespace wend {

std::string svgText(Vec2 at, double size, std::string_view anchor, std::string_view words, std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", at.x,
                     at.y, size, anchor, style, escapeXml(words));
}

std::string scaleBar(Vec2 at, double pixelsPerMetre, double most) {
  const double room = most / pixelsPerMetre;
  double length = std::pow(10.0, std::floor(std::log10(room)));
  if (length * 5 <= room) {
    length *= 5;
  } else if (length * 2 <= room) {
    length *= 2;
  }
  std::string words = fmt::format("{:g} m", length);
  if (length >= 1000) words = fmt::format("{:g} km", length / 1000);
  if (length < 1) words = fmt::format("{:g} mm", length * 1000);
  const double pixels = length * pixelsPerMetre;
  return fmt::format("<path d=\"M{:.1f} {:.1f}v6h{:.1f}v-6\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\"/>\n",
                     at.x, at.y - 6, pixels) +
         svgText({at.x + pixels + 8, at.y}, 13, "start", words);
}

std::string svgDocument(double width, double height, std::string_view body) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\">\n<rect "
      "width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}</svg>\n",
      width, height, body);
}

}  // namespace wend
