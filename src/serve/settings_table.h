#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/extract.h>

// The settings of extraction as the page shows them: each with its unit, its range and the sentence of the struct.
namespace wend::serve {

struct SettingInfo {
  std::string name;
  std::string unit;     // "m", "degrees", "m2", or nothing
  std::string meaning;  // one sentence
  double min = 0;
  double max = 0;
  double defaultValue = 0;
  double step = 0;       // of the slider
  bool isFlag = false;   // 0 or 1
  bool isVoxel = false;  // only for the voxel method
};
const std::vector<SettingInfo>& extractSettings();

double getSetting(const ExtractSettings& settings, std::string_view name);
// kInvalidSettings for a name that is not in the table, or a value outside its range.
Status setSetting(ExtractSettings& settings, std::string_view name, double value);

}  // namespace wend::serve
