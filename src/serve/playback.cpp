#include "serve/playback.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace wend::serve {
namespace {

uint8_t nameIndex(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<uint8_t>(found - names.begin());
  if (names.size() >= 254) return 254;
  names.push_back(name);
  return static_cast<uint8_t>(names.size() - 1);
}

}  // namespace

Result<std::unique_ptr<Playback>> Playback::open(const std::string& path, const Context& context) {
  Result<Recording> recording = Recording::open(path);
  if (!recording.ok()) return recording.error();
  std::unique_ptr<Playback> playback(new Playback());
  playback->environment_ = recording->worlds().front().environment;
  playback->framesPerSecond_ = std::max(recording->framesPerSecond(), 1e-3);
  playback->recorded_ = recording->persons();
  // The scenario is written into the recording: its stages and lines have names.
  if (const std::string text = recording->note("wend_scenario"); !text.empty()) {
    if (const Result<Scenario> scenario = parseScenario(text, "the recording's scenario"); scenario.ok()) {
      playback->title_ = scenario->name;
      playback->lines_ = scenario->lines;
      for (const ScenarioStage& stage : scenario->stages) playback->goals_.push_back(stage.id);
    }
  }
  if (Status status = playback->readFrames(*recording, context); !status.ok()) return status.error();
  if (playback->frames_.empty()) {
    return Error{ErrorCode::kEmpty, fmt::format("the recording '{}' holds no frame", path)};
  }
  playback->show(0);
  return playback;
}

Status Playback::readFrames(const Recording& recording, const Context& context) {
  for (const Layer& layer : environment_.layers) {
    lowest_ = std::min(lowest_, layer.heights.base);
    for (const double z : layer.heights.z) lowest_ = std::min(lowest_, z);
  }
  std::map<int32_t, uint8_t> layerIndex;
  for (size_t i = 0; i < environment_.layers.size(); ++i) {
    layerIndex[environment_.layers[i].id] = static_cast<uint8_t>(std::min<size_t>(i, 255));
  }
  std::map<uint32_t, uint32_t> personIndex;
  for (uint32_t i = 0; i < recorded_.size(); ++i) personIndex[recorded_[i].id] = i;
  LineCounter counter(lines_, environment_);
  std::vector<FramePerson> seen;
  size_t positions = 0;
  uint64_t left = 0;
  size_t next = 0;
  std::vector<double> exits;
  for (const RecordedPerson& person : recorded_) {
    if (person.exitTime >= 0) exits.push_back(person.exitTime);
  }
  std::sort(exits.begin(), exits.end());
  const double total = std::max<double>(1, static_cast<double>(recording.frames()));
  bool cancelled = false;
  Status status = recording.forEach([&](int64_t frame, std::span<const RecordedPosition> rows) {
    if (context.cancelled()) {
      cancelled = true;
      return false;
    }
    context.report("reading the recording", static_cast<double>(frame) / total);
    seen.clear();
    std::vector<Position> kept;
    std::vector<uint8_t> goals;
    for (const RecordedPosition& row : rows) {
      const auto known = personIndex.find(row.person);
      if (known == personIndex.end()) continue;
      const auto layer = layerIndex.find(row.layer);
      Position p;
      p.person = known->second;
      p.x = static_cast<float>(row.place.x);
      p.y = static_cast<float>(row.place.y);
      p.z = static_cast<uint16_t>(std::clamp((row.place.z - lowest_) * 100, 0.0, 65535.0));
      p.heading = static_cast<uint8_t>(
          static_cast<int>(std::atan2(row.heading.y, row.heading.x) * 128 / std::numbers::pi + 256.5) & 255);
      p.layer = layer == layerIndex.end() ? 0 : layer->second;
      kept.push_back(p);
      goals.push_back(row.stage < 0 ? 255 : static_cast<uint8_t>(std::min(row.stage, 254)));
      seen.push_back({.id = row.person, .position = row.place, .layer = p.layer});
    }
    counter.count(seen);
    const double time = static_cast<double>(frame) / framesPerSecond_;
    while (next < exits.size() && exits[next] <= time) {
      ++next;
      ++left;
    }
    if (frame % static_cast<int64_t>(stride_) != 0) return true;
    positions += kept.size();
    ChartPoint point{time, static_cast<uint32_t>(kept.size()), left, {}};
    for (const LineCounter::Line& line : counter.lines()) point.crossed.push_back(line.crossed);
    frames_.push_back(std::move(kept));
    stages_.push_back(std::move(goals));
    charts_.push_back(std::move(point));
    if (positions > kMaxPositions) {
      thin();
      positions = 0;
      for (const auto& one : frames_) positions += one.size();
    }
    return true;
  });
  if (cancelled) return Error{ErrorCode::kCancelled, "reading the recording was cancelled"};
  return status;
}

void Playback::thin() {
  stride_ *= 2;
  size_t kept = 0;
  for (size_t i = 0; i < frames_.size(); i += 2, ++kept) {
    frames_[kept] = std::move(frames_[i]);
    stages_[kept] = std::move(stages_[i]);
    charts_[kept] = std::move(charts_[i]);
  }
  frames_.resize(kept);
  stages_.resize(kept);
  charts_.resize(kept);
}

void Playback::show(size_t frame) {
  at_ = std::min(frame, frames_.size() - 1);
  const std::vector<Position>& rows = frames_[at_];
  const std::vector<Position>* before = at_ > 0 ? &frames_[at_ - 1] : nullptr;
  persons_.resize(rows.size());
  size_t k = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Position& row = rows[i];
    const RecordedPerson& person = recorded_[row.person];
    FramePerson& shown = persons_[i];
    shown = {};
    shown.id = person.id;
    shown.position = {row.x, row.y, lowest_ + row.z / 100.0};
    const double angle = row.heading * std::numbers::pi / 128;
    shown.heading = {std::cos(angle), std::sin(angle)};
    shown.layer = row.layer;
    shown.profile = nameIndex(profiles_, person.profile);
    shown.goal = stages_[at_][i];
    shown.radius = static_cast<float>(person.radius);
    while (before != nullptr && k < before->size() && (*before)[k].person < row.person) ++k;
    if (before != nullptr && k < before->size() && (*before)[k].person == row.person) {
      shown.velocity = {(row.x - (*before)[k].x) / step(), (row.y - (*before)[k].y) / step()};
    }
    if (person.start < 0 || time() < person.start) shown.state = 2;
  }
  slots_.update(persons_, changes_);
}

Status Playback::advance() {
  if (!isOver()) show(at_ + 1);
  return Done{};
}

void Playback::seek(double time) {
  // All slots anew: those of a frame far away have nothing to do with these.
  slots_ = SlotTable();
  show(static_cast<size_t>(std::max(0.0, std::round(time / step()))));
}

std::vector<std::string> Playback::lineNames() const {
  std::vector<std::string> names;
  for (const MeasuringLine& line : lines_) names.push_back(line.id);
  return names;
}

std::optional<PersonView> Playback::look(uint32_t slot) {
  const uint32_t index = slots_.personAt(slot);
  if (index == kNone) return {};
  const FramePerson& shown = persons_[index];
  const RecordedPerson& person = recorded_[frames_[at_][index].person];
  PersonView view;
  view.id = person.id;
  view.place = shown.position;
  view.radius = person.radius;
  view.speed = std::hypot(shown.velocity.x, shown.velocity.y);
  view.freeSpeed = person.freeSpeed;
  view.density = shown.density;
  view.profile = person.profile;
  if (shown.goal < goals_.size()) view.goalName = goals_[shown.goal];
  view.doing = shown.state == 2       ? fmt::format("has not begun to walk: it begins at {:.0f} s", person.start)
               : person.exitTime >= 0 ? fmt::format("leaves by '{}' at {:.0f} s", person.exit, person.exitTime)
                                      : std::string("is still inside when the recording ends");
  // Where it goes from here on, as recorded.
  const uint32_t wanted = frames_[at_][index].person;
  const size_t every = std::max<size_t>(1, (frames_.size() - at_) / 400);
  for (size_t f = at_; f < frames_.size(); f += every) {
    const auto found = std::lower_bound(frames_[f].begin(), frames_[f].end(), wanted,
                                        [](const Position& p, uint32_t id) { return p.person < id; });
    if (found == frames_[f].end() || found->person != wanted) break;
    view.route.push_back({found->x, found->y, lowest_ + found->z / 100.0});
  }
  if (!view.route.empty()) view.goal = view.route.back();
  return view;
}

}  // namespace wend::serve
