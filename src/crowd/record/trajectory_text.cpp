#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <wend/file.h>
#include <wend/polygon.h>
#include <wend/study/trajectories.h>

#include <fmt/format.h>

#include "crowd/record/frame_limits.h"
#include "crowd/record/recorder.h"

namespace wend {
namespace {

constexpr size_t kMaxBytes = size_t{4} << 30;
constexpr int64_t kMaxFrames = 100'000'000;

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  std::optional<std::string_view> next() {
    if (at_ >= text_.size()) return {};
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }
  int number() const { return number_; }

 private:
  std::string_view text_;
  size_t at_ = 0;
  int number_ = 0;
};

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';';
}

// The numbers of a line; nothing if a part of it is none.
std::optional<std::vector<double>> numbersOf(std::string_view line) {
  std::vector<double> numbers;
  size_t i = 0;
  while (true) {
    while (i < line.size() && isBlank(line[i])) ++i;
    if (i == line.size()) return numbers;
    double value = 0;
    const auto [end, code] = std::from_chars(line.data() + i, line.data() + line.size(), value);
    if (code != std::errc() || !std::isfinite(value)) return {};
    i = static_cast<size_t>(end - line.data());
    if (i < line.size() && !isBlank(line[i])) return {};
    numbers.push_back(value);
  }
}

// The first number after a word of a comment.
std::optional<double> numberAfter(std::string_view line, std::string_view word) {
  size_t i = line.find(word);
  if (i == std::string_view::npos) return {};
  i += word.size();
  while (i < line.size() && !(line[i] >= '0' && line[i] <= '9')) ++i;
  double value = 0;
  const auto [end, code] = std::from_chars(line.data() + i, line.data() + line.size(), value);
  if (code != std::errc()) return {};
  return value;
}

void readComment(std::string_view line, double& fps, double& unit) {
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (fps <= 0) {
    for (const char* word : {"framerate", "frame rate", "fps"}) {
      if (const std::optional<double> value = numberAfter(lower, word); value && fps <= 0) fps = *value;
    }
  }
  if (unit > 0) return;
  const auto says = [&](const char* text) { return lower.find(text) != std::string::npos; };
  if (says("x/cm") || says("in cm") || says("x[cm]") || says("[in cm]")) {
    unit = 0.01;
  } else if (says("x/m") || says("in m") || says("x[m]") || says("[in m]")) {
    unit = 1;
  }
}

}  // namespace

int64_t Trajectories::frames() const {
  int64_t last = -1;
  for (const Trajectory& person : persons) last = std::max(last, person.points.back().frame);
  return last + 1;
}

Result<Trajectories> parseTrajectories(std::string_view text, std::string_view name,
                                       const TrajectorySettings& settings) {
  Trajectories out;
  out.framesPerSecond = settings.framesPerSecond;
  double unit = settings.unit;
  std::map<uint32_t, std::vector<TrajectoryPoint>> persons;
  Lines lines(text);
  const auto fail = [&](std::string_view what) {
    return Error{ErrorCode::kFormat, fmt::format("'{}', line {}: {}", name, lines.number(), what)};
  };
  int64_t first = std::numeric_limits<int64_t>::max();
  int64_t last = std::numeric_limits<int64_t>::min();
  int64_t rows = 0;
  while (const std::optional<std::string_view> line = lines.next()) {
    const size_t begin = line->find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    if ((*line)[begin] == '#') {
      readComment(*line, out.framesPerSecond, unit);
      continue;
    }
    const std::optional<std::vector<double>> numbers = numbersOf(*line);
    // A head line of names, as some tables have.
    if (!numbers && persons.empty()) {
      readComment(*line, out.framesPerSecond, unit);
      continue;
    }
    if (!numbers || numbers->size() < 4) return fail("a line must be 'id frame x y', and z if it is known");
    const double id = (*numbers)[0];
    const double frame = (*numbers)[1];
    if (!(id >= 0 && id < 4e9) || id != std::floor(id)) return fail("the id must be a whole number from 0 on");
    if (std::abs(frame) > kMaxFrames || frame != std::floor(frame)) return fail("the frame must be a whole number");
    first = std::min(first, static_cast<int64_t>(frame));
    last = std::max(last, static_cast<int64_t>(frame));
    ++rows;
    persons[static_cast<uint32_t>(id)].push_back({static_cast<int64_t>(frame), {(*numbers)[2], (*numbers)[3]}});
  }
  if (persons.empty()) {
    return Error{ErrorCode::kEmpty, fmt::format("'{}' has no lines 'id frame x y'", name)};
  }
  if (!isFrameCountOf(last - first + 1, rows)) {
    return Error{ErrorCode::kFormat, fmt::format("'{}' has frames {} to {}, but only {} lines: most frames are empty; "
                                                 "check the second column",
                                                 name, first, last, rows)};
  }
  if (!(out.framesPerSecond > 0 && out.framesPerSecond <= 1e4)) {
    return Error{ErrorCode::kFormat,
                 fmt::format("'{}' does not say its frame rate ('# framerate: 25'); give it with --fps", name)};
  }
  if (!(unit > 0)) {
    return Error{ErrorCode::kFormat,
                 fmt::format("'{}' does not say whether lengths are metres ('x/m') or centimetres ('x/cm'); give it "
                             "with --unit",
                             name)};
  }
  out.firstFrame = first;
  for (auto& [id, points] : persons) {
    std::stable_sort(points.begin(), points.end(),
                     [](const TrajectoryPoint& a, const TrajectoryPoint& b) { return a.frame < b.frame; });
    for (size_t i = 0; i < points.size(); ++i) {
      points[i].frame -= first;
      points[i].at = {points[i].at.x * unit, points[i].at.y * unit};
      if (!(std::abs(points[i].at.x) <= kMaxMetres && std::abs(points[i].at.y) <= kMaxMetres)) {
        return Error{ErrorCode::kFormat,
                     fmt::format("'{}': in frame {} person {} is nowhere on earth", name, points[i].frame + first, id)};
      }
      if (i > 0 && points[i].frame == points[i - 1].frame) {
        return Error{ErrorCode::kFormat,
                     fmt::format("'{}' has person {} twice in frame {}", name, id, points[i].frame + first)};
      }
    }
    out.persons.push_back({id, std::move(points)});
  }
  return out;
}

Result<Trajectories> readTrajectories(const std::string& path, const TrajectorySettings& settings) {
  const Result<std::vector<std::byte>> bytes = readFile(path, kMaxBytes);
  if (!bytes.ok()) return bytes.error();
  return parseTrajectories({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path, settings);
}

Result<uint64_t> writeRecording(const Trajectories& trajectories, const Environment& environment,
                                const std::string& path, double radius) {
  if (environment.layers.size() != 1) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("trajectories are in one layer; the environment has {}", environment.layers.size())};
  }
  RecordHeader header;
  header.framesPerSecond = trajectories.framesPerSecond;
  header.notes = {{"wend_experiment", "trajectories from text"}};
  Result<Recorder> recorder = Recorder::create(path, header);
  if (!recorder.ok()) return recorder.error();
  if (Status status = recorder->world(0, environment); !status.ok()) return status.error();
  const int64_t frames = trajectories.frames();
  const double fps = trajectories.framesPerSecond;
  std::map<int64_t, std::vector<RecordedPosition>> rows;
  uint64_t outside = 0;
  const Layer& layer = environment.layers.front();
  for (const Trajectory& person : trajectories.persons) {
    RecordedPerson row;
    row.id = person.id;
    row.profile = "person";
    row.radius = radius;
    row.source = "experiment";
    row.journey = "experiment";
    row.spawnFrame = person.points.front().frame;
    row.start = static_cast<double>(row.spawnFrame) / fps;
    const int64_t last = person.points.back().frame;
    if (last + 1 < frames) {
      row.exit = "experiment";
      row.exitFrame = last;
      row.exitTime = static_cast<double>(last) / fps;
      row.exitPlace = person.points.back().at;
      row.exitPlaced = true;
    }
    if (Status status = recorder->person(row); !status.ok()) return status.error();
    for (size_t i = 0; i < person.points.size(); ++i) {
      const TrajectoryPoint& p = person.points[i];
      const TrajectoryPoint& next = person.points[std::min(i + 1, person.points.size() - 1)];
      const auto dt = static_cast<double>(next.frame - p.frame) / fps;
      const Vec2 v = dt > 0 ? Vec2{(next.at.x - p.at.x) / dt, (next.at.y - p.at.y) / dt} : Vec2{};
      const double speed = std::hypot(v.x, v.y);
      rows[p.frame].push_back(
          {person.id, {p.at.x, p.at.y, 0}, v, speed > 0 ? Vec2{v.x / speed, v.y / speed} : Vec2{}, layer.id, 0});
      const Result<Point> snapped = environment.lattice.snap(p.at);
      outside += snapped.ok() && locate(layer.free, *snapped) != Side::kOutside ? 0 : 1;
    }
  }
  for (int64_t frame = 0; frame < frames; ++frame) {
    const auto found = rows.find(frame);
    const std::span<const RecordedPosition> persons =
        found == rows.end() ? std::span<const RecordedPosition>() : std::span<const RecordedPosition>(found->second);
    if (Status status = recorder->frame(frame, persons); !status.ok()) return status.error();
  }
  if (Status status = recorder->note("wend_outside", fmt::format("{}", outside)); !status.ok()) return status.error();
  if (Status status = recorder->note("wend_status", "experiment"); !status.ok()) return status.error();
  if (outside > 0) {
    const std::string sentence = fmt::format("{} positions lie outside of the walkable space\n", outside);
    if (Status status = recorder->note("wend_warnings", sentence); !status.ok()) return status.error();
  }
  if (Status status = recorder->finish(); !status.ok()) return status.error();
  return outside;
}

}  // namespace wend
