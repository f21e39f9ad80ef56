#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include <wend/recording.h>

#include <fmt/format.h>

#include "crowd/record/recorder.h"

namespace wend {
namespace {

// One layer's recording while it is written.
struct LayerFile {
  std::optional<Recorder> recorder;
  std::map<uint32_t, uint32_t> visits;  // persons in it now, with the id of the visit
  uint32_t next = 0;
};

std::string layerPathOf(const std::string& path, int32_t layer) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  const bool hasExtension = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  const size_t end = hasExtension ? dot : path.size();
  return fmt::format("{}.layer{}{}", path.substr(0, end), layer, path.substr(end));
}

// A scenario, which may come from anybody, has this written: a link would lead to where it likes.
Status refuseLink(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return Done{};
  return Error{ErrorCode::kFileNotWritten,
               fmt::format("'{}' is a link; the recordings of layers stand beside the whole one, remove it", path)};
}

Environment only(const Environment& environment, int32_t id) {
  Environment one;
  one.lattice = environment.lattice;
  one.name = environment.name;
  for (const Layer& layer : environment.layers) {
    if (layer.id == id) one.layers.push_back(layer);
  }
  return one;
}

}  // namespace

Status writeLayers(const Recording& recording, const std::string& path) {
  std::map<int32_t, LayerFile> files;
  std::map<uint32_t, const RecordedPerson*> persons;
  for (const RecordedPerson& person : recording.persons()) persons[person.id] = &person;
  std::optional<Error> error;
  const auto failed = [&](const Status& status) {
    if (!status.ok() && !error) error = status.error();
    return !status.ok();
  };
  std::set<int32_t> layers;
  for (const RecordedWorld& world : recording.worlds()) {
    for (const Layer& layer : world.environment.layers) layers.insert(layer.id);
  }
  // Which layers are visited decides which files there are.
  Status looked = recording.forEach([&](int64_t frame, std::span<const RecordedPosition> rows) {
    for (const RecordedPosition& row : rows) {
      if (!layers.contains(row.layer) && !error) {
        error = Error{ErrorCode::kFormat, fmt::format("'{}': in frame {} a person is in layer {}, which is not there",
                                                      recording.path(), frame, row.layer)};
      }
      files[row.layer];
    }
    return !error;
  });
  if (!looked.ok()) return looked;
  if (error) return std::move(*error);
  for (auto& [layer, file] : files) {
    RecordHeader header;
    header.framesPerSecond = recording.framesPerSecond();
    header.notes = {{"wend_layer", fmt::format("{}", layer)}};
    const std::string layerPath = layerPathOf(path, layer);
    if (failed(refuseLink(layerPath))) return std::move(*error);
    Result<Recorder> recorder = Recorder::create(layerPath, header);
    if (!recorder.ok()) return recorder.error();
    file.recorder.emplace(std::move(recorder).value());
    for (const RecordedWorld& world : recording.worlds()) {
      if (failed(file.recorder->world(world.frame, only(world.environment, layer)))) return std::move(*error);
    }
  }
  std::map<int32_t, std::vector<RecordedPosition>> rows;
  Status status = recording.forEach([&](int64_t frame, std::span<const RecordedPosition> all) {
    for (auto& [layer, list] : rows) list.clear();
    for (const RecordedPosition& row : all) rows[row.layer].push_back(row);
    for (auto& [layer, file] : files) {
      std::map<uint32_t, uint32_t> visits;
      for (RecordedPosition& row : rows[layer]) {
        const auto known = file.visits.find(row.person);
        const uint32_t id = known == file.visits.end() ? file.next++ : known->second;
        visits[row.person] = id;
        if (known == file.visits.end() && persons.contains(row.person)) {
          RecordedPerson visit = *persons[row.person];
          visit.id = id;
          visit.spawnFrame = frame;
          if (failed(file.recorder->person(visit))) return false;
        }
        row.person = id;
      }
      file.visits = std::move(visits);
      std::sort(rows[layer].begin(), rows[layer].end(),
                [](const auto& a, const auto& b) { return a.person < b.person; });
      if (failed(file.recorder->frame(frame, rows[layer]))) return false;
    }
    return true;
  });
  if (!status.ok()) return status;
  if (error) return std::move(*error);
  for (auto& [layer, file] : files) {
    if (Status done = file.recorder->finish(); !done.ok()) return done;
  }
  return Done{};
}

}  // namespace wend
