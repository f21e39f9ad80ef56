#include <fmt/format.h>

#include "base/text_cursor.h"
#include "environment/io/formats.h"

// Polyanya's .mesh, version 2 (Cui, Harabor, Grastien 2017). Only the polygons count: their union is the free space.
// Neighbour lists are checked for range and otherwise ignored, so a mesh with wrong ones still loads.
namespace wend {
namespace {

class PolyanyaReader {
 public:
  explicit PolyanyaReader(const Source& source)
      : cursor_(source.text, source.name),
        draft_(emptyDraft(source)),
        intake_(source, draft_.lattice, source.settings.scale) {}

  Result<EnvironmentDraft> read() {
    if (header() && vertices() && polygons()) {
      cursor_.skipSpace();
      if (cursor_.atEnd()) return std::move(draft_);
      fail(cursor_.expected(fmt::format("the end of the file after {} polygons", polygonCount_)));
    }
    return std::move(*error_);
  }

 private:
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  bool integer(int64_t least, int64_t most, std::string_view what, int64_t& value) {
    const TextCursor here = cursor_;
    const std::optional<int64_t> read = cursor_.integer();
    if (!read) return fail(here.expected(what));
    if (*read < least || *read > most) {
      return fail(cursor_.error(ErrorCode::kFormat,
                                fmt::format("expected {} from {} to {}, but found {}", what, least, most, *read)));
    }
    value = *read;
    return true;
  }

  // A number and the blank after it take two bytes, which bounds every count by what is left of the file.
  bool countOf(int64_t least, int64_t numbersEach, std::string_view what, int64_t& value) {
    if (!integer(0, INT64_MAX, what, value)) return false;
    if (value < least)
      return fail(cursor_.error(ErrorCode::kFormat, fmt::format("{} is {}, below {}", what, value, least)));
    const auto most = static_cast<int64_t>(cursor_.remaining() + 1) / (2 * numbersEach);
    if (value <= most) return true;
    return fail(cursor_.error(ErrorCode::kFormat,
                              fmt::format("{} is {}, more than the rest of the file can hold", what, value)));
  }

  bool header() {
    if (cursor_.word() != "mesh") return fail(cursor_.expected("'mesh', the first word of a Polyanya file"));
    int64_t version = 0;
    if (!integer(0, INT64_MAX, "the version of the format", version)) return false;
    if (version != 2) {
      return fail(cursor_.error(ErrorCode::kUnsupported,
                                fmt::format("a .mesh file of version {}; wend reads version 2", version)));
    }
    return countOf(3, 3, "the number of vertices", vertexCount_) &&
           countOf(1, 7, "the number of polygons", polygonCount_);
  }

  bool vertices() {
    vertices_.reserve(static_cast<size_t>(vertexCount_));
    for (int64_t i = 0; i < vertexCount_; ++i) {
      TextCursor here = cursor_;
      here.skipSpace();
      const std::optional<double> x = cursor_.number();
      const std::optional<double> y = x ? cursor_.number() : std::nullopt;
      if (!y) return fail(cursor_.expected(fmt::format("a coordinate of vertex {}", i)));
      Result<Vec2> place = intake_.accept({*x, *y});
      if (!place.ok()) return fail(here.error(place.error().code, place.error().message));
      vertices_.push_back(*place);
      int64_t neighbours = 0;
      if (!countOf(0, 1, "the number of neighbours", neighbours)) return false;
      int64_t polygon = 0;
      for (int64_t k = 0; k < neighbours; ++k) {
        if (!integer(-1, polygonCount_ - 1, "a neighbouring polygon", polygon)) return false;
      }
    }
    return true;
  }

  bool polygons() {
    LayerDraft layer;
    layer.walkable.reserve(static_cast<size_t>(polygonCount_));
    for (int64_t i = 0; i < polygonCount_; ++i) {
      int64_t corners = 0;
      if (!countOf(3, 2, "the number of corners", corners)) return false;
      std::vector<Vec2> loop;
      loop.reserve(static_cast<size_t>(corners));
      int64_t id = 0;
      for (int64_t k = 0; k < corners; ++k) {
        if (!integer(0, vertexCount_ - 1, "a vertex", id)) return false;
        if (!intake_.count()) return fail(cursor_.error(ErrorCode::kLimit, intake_.tooMany().message));
        loop.push_back(vertices_[static_cast<size_t>(id)]);
      }
      for (int64_t k = 0; k < corners; ++k) {
        if (!integer(-1, polygonCount_ - 1, "a neighbouring polygon", id)) return false;
      }
      layer.walkable.push_back({std::move(loop)});
    }
    draft_.layers.push_back(std::move(layer));
    return true;
  }

  TextCursor cursor_;
  EnvironmentDraft draft_;
  Intake intake_;
  int64_t vertexCount_ = 0;
  int64_t polygonCount_ = 0;
  std::vector<Vec2> vertices_;
  std::optional<Error> error_;
};

}  // namespace

Result<EnvironmentDraft> readPolyanya(const Source& source) {
  return PolyanyaReader(source).read();
}

}  // namespace wend
