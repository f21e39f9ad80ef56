#include <algorithm>
#include <bit>
#include <cstring>

#include <wend/file.h>
#include <wend/scene.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

// Scenes as GLB and OBJ. Both have y up, so that every other program shows them upright.

namespace wend {
namespace {

static_assert(std::endian::native == std::endian::little, "GLB is little-endian");

struct LabelRange {
  uint32_t label = 0;
  uint64_t count = 0;  // triangles
  uint64_t first = 0;  // of them, in the order by label
};

std::vector<LabelRange> countLabels(const Scene& scene) {
  std::vector<LabelRange> ranges(scene.labels.size());
  for (uint32_t i = 0; i < ranges.size(); ++i) ranges[i].label = i;
  for (const Scene::Triangle& t : scene.triangles) ++ranges[t.label].count;
  uint64_t first = 0;
  for (LabelRange& range : ranges) {
    range.first = first;
    first += range.count;
  }
  return ranges;
}

Status checkScene(const Scene& scene) {
  if (scene.triangles.empty()) return Error{ErrorCode::kEmpty, "the scene has no triangle; there is nothing to write"};
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    const Scene::Triangle& t = scene.triangles[i];
    if (*std::max_element(t.vertices.begin(), t.vertices.end()) >= scene.vertices.size() ||
        t.label >= scene.labels.size()) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("triangle {} names a vertex or label that is not there", i)};
    }
  }
  return Done{};
}

void append(std::string& out, const void* data, size_t size) {
  out.append(static_cast<const char*>(data), size);
}

void appendChunk(std::string& out, uint32_t length, uint32_t type) {
  append(out, &length, sizeof length);
  append(out, &type, sizeof type);
}

// One mesh with a primitive per label; vertices are shared, single precision as the format demands.
Result<std::string> formatGlb(const Scene& scene) {
  using OrderedJson = nlohmann::ordered_json;
  const std::vector<LabelRange> ranges = countLabels(scene);
  const uint64_t vertexBytes = scene.vertices.size() * 12;
  const uint64_t indexBytes = scene.triangles.size() * 12;
  std::array<float, 3> low{HUGE_VALF, HUGE_VALF, HUGE_VALF};
  std::array<float, 3> high{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
  const auto upright = [](Vec3 p) {
    return std::array<float, 3>{static_cast<float>(p.x), static_cast<float>(p.z), static_cast<float>(-p.y)};
  };
  for (const Vec3& p : scene.vertices) {
    const auto q = upright(p);
    for (size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], q[k]);
      high[k] = std::max(high[k], q[k]);
    }
  }
  OrderedJson json = {{"asset", {{"version", "2.0"}, {"generator", "wend"}}},
                      {"scene", 0},
                      {"scenes", {{{"nodes", {0}}}}},
                      {"nodes", {{{"mesh", 0}}}}};
  OrderedJson primitives = OrderedJson::array();
  OrderedJson materials = OrderedJson::array();
  OrderedJson accessors = OrderedJson::array();
  accessors.push_back({{"bufferView", 0},
                       {"componentType", 5126},
                       {"count", scene.vertices.size()},
                       {"type", "VEC3"},
                       {"min", low},
                       {"max", high}});
  for (const LabelRange& range : ranges) {
    if (range.count == 0) continue;
    OrderedJson primitive = {{"attributes", {{"POSITION", 0}}}, {"indices", accessors.size()}};
    accessors.push_back({{"bufferView", 1},
                         {"byteOffset", range.first * 12},
                         {"componentType", 5125},
                         {"count", range.count * 3},
                         {"type", "SCALAR"}});
    if (!scene.labels[range.label].empty()) {
      primitive["material"] = materials.size();
      materials.push_back({{"name", scene.labels[range.label]}});
    }
    primitives.push_back(std::move(primitive));
  }
  json["meshes"] = {{{"primitives", std::move(primitives)}}};
  if (!materials.empty()) json["materials"] = std::move(materials);
  json["accessors"] = std::move(accessors);
  json["bufferViews"] = {{{"buffer", 0}, {"byteLength", vertexBytes}, {"target", 34962}},
                         {{"buffer", 0}, {"byteOffset", vertexBytes}, {"byteLength", indexBytes}, {"target", 34963}}};
  json["buffers"] = {{{"byteLength", vertexBytes + indexBytes}}};
  std::string text = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');

  const uint64_t total = 12 + 8 + text.size() + 8 + vertexBytes + indexBytes;
  if (total > 0xffffffffULL) {
    return Error{ErrorCode::kLimit, "the scene needs more than 4 GiB, which GLB cannot hold; write OBJ"};
  }
  std::string out;
  out.reserve(total);
  out += "glTF";
  appendChunk(out, 2, static_cast<uint32_t>(total));
  appendChunk(out, static_cast<uint32_t>(text.size()), 0x4e4f534a);
  out += text;
  appendChunk(out, static_cast<uint32_t>(vertexBytes + indexBytes), 0x004e4942);
  for (const Vec3& p : scene.vertices) append(out, upright(p).data(), 12);
  const size_t base = out.size();
  out.resize(base + indexBytes);
  std::vector<uint64_t> next;
  for (const LabelRange& range : ranges) next.push_back(range.first);
  for (const Scene::Triangle& t : scene.triangles) {
    std::memcpy(out.data() + base + next[t.label]++ * 12, t.vertices.data(), 12);
  }
  return out;
}

Result<std::string> formatObj(const Scene& scene) {
  std::string out = "# made by wend; metres, y up\n";
  for (const Vec3& p : scene.vertices) out += fmt::format("v {} {} {}\n", p.x, p.z, p.y == 0 ? 0.0 : -p.y);
  uint32_t label = kNone;
  for (const Scene::Triangle& t : scene.triangles) {
    if (t.label != label) {
      label = t.label;
      // A backslash or a line break in a name would run into the next line.
      std::string name = scene.labels[label];
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '\\' || c == '\n' || c == '\r' || c == '\0'; }, '_');
      out += fmt::format("usemtl {}\n", name);
    }
    out += fmt::format("f {} {} {}\n", t.vertices[0] + uint64_t{1}, t.vertices[1] + uint64_t{1},
                       t.vertices[2] + uint64_t{1});
  }
  return out;
}

bool endsWith(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

}  // namespace

Result<std::string> formatScene(const Scene& scene, SceneFormat format) {
  if (const Status status = checkScene(scene); !status.ok()) return status.error();
  if (format == SceneFormat::kGlb) return formatGlb(scene);
  if (format == SceneFormat::kObj) return formatObj(scene);
  return Error{ErrorCode::kUnsupported, fmt::format("wend writes scenes as glb or obj, not as {}", formatName(format))};
}

Status writeScene(const Scene& scene, const std::string& path) {
  const bool glb = endsWith(path, ".glb");
  if (!glb && !endsWith(path, ".obj")) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' names no format that wend writes scenes in; end it with .glb or .obj", path)};
  }
  const Result<std::string> text = formatScene(scene, glb ? SceneFormat::kGlb : SceneFormat::kObj);
  if (!text.ok()) return text.error();
  return writeFile(path, *text);
}

}  // namespace wend
