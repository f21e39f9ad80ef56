#include "scene/io/scene_intake.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene/io/triangulate_face.h"

namespace wend {
namespace {

// Names end up in reports and other files: printable, and not endless.
std::string cleanName(std::string_view name) {
  std::string clean(name.substr(0, SceneIntake::kMaxLabelBytes));
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  const size_t first = clean.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return clean.substr(first, clean.find_last_not_of(' ') - first + 1);
}

template <typename T>
void growAlong(std::vector<T>& list, const ByteStream& stream, uint64_t firstOffset) {
  constexpr size_t kSmall = size_t{1} << 14;
  if (list.size() < list.capacity() || list.size() < kSmall) return;
  const double size = static_cast<double>(list.size());
  const double bytesEach = std::max(static_cast<double>(stream.offset() - firstOffset) / size, 1.0);
  const double rest = static_cast<double>(stream.remaining()) / bytesEach;
  // What is never touched costs no memory, but a dense beginning must not promise the moon.
  list.reserve(static_cast<size_t>(std::min(1.1 * size + 1.02 * rest, 16 * size)));
}

}  // namespace

SceneIntake::SceneIntake(const SceneReadSettings& settings, UpAxis up)
    : settings_(settings), up_(settings.up == UpAxis::kByFormat ? up : settings.up) {}

bool SceneIntake::fail(ErrorCode code, std::string sentence) {
  failure_ = {code, std::move(sentence)};
  return false;
}

bool SceneIntake::accept(double x, double y, double z, Vec3& metres) {
  const double scale = settings_.scale;
  Vec3 p{x * scale, y * scale, z * scale};
  // Turned, never mirrored: fronts stay fronts.
  if (up_ == UpAxis::kY) p = {p.x, -p.z, p.y};
  if (up_ == UpAxis::kX) p = {-p.z, p.y, p.x};
  if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
    return fail(ErrorCode::kFormat, "a coordinate is not a finite number");
  }
  if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > kMaxSceneCoordinate) {
    return fail(ErrorCode::kLimit, fmt::format("a coordinate lies beyond {:g} m; give the unit of the file with scale",
                                               kMaxSceneCoordinate));
  }
  if (scene_.vertices.size() >= std::min<size_t>(settings_.maxVertices, kNone)) {
    return fail(
        ErrorCode::kLimit,
        fmt::format(
            "more than {} vertices; set --max-triangles, or SceneReadSettings::maxVertices, if you trust the file",
            settings_.maxVertices));
  }
  // -0 and 0 are one place.
  metres = {p.x + 0.0, p.y + 0.0, p.z + 0.0};
  return true;
}

bool SceneIntake::addVertex(double x, double y, double z) {
  Vec3 p;
  if (!accept(x, y, z, p)) return false;
  scene_.vertices.push_back(p);
  return true;
}

bool SceneIntake::addVertexOnce(double x, double y, double z, uint32_t& id) {
  Vec3 p;
  if (!accept(x, y, z, p)) return false;
  id = table_.findOrAppend(scene_.vertices, p);
  return true;
}

bool SceneIntake::addTriangle(uint64_t a, uint64_t b, uint64_t c, uint32_t label) {
  const uint64_t count = scene_.vertices.size();
  if (const uint64_t worst = std::max({a, b, c}); worst >= count) {
    return fail(ErrorCode::kFormat, fmt::format("a face names vertex {} (from 0) of {}", worst, count));
  }
  if (scene_.triangles.size() >= std::min<size_t>(settings_.maxTriangles, kNone)) {
    return fail(
        ErrorCode::kLimit,
        fmt::format(
            "more than {} triangles; set --max-triangles, or SceneReadSettings::maxTriangles, if you trust the file",
            settings_.maxTriangles));
  }
  scene_.triangles.push_back({{static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)}, label});
  return true;
}

bool SceneIntake::addPolygon(std::span<const uint64_t> corners, uint32_t label) {
  if (corners.size() == 3) return addTriangle(corners[0], corners[1], corners[2], label);
  if (corners.size() < 3) return fail(ErrorCode::kFormat, "a face has fewer than three corners");
  if (corners.size() > kMaxCorners) {
    return fail(ErrorCode::kLimit,
                fmt::format("a face has more than {} corners; cut it into smaller ones", kMaxCorners));
  }
  std::vector<Vec3> places;
  places.reserve(corners.size());
  for (const uint64_t id : corners) {
    if (id >= scene_.vertices.size()) {
      return fail(ErrorCode::kFormat, fmt::format("a face names vertex {} (from 0) of {}", id, scene_.vertices.size()));
    }
    places.push_back(scene_.vertices[id]);
  }
  cornerPairs_ += kPairsPerCorner * corners.size();
  const auto triangles = triangulateFace(places, cornerPairs_);
  if (cornerPairs_ == 0) {
    return fail(ErrorCode::kLimit, "its faces of many corners cross themselves too often; cut them into triangles");
  }
  for (const auto& t : triangles) {
    if (!addTriangle(corners[t[0]], corners[t[1]], corners[t[2]], label)) return false;
  }
  return true;
}

uint32_t SceneIntake::label(std::string_view object, std::string_view material) {
  std::string name;
  if (settings_.labels != LabelSource::kObject) name = cleanName(material);
  if (name.empty() && settings_.labels != LabelSource::kMaterial) name = cleanName(object);
  const auto [place, added] = labelIds_.try_emplace(name, static_cast<uint32_t>(scene_.labels.size()));
  if (added) scene_.labels.push_back(std::move(name));
  return place->second;
}

void SceneIntake::reserve(uint64_t vertices, uint64_t triangles) {
  // Many small promises must not copy the arrays each time.
  const auto more = [](auto& list, uint64_t count) {
    const size_t needed = list.size() + static_cast<size_t>(count);
    if (needed > list.capacity()) list.reserve(std::max(needed, list.capacity() + list.capacity() / 2));
  };
  more(scene_.vertices, std::min<uint64_t>(vertices, settings_.maxVertices));
  more(scene_.triangles, std::min<uint64_t>(triangles, settings_.maxTriangles));
}

void SceneIntake::growVertices(const ByteStream& stream, uint64_t firstOffset) {
  growAlong(scene_.vertices, stream, firstOffset);
}

void SceneIntake::growTriangles(const ByteStream& stream, uint64_t firstOffset) {
  growAlong(scene_.triangles, stream, firstOffset);
}

Result<Scene> SceneIntake::finish() {
  if (scene_.triangles.empty()) return Error{ErrorCode::kEmpty, "it holds no triangle"};
  return std::move(scene_);
}

}  // namespace wend
