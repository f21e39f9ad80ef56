#include "serve/settings_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace wend::serve {
namespace {

struct Entry {
  SettingInfo info;
  double ExtractSettings::*number = nullptr;
  bool ExtractSettings::*flag = nullptr;
  double VoxelSettings::*voxel = nullptr;
  bool VoxelSettings::*voxelFlag = nullptr;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = [] {
    std::vector<Entry> all{
        {{"height", "m", "Head room that a person needs.", 0.1, 5, 0, 0.05}, &ExtractSettings::height},
        {{"step", "m", "Highest step that a person climbs.", 0, 1.5, 0, 0.01}, &ExtractSettings::step},
        {{"slope", "degrees", "Steepest floor, from level.", 0, 89, 0, 1}, &ExtractSettings::slope},
        {{"gap", "m", "Cracks up to this width are closed.", 0, 1, 0, 0.005}, &ExtractSettings::gap},
        {{"minArea", "m2", "Components smaller than this are dropped; 0 keeps all.", 0, 50, 0, 0.1},
         &ExtractSettings::minArea},
        {{"insides", "", "Floors inside closed solids are kept.", 0, 1, 0, 1, true},
         nullptr,
         &ExtractSettings::insides},
        {{"twoSided", "", "Triangles count from both sides: for scenes whose windings are wrong.", 0, 1, 0, 1, true},
         nullptr,
         &ExtractSettings::twoSided},
        {{"strict", "", "Low things that cannot be walked on block the floor instead of being stepped over.", 0, 1, 0,
          1, true},
         nullptr,
         &ExtractSettings::strict},
        {{"resolution", "m", "Side of a pixel of the depth maps; borders are off by about this much.", 0.01, 1, 0, 0.01,
          false, true},
         nullptr,
         nullptr,
         &VoxelSettings::resolution},
        {{"simplify", "pixels", "Borders are simplified within this many pixels.", 0, 8, 0, 0.1, false, true},
         nullptr,
         nullptr,
         &VoxelSettings::simplify},
        {{"singleLayer", "", "One layer only: the topmost surface seen from above.", 0, 1, 0, 1, true, true},
         nullptr,
         nullptr,
         nullptr,
         &VoxelSettings::singleLayer},
    };
    return all;
  }();
  return list;
}

double read(const ExtractSettings& settings, const Entry& entry) {
  if (entry.number != nullptr) return settings.*entry.number;
  if (entry.flag != nullptr) return settings.*entry.flag ? 1 : 0;
  if (entry.voxel != nullptr) return settings.voxel.*entry.voxel;
  return settings.voxel.*entry.voxelFlag ? 1 : 0;
}

const Entry* find(std::string_view name) {
  const auto found =
      std::find_if(entries().begin(), entries().end(), [&](const Entry& entry) { return entry.info.name == name; });
  return found == entries().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<SettingInfo>& extractSettings() {
  static const std::vector<SettingInfo> list = [] {
    std::vector<SettingInfo> all;
    for (const Entry& entry : entries()) {
      all.push_back(entry.info);
      all.back().defaultValue = read(ExtractSettings(), entry);
    }
    return all;
  }();
  return list;
}

double getSetting(const ExtractSettings& settings, std::string_view name) {
  const Entry* entry = find(name);
  return entry == nullptr ? 0 : read(settings, *entry);
}

Status setSetting(ExtractSettings& settings, std::string_view name, double value) {
  const Entry* entry = find(name);
  if (entry == nullptr) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("extraction has no setting '{}'", name)};
  }
  if (!(value >= entry->info.min && value <= entry->info.max)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("'{}' is {:g}; it must be within {:g} to {:g} {}", name,
                                                          value, entry->info.min, entry->info.max, entry->info.unit)};
  }
  if (entry->number != nullptr) settings.*entry->number = value;
  if (entry->flag != nullptr) settings.*entry->flag = value != 0;
  if (entry->voxel != nullptr) settings.voxel.*entry->voxel = value;
  if (entry->voxelFlag != nullptr) settings.voxel.*entry->voxelFlag = value != 0;
  return Done{};
}

}  // namespace wend::serve
