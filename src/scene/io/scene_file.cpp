#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "scene/io/scene_intake.h"

namespace wend {
namespace {

constexpr size_t kHeadBytes = size_t{16} << 10;

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool isBinaryStl(std::span<const std::byte> head, uint64_t size) {
  constexpr size_t kHeader = 84;
  if (head.size() < kHeader || size < kHeader) return false;
  uint32_t count = 0;
  std::memcpy(&count, head.data() + 80, sizeof count);
  return size - kHeader == uint64_t{count} * 50;
}

// Every line that is complete begins with a word of OBJ, and one of them is of geometry.
bool looksLikeObj(std::string_view text) {
  constexpr std::array kWords{"v",      "vn",     "vt",  "vp",    "f",        "fo",      "o",      "g",
                              "s",      "l",      "p",   "mg",    "cstype",   "deg",     "usemtl", "mtllib",
                              "usemap", "maplib", "lod", "bevel", "c_interp", "d_interp"};
  bool geometry = false;
  while (!text.empty()) {
    const size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    line.remove_prefix(first);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (end == std::string_view::npos) break;  // cut off by the end of the head
    if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return false;
    geometry = geometry || word == "v" || word == "mtllib" || word == "o" || word == "g";
    // The rest of a continued line has no word in front.
    if (line.back() == '\\') break;
  }
  return geometry;
}

Status checkSettings(const SceneReadSettings& s) {
  const auto invalid = [](std::string sentence) { return Error{ErrorCode::kInvalidSettings, std::move(sentence)}; };
  if (!(s.scale >= 1e-6 && s.scale <= 1e6)) {
    return invalid(fmt::format("scale {} is outside 1e-6 to 1e6 metres per unit of the file", s.scale));
  }
  if (!(s.maxSeconds >= 1 && s.maxSeconds <= 86400)) {
    return invalid(fmt::format("maxSeconds {} is outside 1 to 86400", s.maxSeconds));
  }
  if (s.maxImporterBytes < size_t{64} << 20) return invalid("maxImporterBytes is below 64 MiB");
  return Done{};
}

Result<Scene> readAs(SceneFormat format, const SceneInput& input) {
  switch (format) {
    case SceneFormat::kObj:
      return readObj(input);
    case SceneFormat::kPly:
      return readPly(input);
    case SceneFormat::kStl:
      return readStl(input);
    case SceneFormat::kGltf:
      return readGltf(input, false);
    case SceneFormat::kGlb:
      return readGltf(input, true);
    default:
      return readForeign(input, format);
  }
}

Result<Scene> read(const SceneInput& input, std::string_view name) {
  const auto named = [&](const Error& error) {
    return Error{error.code, fmt::format("'{}': {}", name, error.message)};
  };
  try {
    if (const Status status = checkSettings(input.settings); !status.ok()) return status.error();
    const Result<std::vector<std::byte>> head = input.source.head(kHeadBytes);
    if (!head.ok()) return named(head.error());
    const Result<SceneFormat> format = recogniseScene(*head, input.source.size());
    if (!format.ok()) return named(format.error());
    Result<Scene> scene = readAs(*format, input);
    if (!scene.ok()) return named(scene.error());
    return scene;
  } catch (const std::bad_alloc&) {
    return named({ErrorCode::kLimit, "there is not enough memory for it"});
  } catch (const std::exception& error) {
    return named({ErrorCode::kInternal, error.what()});
  }
}

}  // namespace

const char* formatName(SceneFormat format) {
  switch (format) {
    case SceneFormat::kObj:
      return "obj";
    case SceneFormat::kGltf:
      return "gltf";
    case SceneFormat::kGlb:
      return "glb";
    case SceneFormat::kPly:
      return "ply";
    case SceneFormat::kStl:
      return "stl";
    case SceneFormat::kFbx:
      return "fbx";
    case SceneFormat::kCollada:
      return "collada";
    case SceneFormat::kIfc:
      return "ifc";
  }
  return "unknown";
}

Result<SceneFormat> recogniseScene(std::span<const std::byte> head, uint64_t size) {
  std::string_view text = textOf(head);
  if (text.starts_with("glTF")) return SceneFormat::kGlb;
  if (text.starts_with("ply\n") || text.starts_with("ply\r")) return SceneFormat::kPly;
  if (text.starts_with("Kaydara FBX Binary")) return SceneFormat::kFbx;
  if (isBinaryStl(head, size)) return SceneFormat::kStl;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with("ISO-10303-21")) return SceneFormat::kIfc;
  if (text.starts_with("; FBX")) return SceneFormat::kFbx;
  if (text.starts_with('<') && text.find("<COLLADA") != std::string_view::npos) return SceneFormat::kCollada;
  // GeoJSON may have a property of that name.
  if (text.starts_with('{') && text.find("\"asset\"") != std::string_view::npos &&
      text.find("\"coordinates\"") == std::string_view::npos) {
    return SceneFormat::kGltf;
  }
  if (text.starts_with("solid") && text.find("facet") != std::string_view::npos) return SceneFormat::kStl;
  if (looksLikeObj(text)) return SceneFormat::kObj;
  if (isCutStl(head, size)) return SceneFormat::kStl;
  return Error{ErrorCode::kFormat,
               "the content is that of no scene wend knows (OBJ, glTF, GLB, PLY, STL, FBX, COLLADA, IFC)"};
}

Result<Scene> readScene(const std::string& path, const SceneReadSettings& settings, const Context& context) {
  const Result<ByteSource> source = ByteSource::open(path, settings.maxBytes);
  if (!source.ok()) return source.error();
  return read({*source, settings, context, path}, path);
}

Result<Scene> parseScene(std::span<const std::byte> bytes, std::string_view name, const SceneReadSettings& settings,
                         const Context& context) {
  if (bytes.size() > settings.maxBytes) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' is larger than the limit of {} bytes", name, settings.maxBytes)};
  }
  const ByteSource source = ByteSource::over(bytes);
  return read({source, settings, context, {}}, name);
}

}  // namespace wend
