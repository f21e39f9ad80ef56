#include <chrono>

#include <wend/file.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <png.h>

#include "base/random.h"
#include "tests/data.h"
#include "tests/environment/io_reading.h"

namespace wend {
namespace {

using Loop = std::vector<Vec2>;

// Twice the area of a drawing that has no overlaps.
double doubledArea(const Loops& loops) {
  double sum = 0;
  for (const Loop& loop : loops) {
    for (size_t i = 0; i < loop.size(); ++i) {
      const Vec2 a = loop[i];
      const Vec2 b = loop[(i + 1) % loop.size()];
      sum += a.x * b.y - a.y * b.x;
    }
  }
  return sum;
}

// --- Moving AI ------------------------------------------------------------------------------------------------------

TEST(MovingAi, SquareKeepsTheCoordinatesOfTheBenchmark) {
  // Square (x, y) = (1, 0), y downwards in the file.
  ReadSettings settings;
  settings.cell = 2;
  const auto draft = draftOf(readMovingAi, "type octile\nheight 2\nwidth 3\nmap\n@.@\n@@@\n", settings);
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->layers[0].walkable, (std::vector<Loops>{{{{2, 0}, {4, 0}, {4, 2}, {2, 2}}}}));
}

TEST(MovingAi, CharactersAndLineEnds) {
  const auto draft = draftOf(readMovingAi, "type octile\r\nheight 1\r\nwidth 7\r\nmap\r\n.GS@OTW");
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->layers[0].walkable, (std::vector<Loops>{{{{0, 0}, {3, 0}, {3, 1}, {0, 1}}}}));
  EXPECT_TRUE(draftOf(readMovingAi, "type tile\nwidth 1\nheight 1\nmap\n@\n\n").ok());
}

TEST(MovingAi, BadTextIsExplained) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"type hex\nheight 1\nwidth 1\nmap\n.", "a map of type 'hex'"},
           {"type octile\nheight 1\nmap\n.", "lacks"},
           {"type octile\nheight 0\nwidth 1\nmap\n.", "line 2: expected a positive number after 'height'"},
           {"type octile\nheight x\nwidth 1\nmap\n.", "a positive number"},
           {"type octile\nheight 2\nwidth 1\nmap\n.\n", "row 1 of the map has 0 characters"},
           {"type octile\nheight 1\nwidth 2\nmap\n.  \n", "line 5: row 0 of the map has 3 characters instead of 2"},
           {"type octile\nheight 1\nwidth 2\nmap\n.x\n", "character 'x' in column 2"},
           {"type octile\nheight 1\nwidth 2\nmap\n..\n..\n", "the end of the file after 1 rows"},
           {"type octile\nheight 1000000000\nwidth 1000000000\nmap\n..\n", "promises 1000000000 x 1000000000"},
           {"type octile\nheight 9223372036854775807\nwidth 9223372036854775807\nmap\n..\n", "promises"},
           {"type octile\nheight 99999999999999999999\nwidth 1\nmap\n..\n", "a positive number"},
           {"type octile", "expected 'height N'"},
       }) {
    const std::string message = complaint(readMovingAi, text);
    EXPECT_TRUE(contains(message, part)) << text << "\n" << message;
  }
  ReadSettings settings;
  settings.maxCells = 3;
  EXPECT_TRUE(contains(complaint(readMovingAi, "type octile\nheight 2\nwidth 2\nmap\n..\n..", settings), "limit of 3"));
  settings = {};
  settings.cell = 1e9;
  EXPECT_TRUE(
      contains(complaint(readMovingAi, "type octile\nheight 1\nwidth 1\nmap\n.", settings), "beyond the lattice"));
  settings.cell = 1e-5;
  EXPECT_TRUE(contains(complaint(readMovingAi, "type octile\nheight 1\nwidth 1\nmap\n.", settings), "finer than"));
}

TEST(MovingAi, BenchmarkMapsHaveTheAreaOfTheirSquares) {
  for (const auto& [name, squares] : std::vector<std::pair<std::string, size_t>>{
           {"arena", 2054}, {"den401d", 11456}, {"lak202d", 6240}, {"brc202d", 43151}, {"Berlin_0_512", 196667}}) {
    const std::string file = dataFile("maps/" + name + ".map");
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const auto bytes = readFile(file);
    ASSERT_TRUE(bytes.ok());
    const auto draft = draftOf(readMovingAi, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    ASSERT_TRUE(draft.ok()) << draft.error().message;
    EXPECT_EQ(doubledArea(draft->layers[0].walkable[0]), 2.0 * static_cast<double>(squares)) << name;
  }
}

TEST(MovingAi, ALargeMapIsTracedAtOnce) {
  Random random(3);
  std::string text = "type octile\nheight 512\nwidth 512\nmap\n";
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) text += random.chance(0.6) ? '.' : '@';
    text += '\n';
  }
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(draftOf(readMovingAi, text).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));  // about 0.03 s
}

// --- PNG ------------------------------------------------------------------------------------------------------------

struct Image {
  uint32_t width = 0;
  uint32_t height = 0;
  int colour = PNG_COLOR_TYPE_GRAY;
  int depth = 8;
  bool interlaced = false;
  std::vector<std::vector<png_byte>> rows;
  std::vector<png_color> palette;
  std::vector<png_byte> paletteAlpha;
};

std::string pngOf(const Image& image) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &out,
      [](png_structp p, png_bytep data, png_size_t size) {
        static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(data), size);
      },
      nullptr);
  png_set_IHDR(png, info, image.width, image.height, image.depth, image.colour,
               image.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!image.palette.empty()) png_set_PLTE(png, info, image.palette.data(), static_cast<int>(image.palette.size()));
  if (!image.paletteAlpha.empty()) {
    png_set_tRNS(png, info, image.paletteAlpha.data(), static_cast<int>(image.paletteAlpha.size()), nullptr);
  }
  std::vector<png_bytep> rows;
  for (const auto& row : image.rows) rows.push_back(const_cast<png_bytep>(row.data()));
  png_write_info(png, info);
  png_write_image(png, rows.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return out;
}

Loops traced(const Image& image, double threshold = 0.5) {
  ReadSettings settings;
  settings.threshold = threshold;
  const auto draft = draftOf(readPngMask, pngOf(image), settings);
  EXPECT_TRUE(draft.ok()) << draft.error().message;
  if (!draft.ok() || draft->layers[0].walkable.empty()) return {};
  return draft->layers[0].walkable[0];
}

TEST(PngMask, TheTopRowHasTheLargestY) {
  EXPECT_EQ(traced({2, 3, PNG_COLOR_TYPE_GRAY, 8, false, {{255, 0}, {0, 0}, {0, 0}}, {}, {}}),
            (Loops{{{0, 2}, {1, 2}, {1, 3}, {0, 3}}}));
}

TEST(PngMask, Threshold) {
  const Image image{1, 1, PNG_COLOR_TYPE_GRAY, 8, false, {{51}}, {}, {}};  // a fifth
  EXPECT_FALSE(traced(image, 0.2).empty());
  EXPECT_TRUE(traced(image, 0.21).empty());
  EXPECT_FALSE(traced({1, 1, PNG_COLOR_TYPE_GRAY, 8, false, {{255}}, {}, {}}, 1.0).empty());
}

TEST(PngMask, KindsOfPixels) {
  const auto free = [](int colour, int depth, std::vector<png_byte> row) {
    return !traced({1, 1, colour, depth, false, {std::move(row)}, {}, {}}).empty();
  };
  EXPECT_TRUE(free(PNG_COLOR_TYPE_GRAY, 1, {0x80}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_GRAY, 1, {0x00}));
  EXPECT_TRUE(free(PNG_COLOR_TYPE_GRAY, 4, {0x80}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_GRAY, 4, {0x70}));
  EXPECT_TRUE(free(PNG_COLOR_TYPE_GRAY, 16, {0x80, 0x00}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_GRAY, 16, {0x7f, 0xff}));
  EXPECT_TRUE(free(PNG_COLOR_TYPE_RGB, 8, {0, 255, 0}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_RGB, 8, {255, 0, 255}));
  EXPECT_TRUE(free(PNG_COLOR_TYPE_RGB_ALPHA, 8, {255, 255, 255, 1}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_RGB_ALPHA, 8, {255, 255, 255, 0}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_GRAY_ALPHA, 8, {255, 0}));
  EXPECT_TRUE(free(PNG_COLOR_TYPE_RGB_ALPHA, 16, {255, 255, 255, 255, 255, 255, 0, 1}));
  EXPECT_FALSE(free(PNG_COLOR_TYPE_RGB_ALPHA, 16, {255, 255, 255, 255, 255, 255, 0, 0}));
}

TEST(PngMask, Palette) {
  const Image image{
      3, 1, PNG_COLOR_TYPE_PALETTE, 2, false, {{0x18}}, {{0, 0, 0}, {255, 255, 255}, {255, 255, 255}}, {255, 255, 0}};
  EXPECT_EQ(traced(image), (Loops{{{1, 0}, {2, 0}, {2, 1}, {1, 1}}}));
}

TEST(PngMask, InterlacedEqualsPlain) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Image image;
    image.width = static_cast<uint32_t>(random.between(1, 20));
    image.height = static_cast<uint32_t>(random.between(1, 20));
    for (uint32_t y = 0; y < image.height; ++y) {
      auto& row = image.rows.emplace_back();
      for (uint32_t x = 0; x < image.width; ++x) row.push_back(random.chance(0.5) ? 200 : 10);
    }
    const Loops plain = traced(image);
    image.interlaced = true;
    ASSERT_EQ(traced(image), plain);
  }
}

TEST(PngMask, BrokenFilesAreErrors) {
  Image image{40, 40,    PNG_COLOR_TYPE_GRAY,
              8,  false, std::vector<std::vector<png_byte>>(40, std::vector<png_byte>(40, 9)),
              {}, {}};
  const std::string good = pngOf(image);
  for (size_t length = 8; length + 12 < good.size(); ++length) {
    EXPECT_TRUE(contains(complaint(readPngMask, good.substr(0, length)), "no valid PNG")) << length;
  }
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string flipped = good;
    flipped[8 + random.below(flipped.size() - 8)] ^= static_cast<char>(1U << random.below(8));
    (void)draftOf(readPngMask, flipped);
  }
  ReadSettings settings;
  settings.maxCells = 1599;
  EXPECT_TRUE(contains(complaint(readPngMask, good, settings), "limit of 1599"));
}

}  // namespace
}  // namespace wend
