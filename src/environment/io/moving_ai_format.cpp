#include <fmt/format.h>

#include "base/text_cursor.h"
#include "environment/io/formats.h"
#include "environment/io/grid_draft.h"

// Moving AI grid maps (Sturtevant 2012): a header of four lines, then one character per square. The benchmark's
// coordinates (x to the right, y downwards) are kept as they are, so square (x, y) of a .scen file covers
// [x, x+1] x [y, y+1] times the cell size, and its centre is (x + 0.5, y + 0.5).
namespace wend {
namespace {

enum class Square : uint8_t { kFree, kBlocked, kUnknown };

Square squareOf(char c) {
  switch (c) {
    case '.':
    case 'G':
    case 'S':  // swamp: passable, at a cost that the benchmark leaves open
      return Square::kFree;
    case '@':
    case 'O':
    case 'T':
    case 'W':  // water: passable from water only, so no walker reaches it
      return Square::kBlocked;
    default:
      return Square::kUnknown;
  }
}

struct Header {
  int64_t width = 0;
  int64_t height = 0;
};

Result<Header> readHeader(TextCursor& cursor) {
  if (cursor.word() != "type") return cursor.expected("'type octile', the first line of a .map file");
  const std::string_view type = cursor.word();
  if (type != "octile" && type != "tile") {
    return cursor.error(ErrorCode::kUnsupported,
                        fmt::format("a map of type '{}'; wend reads 'octile' and 'tile'", excerpt(type)));
  }
  Header header;
  while (true) {
    const std::string_view key = cursor.word();
    if (key == "map") break;
    if (key != "height" && key != "width") return cursor.expected("'height N', 'width N' or 'map'");
    const TextCursor here = cursor;
    const std::optional<int64_t> value = cursor.integer();
    if (!value || *value < 1) return here.expected(fmt::format("a positive number after '{}'", key));
    (key == "height" ? header.height : header.width) = *value;
  }
  if (header.width == 0 || header.height == 0) {
    return cursor.error(ErrorCode::kFormat, "the header lacks 'height N' or 'width N' before 'map'");
  }
  if (!cursor.line().empty()) return cursor.expected("nothing after 'map' on its line");
  return header;
}

}  // namespace

Result<EnvironmentDraft> readMovingAi(const Source& source) {
  TextCursor cursor(source.text, source.name);
  const Result<Header> header = readHeader(cursor);
  if (!header.ok()) return header.error();
  const int64_t width = header->width;
  const int64_t height = header->height;
  const auto left = static_cast<int64_t>(cursor.remaining());
  if (width > left || height > left / width) {
    return cursor.error(ErrorCode::kFormat, fmt::format("the header promises {} x {} squares, but only {} bytes follow",
                                                        width, height, left));
  }
  if (static_cast<size_t>(width * height) > source.settings.maxCells) {
    return cursor.error(ErrorCode::kLimit, fmt::format("{} x {} squares are more than the limit of {}", width, height,
                                                       source.settings.maxCells));
  }

  std::vector<uint8_t> free;
  free.reserve(static_cast<size_t>(width * height));
  for (int64_t row = 0; row < height; ++row) {
    const TextCursor here = cursor;
    const std::string_view line = cursor.line();
    if (line.size() != static_cast<size_t>(width)) {
      return here.error(ErrorCode::kFormat,
                        fmt::format("row {} of the map has {} characters instead of {}", row, line.size(), width));
    }
    for (size_t column = 0; column < line.size(); ++column) {
      const Square square = squareOf(line[column]);
      if (square == Square::kUnknown) {
        return here.error(ErrorCode::kFormat, fmt::format("character '{}' in column {}; a map holds . G S (free) and "
                                                          "@ O T W (blocked)",
                                                          excerpt(line.substr(column, 1)), column + 1));
      }
      free.push_back(square == Square::kFree ? 1 : 0);
    }
  }
  cursor.skipSpace();
  if (!cursor.atEnd()) return cursor.expected(fmt::format("the end of the file after {} rows", height));
  return gridDraft(source, free, static_cast<uint32_t>(width), static_cast<uint32_t>(height));
}

}  // namespace wend
