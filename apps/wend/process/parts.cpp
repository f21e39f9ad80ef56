#include "process/parts.h"

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <flatbuffers/base.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <png.h>
#include <pugixml.hpp>
#include <sqlite3.h>
#include <toml++/impl/version.h>

#include "parts_config.h"

namespace wend::app {

std::string partsJson() {
  using Json = nlohmann::ordered_json;
  const auto dotted = [](int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  };
  Json parts = {
      {"boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"cli11", CLI11_VERSION},
      {"flatbuffers", dotted(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION)},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"libpng", png_get_libpng_ver(nullptr)},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"pugixml", dotted(PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100, PUGIXML_VERSION % 10)},
      {"sqlite", sqlite3_libversion()},
      {"tomlplusplus", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
      {"three", WEND_THREE_VERSION}};
  const std::pair<const char*, const char*> found[] = {{"assimp", WEND_ASSIMP_VERSION},
                                                       {"libtiff", WEND_TIFF_VERSION},
                                                       {"onetbb", WEND_TBB_VERSION},
                                                       {"recastnavigation", WEND_RECAST_VERSION}};
  for (const auto& [name, version] : found) parts[name] = *version == '\0' ? Json() : Json(version);
  const Json all = {{"wend", WEND_VERSION}, {"compiler", __VERSION__}, {"parts", parts}};
  return all.dump(2) + "\n";
}

}  // namespace wend::app
