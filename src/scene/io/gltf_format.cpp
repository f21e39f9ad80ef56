#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "scene/io/gltf_document.h"
#include "scene/io/scene_intake.h"

// glTF 2: the nodes of its scene, each with its mesh moved to where the node is.
namespace wend {
namespace {

using Json = GltfDocument::Json;

// Nodes may share a mesh, so that a small file may hold a scene of any size. If the settings have the usual limits,
// they grow with the file.
constexpr uint64_t kAlways = 5'000'000;
constexpr uint64_t kPerByte = 4;
// Primitives of all nodes. One without triangles costs no memory, but time.
constexpr uint64_t kMaxPrimitives = 5'000'000;

SceneReadSettings limited(SceneReadSettings settings, uint64_t bytes) {
  const SceneReadSettings usual;
  const uint64_t most = kAlways + kPerByte * bytes;
  if (settings.maxVertices == usual.maxVertices) settings.maxVertices = std::min<uint64_t>(usual.maxVertices, most);
  if (settings.maxTriangles == usual.maxTriangles) settings.maxTriangles = std::min<uint64_t>(usual.maxTriangles, most);
  return settings;
}

// Rows of an affine map.
struct Affine {
  std::array<std::array<double, 4>, 3> m{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  std::array<double, 3> operator()(const std::array<double, 3>& p) const {
    std::array<double, 3> q{};
    for (size_t r = 0; r < 3; ++r) q[r] = m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3];
    return q;
  }
  Affine operator*(const Affine& o) const {
    Affine product;
    for (size_t r = 0; r < 3; ++r) {
      for (size_t c = 0; c < 4; ++c) {
        product.m[r][c] = m[r][0] * o.m[0][c] + m[r][1] * o.m[1][c] + m[r][2] * o.m[2][c] + (c == 3 ? m[r][3] : 0);
      }
    }
    return product;
  }
  bool mirrors() const {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
  }
};

template <size_t n>
bool numbers(const Json& node, const char* key, std::array<double, n>& values) {
  const Json& list = GltfDocument::member(node, key);
  if (list.is_null()) return false;
  if (!list.is_array() || list.size() != n) {
    gltfFault(ErrorCode::kFormat, fmt::format("'{}' of a node does not have {} numbers", key, n));
  }
  for (size_t i = 0; i < n; ++i) values[i] = GltfDocument::number(list[i]);
  return true;
}

Affine transformOf(const Json& node) {
  Affine a;
  if (std::array<double, 16> columns{}; numbers(node, "matrix", columns)) {
    for (size_t r = 0; r < 3; ++r) {
      for (size_t c = 0; c < 4; ++c) a.m[r][c] = columns[c * 4 + r];
    }
    return a;
  }
  std::array<double, 3> move{0, 0, 0};
  std::array<double, 4> q{0, 0, 0, 1};
  std::array<double, 3> scale{1, 1, 1};
  numbers(node, "translation", move);
  numbers(node, "rotation", q);
  numbers(node, "scale", scale);
  const auto [x, y, z, w] = q;
  const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (size_t r = 0; r < 3; ++r) {
    for (size_t c = 0; c < 3; ++c) a.m[r][c] = turn[r][c] * scale[c];
    a.m[r][3] = move[r];
  }
  return a;
}

class GltfReader {
 public:
  GltfReader(const SceneInput& input, bool binary)
      : input_(input),
        document_(input.source, binary, input.path, input.settings.maxBytes),
        settings_(limited(input.settings, document_.bytes())),
        intake_(settings_, UpAxis::kY) {}

  Result<Scene> read() {
    refuseWhatChangesGeometry();
    std::vector<Visit> stack;
    for (const uint64_t node : roots()) stack.push_back({node, Affine{}});
    std::reverse(stack.begin(), stack.end());
    std::vector<bool> seen(document_.count("nodes"));
    size_t done = 0;
    while (!stack.empty()) {
      if (input_.context.cancelled()) return readingCancelled();
      const Visit visit = stack.back();
      stack.pop_back();
      const Json& node = document_.item("nodes", visit.node);
      if (seen[visit.node]) {
        gltfFault(ErrorCode::kFormat, fmt::format("node {} has two parents or is its own ancestor", visit.node));
      }
      seen[visit.node] = true;
      input_.context.report("reading", static_cast<double>(++done) / static_cast<double>(seen.size()));
      const Affine place = visit.parent * transformOf(node);
      const Json& mesh = GltfDocument::member(node, "mesh");
      if (!mesh.is_null()) addMesh(node, GltfDocument::whole(mesh, "mesh"), place);
      const Json& children = GltfDocument::member(node, "children");
      if (children.is_null()) continue;
      if (!children.is_array())
        gltfFault(ErrorCode::kFormat, fmt::format("the children of node {} are not a list", visit.node));
      for (size_t i = children.size(); i-- > 0;) stack.push_back({GltfDocument::whole(children[i], "children"), place});
    }
    return intake_.finish();
  }

 private:
  struct Visit {
    uint64_t node;
    Affine parent;
  };

  void refuseWhatChangesGeometry() const {
    const Json& required = GltfDocument::member(document_.root(), "extensionsRequired");
    if (!required.is_array()) return;
    for (const Json& name : required) {
      for (const char* unknown : {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing"}) {
        if (name == unknown) {
          gltfFault(ErrorCode::kUnsupported,
                    fmt::format("it needs the extension {}, which wend does not read; save it without", unknown));
        }
      }
    }
  }

  // Of the scene to show; without scenes, all nodes that are no child of another.
  std::vector<uint64_t> roots() const {
    std::vector<uint64_t> list;
    if (document_.count("scenes") > 0) {
      const Json& scene = document_.item("scenes", GltfDocument::wholeOr(document_.root(), "scene", 0));
      const Json& nodes = GltfDocument::member(scene, "nodes");
      if (nodes.is_null()) return list;
      if (!nodes.is_array()) gltfFault(ErrorCode::kFormat, "the nodes of the scene are not a list");
      for (const Json& node : nodes) list.push_back(GltfDocument::whole(node, "nodes"));
      return list;
    }
    std::vector<bool> child(document_.count("nodes"));
    for (size_t i = 0; i < child.size(); ++i) {
      const Json& children = GltfDocument::member(document_.item("nodes", i), "children");
      if (!children.is_array()) continue;
      for (const Json& id : children) {
        if (const uint64_t c = GltfDocument::whole(id, "children"); c < child.size()) child[c] = true;
      }
    }
    for (size_t i = 0; i < child.size(); ++i) {
      if (!child[i]) list.push_back(i);
    }
    return list;
  }

  void addMesh(const Json& node, uint64_t meshIndex, const Affine& place) {
    const Json& mesh = document_.item("meshes", meshIndex);
    const Json& primitives = GltfDocument::member(mesh, "primitives");
    if (!primitives.is_array()) gltfFault(ErrorCode::kFormat, fmt::format("mesh {} has no primitives", meshIndex));
    primitives_ += primitives.size();
    if (primitives_ > kMaxPrimitives) {
      gltfFault(ErrorCode::kLimit, fmt::format("its nodes show more than {} primitives; join them", kMaxPrimitives));
    }
    std::string_view object = GltfDocument::text(node, "name");
    if (object.empty()) object = GltfDocument::text(mesh, "name");
    reserveFor(primitives);
    // Primitives that differ in material only often share their vertices.
    std::map<uint64_t, uint64_t> firstVertex;
    for (const Json& primitive : primitives) {
      const uint64_t mode = GltfDocument::wholeOr(primitive, "mode", 4);
      if (mode < 4 || mode > 6) continue;  // points and lines
      const Json& position = GltfDocument::member(GltfDocument::member(primitive, "attributes"), "POSITION");
      if (position.is_null()) continue;
      const uint64_t accessor = GltfDocument::whole(position, "POSITION");
      const auto [known, added] = firstVertex.try_emplace(accessor, intake_.vertexCount());
      const uint64_t count = document_.accessor(accessor).count;
      if (added) addVertices(document_.accessor(accessor), place);
      std::string_view material;
      if (const Json& id = GltfDocument::member(primitive, "material"); !id.is_null()) {
        material = GltfDocument::text(document_.item("materials", GltfDocument::whole(id, "material")), "name");
      }
      addTriangles(primitive, mode, known->second, count, place.mirrors(), intake_.label(object, material));
    }
  }

  // Room for all triangles of a mesh at once, instead of growing with every primitive.
  void reserveFor(const Json& primitives) {
    uint64_t corners = 0;
    for (const Json& primitive : primitives) {
      const Json& indices = GltfDocument::member(primitive, "indices");
      if (!indices.is_null()) corners += document_.accessor(GltfDocument::whole(indices, "indices")).count;
    }
    intake_.reserve(0, std::min<uint64_t>(corners / 3, input_.source.size()));
  }

  [[noreturn]] void fail(std::string_view what) const {
    gltfFault(intake_.failure().code, fmt::format("{}: {}", what, intake_.failure().message));
  }

  void addVertices(const GltfDocument::Accessor& accessor, const Affine& place) {
    if (accessor.components != 3) gltfFault(ErrorCode::kFormat, "places do not have three coordinates");
    // Zeros without a buffer cost the file nothing.
    if (accessor.source == nullptr && accessor.count > 0) gltfFault(ErrorCode::kFormat, "places have no buffer");
    intake_.reserve(accessor.count, 0);
    AccessorStream stream(accessor);
    for (uint64_t i = 0; i < accessor.count; ++i) {
      pulse(i);
      const auto p = place(stream.next());
      if (!intake_.addVertex(p[0], p[1], p[2])) fail(fmt::format("vertex {}", i));
    }
  }

  void addTriangles(const Json& primitive, uint64_t mode, uint64_t first, uint64_t vertices, bool mirrored,
                    uint32_t label) {
    const Json& indices = GltfDocument::member(primitive, "indices");
    std::optional<AccessorStream> stream;
    uint64_t count = vertices;
    if (!indices.is_null()) {
      const auto accessor = document_.accessor(GltfDocument::whole(indices, "indices"));
      if (accessor.components != 1 || accessor.source == nullptr)
        gltfFault(ErrorCode::kFormat, "indices are not numbers");
      count = accessor.count;
      stream.emplace(accessor);
    }
    uint64_t corners[3] = {0, 0, 0};
    for (uint64_t i = 0; i < count; ++i) {
      pulse(i);
      const uint64_t id = stream ? stream->nextIndex() : i;
      if (id >= vertices) gltfFault(ErrorCode::kFormat, fmt::format("an index names vertex {} of {}", id, vertices));
      const uint64_t slot = mode == 4 ? i % 3 : std::min<uint64_t>(i, 2);
      if (mode != 4 && i > 2) {
        // A strip moves on by one corner, a fan keeps its first.
        if (mode == 5) corners[0] = corners[1];
        corners[1] = corners[2];
      }
      corners[slot] = first + id;
      if (slot != 2) continue;
      const bool flip = mirrored != (mode == 5 && i % 2 == 1);
      if (!intake_.addTriangle(corners[0], corners[flip ? 2 : 1], corners[flip ? 1 : 2], label)) fail("mesh");
    }
  }

  void pulse(uint64_t i) const {
    if ((i & 0xffff) == 0 && input_.context.cancelled()) throw GltfFault{readingCancelled()};
  }

  const SceneInput& input_;
  GltfDocument document_;
  SceneReadSettings settings_;
  uint64_t primitives_ = 0;
  SceneIntake intake_;
};

}  // namespace

Result<Scene> readGltf(const SceneInput& input, bool binary) {
  try {
    return GltfReader(input, binary).read();
  } catch (const GltfFault& fault) {
    return fault.error;
  }
}

}  // namespace wend
