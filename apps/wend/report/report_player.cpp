#include "report/report_player.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/xml.h"
#include "pages.h"
#include "report/plan_marks.h"
#include "report/report_edits.h"

namespace wend::app {
namespace {

constexpr size_t kMaxSamples = 1'500'000;  // five bytes each
constexpr double kFramesPerSecond = 5;     // the player interpolates between

template <typename T>
std::string base64Of(const std::vector<T>& values) {
  return encodeBase64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

struct Track {
  uint32_t start = 0;
  std::vector<uint16_t> places;
  std::vector<uint8_t> layers;
};

}  // namespace

std::string playerHtml(const ReportInput& input) {
  const Recording& recording = input.recording;
  const Environment& world = recording.worlds().front().environment;
  const Box box = boundingBox(world);
  const Vec2 min = world.lattice.toMetres(box.min);
  const Vec2 max = world.lattice.toMetres(box.max);
  double rows = 0;
  for (const RecordedPerson& p : recording.persons()) {
    rows += static_cast<double>((p.exitFrame < 0 ? recording.frames() : p.exitFrame) - p.spawnFrame);
  }
  const auto stride = static_cast<int64_t>(std::max({1.0, std::round(recording.framesPerSecond() / kFramesPerSecond),
                                                     std::ceil(rows / static_cast<double>(kMaxSamples))}));
  std::map<uint32_t, size_t> index;
  std::vector<Track> tracks(recording.persons().size());
  for (size_t i = 0; i < tracks.size(); ++i) index[recording.persons()[i].id] = i;
  std::map<int32_t, uint8_t> layerIndex;
  for (const Layer& layer : world.layers) layerIndex.emplace(layer.id, static_cast<uint8_t>(layerIndex.size() & 63));
  const auto quantised = [](double v, double low, double high) {
    return static_cast<uint16_t>(std::lround(std::clamp((v - low) / std::max(high - low, 1e-9), 0.0, 1.0) * 65535));
  };
  const Status status = recording.forEach([&](int64_t frame, std::span<const RecordedPosition> persons) {
    if (frame % stride != 0) return true;
    for (const RecordedPosition& p : persons) {
      const auto found = index.find(p.person);
      if (found == index.end()) continue;
      Track& track = tracks[found->second];
      if (track.layers.empty()) track.start = static_cast<uint32_t>(frame / stride);
      // A person that was away for a while stands still in between: the tracks have no gaps.
      while (track.start + track.layers.size() < static_cast<size_t>(frame / stride)) {
        track.places.insert(track.places.end(), {track.places[track.places.size() - 2], track.places.back()});
        track.layers.push_back(track.layers.back());
      }
      track.places.push_back(quantised(p.place.x, min.x, max.x));
      track.places.push_back(quantised(p.place.y, min.y, max.y));
      const auto layer = layerIndex.find(p.layer);
      track.layers.push_back(layer == layerIndex.end() ? 0 : layer->second);
    }
    return true;
  });
  if (!status.ok()) return "<p>The recording could not be read for the player.</p>";

  std::vector<uint32_t> heads;
  std::vector<float> radii;
  std::vector<uint16_t> places;
  std::vector<uint8_t> layers;
  std::vector<int> kinds;
  std::vector<std::string> profiles;
  for (size_t i = 0; i < tracks.size(); ++i) {
    const RecordedPerson& person = recording.persons()[i];
    heads.push_back(tracks[i].start);
    heads.push_back(static_cast<uint32_t>(tracks[i].layers.size()));
    radii.push_back(static_cast<float>(person.radius));
    places.insert(places.end(), tracks[i].places.begin(), tracks[i].places.end());
    layers.insert(layers.end(), tracks[i].layers.begin(), tracks[i].layers.end());
    const auto known = std::find(profiles.begin(), profiles.end(), person.profile);
    kinds.push_back(static_cast<int>(known - profiles.begin()));
    if (known == profiles.end()) profiles.push_back(person.profile);
  }
  // Coordinates relative to the lower left corner, as the canvas uses them.
  const auto fromCorner = [min](Vec2 m) { return Vec2{m.x - min.x, m.y - min.y}; };
  std::vector<int32_t> layerIds;
  for (const Layer& layer : world.layers) layerIds.push_back(layer.id);
  const Json data = {{"fps", recording.framesPerSecond() / static_cast<double>(stride)},
                     {"samples", std::max<int64_t>(1, (recording.frames() + stride - 1) / stride)},
                     {"min", {min.x, min.y}},
                     {"max", {max.x, max.y}},
                     {"profiles", profiles},
                     {"kinds", kinds},
                     {"edits", editsJson(recording, input.scenario, stride, fromCorner)},
                     {"layerIds", layerIds},
                     {"marks", marksJson(planMarks(input.scenario), fromCorner)},
                     {"heads", base64Of(heads)},
                     {"radii", base64Of(radii)},
                     {"places", base64Of(places)},
                     {"layers", base64Of(layers)}};
  std::string options;
  for (size_t i = 0; i < world.layers.size(); ++i) {
    const Layer& layer = world.layers[i];
    options += fmt::format("<option value=\"{}\">{}</option>", i,
                           escapeXml(layer.name.empty() ? fmt::format("{}", layer.id) : layer.name));
  }
  std::string html = fmt::format(page::kPlayerHtml, options);
  // "</script>" inside a name would end the element, and "<!--" would hide its end.
  std::string json;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      json += "\\u003c";
    } else {
      json += c;
    }
  }
  html += fmt::format("<script id=\"player-data\" type=\"application/json\">{}</script><script>\n{}</script>", json,
                      page::kPlayerJs);
  return html;
}

}  // namespace wend::app
