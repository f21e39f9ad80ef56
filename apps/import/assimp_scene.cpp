#include "assimp_scene.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "scene/io/scene_intake.h"

// Assimp reads some fifty formats with readers of mixed quality: only the importer of the format at hand is left
// registered, and it sees no file but this one.
namespace wend {
namespace {

const char* extensionOf(SceneFormat format) {
  switch (format) {
    case SceneFormat::kFbx:
      return "fbx";
    case SceneFormat::kCollada:
      return "dae";
    default:
      return "ifc";
  }
}

class SourceStream : public Assimp::IOStream {
 public:
  explicit SourceStream(const ByteSource& source) : source_(source) {}

  size_t Read(void* buffer, size_t size, size_t count) override {
    if (size == 0) return 0;
    const uint64_t left = source_.size() - std::min(offset_, source_.size());
    const size_t whole = static_cast<size_t>(std::min<uint64_t>(count, left / size));
    const Result<size_t> got = source_.readAt(offset_, {static_cast<std::byte*>(buffer), whole * size});
    if (!got.ok()) return 0;
    offset_ += *got;
    return *got / size;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const uint64_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? offset_ : source_.size();
    if (base + offset > source_.size()) return aiReturn_FAILURE;
    offset_ = base + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return static_cast<size_t>(offset_); }
  size_t FileSize() const override { return static_cast<size_t>(source_.size()); }
  void Flush() override {}

 private:
  const ByteSource& source_;
  uint64_t offset_ = 0;
};

// A world with one file in it.
class OneFile : public Assimp::IOSystem {
 public:
  OneFile(const ByteSource& source, std::string name) : source_(source), name_(std::move(name)) {}

  bool Exists(const char* file) const override { return name_ == file; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char*) override {
    return name_ == file ? new SourceStream(source_) : nullptr;
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  const ByteSource& source_;
  std::string name_;
};

// Only the importer that claims this extension stays.
bool keepOneImporter(Assimp::Importer& importer, std::string_view extension) {
  std::vector<Assimp::BaseImporter*> others;
  for (size_t i = 0; i < importer.GetImporterCount(); ++i) {
    const aiImporterDesc* info = importer.GetImporterInfo(i);
    const std::string claimed = info == nullptr ? std::string() : fmt::format(" {} ", info->mFileExtensions);
    if (claimed.find(fmt::format(" {} ", extension)) == std::string::npos) others.push_back(importer.GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) importer.UnregisterLoader(other);
  return importer.GetImporterCount() > 0;
}

class AssimpScene {
 public:
  AssimpScene(const aiScene& scene, const SceneReadSettings& settings, double unit, UpAxis up)
      : scene_(scene), unit_(unit), intake_(settings, up) {}

  Result<Scene> read() {
    struct Visit {
      const aiNode* node;
      aiMatrix4x4t<double> place;
    };
    std::vector<Visit> stack{{scene_.mRootNode, {}}};
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      if (visit.node == nullptr) continue;
      const aiMatrix4x4t<double> place =
          visit.place * aiMatrix4x4t<double>(visit.node->mTransformation.a1, visit.node->mTransformation.a2,
                                             visit.node->mTransformation.a3, visit.node->mTransformation.a4,
                                             visit.node->mTransformation.b1, visit.node->mTransformation.b2,
                                             visit.node->mTransformation.b3, visit.node->mTransformation.b4,
                                             visit.node->mTransformation.c1, visit.node->mTransformation.c2,
                                             visit.node->mTransformation.c3, visit.node->mTransformation.c4,
                                             visit.node->mTransformation.d1, visit.node->mTransformation.d2,
                                             visit.node->mTransformation.d3, visit.node->mTransformation.d4);
      for (unsigned i = 0; i < visit.node->mNumMeshes; ++i) {
        if (const Status status = addMesh(*visit.node, visit.node->mMeshes[i], place); !status.ok()) {
          return status.error();
        }
      }
      for (unsigned i = visit.node->mNumChildren; i-- > 0;) stack.push_back({visit.node->mChildren[i], place});
    }
    return intake_.finish();
  }

 private:
  Status addMesh(const aiNode& node, unsigned index, const aiMatrix4x4t<double>& place) {
    if (index >= scene_.mNumMeshes) return Error{ErrorCode::kFormat, "a node names a mesh that is not there"};
    const aiMesh& mesh = *scene_.mMeshes[index];
    const uint64_t first = intake_.vertexCount();
    intake_.reserve(mesh.mNumVertices, mesh.mNumFaces);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      const aiVector3t<double> p = place * aiVector3t<double>(v.x, v.y, v.z);
      if (!intake_.addVertex(p.x * unit_, p.y * unit_, p.z * unit_)) return failure();
    }
    aiString material;
    if (mesh.mMaterialIndex < scene_.mNumMaterials) {
      scene_.mMaterials[mesh.mMaterialIndex]->Get(AI_MATKEY_NAME, material);
    }
    // Assimp gives a material where the file has none.
    std::string name = material.C_Str();
    if (name == AI_DEFAULT_MATERIAL_NAME) name.clear();
    const uint32_t label = intake_.label(node.mName.C_Str(), name);
    const bool mirrored = place.Determinant() < 0;
    std::vector<uint64_t> corners;
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices < 3) continue;  // points and lines
      corners.clear();
      for (unsigned k = 0; k < face.mNumIndices; ++k) corners.push_back(first + face.mIndices[k]);
      if (mirrored) std::reverse(corners.begin(), corners.end());
      if (!intake_.addPolygon(corners, label)) return failure();
    }
    return Done{};
  }

  Error failure() const { return intake_.failure(); }

  const aiScene& scene_;
  double unit_;
  SceneIntake intake_;
};

// Metres per unit of what Assimp gives. It applies the units of COLLADA and IFC itself; FBX counts in centimetres.
double unitOf(const aiScene& scene, SceneFormat format) {
  if (format != SceneFormat::kFbx) return 1;
  double centimetres = 1;
  float single = 0;
  if (scene.mMetaData != nullptr && !scene.mMetaData->Get("UnitScaleFactor", centimetres) &&
      scene.mMetaData->Get("UnitScaleFactor", single)) {
    centimetres = single;
  }
  return centimetres > 0 ? centimetres * 0.01 : 0.01;
}

// Assimp turns COLLADA and IFC so that y is up, and leaves FBX as it is.
UpAxis upAxisOf(const aiScene& scene, SceneFormat format) {
  int32_t axis = 1;
  if (format == SceneFormat::kFbx && scene.mMetaData != nullptr) scene.mMetaData->Get("UpAxis", axis);
  return axis == 0 ? UpAxis::kX : axis == 2 ? UpAxis::kZ : UpAxis::kY;
}

}  // namespace

Result<Scene> importWithAssimp(const ByteSource& source, const ImportRequest& request) {
  const SceneFormat format = request.format;
  const std::string name = std::string("scene.") + extensionOf(format);
  Assimp::Importer importer;
  if (!keepOneImporter(importer, extensionOf(format))) {
    return Error{ErrorCode::kUnsupported, fmt::format("this build of Assimp cannot read {}", formatName(format))};
  }
  importer.SetIOHandler(new OneFile(source, name));
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_TEXTURES, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, false);
  const aiScene* scene = importer.ReadFile(name, 0);
  if (scene == nullptr) {
    // Assimp keeps the exception to itself.
    if (std::string_view(importer.GetErrorString()).find("bad_alloc") != std::string_view::npos) throw std::bad_alloc();
    return Error{ErrorCode::kFormat, fmt::format("Assimp cannot read it: {:.300}", importer.GetErrorString())};
  }
  if (scene->mRootNode == nullptr) return Error{ErrorCode::kEmpty, "it holds no triangle"};
  return AssimpScene(*scene, request.settings, unitOf(*scene, format), upAxisOf(*scene, format)).read();
}

}  // namespace wend
