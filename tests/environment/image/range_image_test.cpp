#include <wend/file.h>
#include <wend/image/range_image.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>
#include <png.h>

#include "base/random.h"
#include "tests/environment/image/tiff_bytes.h"

namespace wend {
namespace {

// The heights as values, for comparison.
std::vector<int32_t> valuesOf(const RangeImage& image) {
  std::vector<int32_t> values;
  for (const int32_t z : image.heights) values.push_back(z == RangeImage::kNoReturn ? -1 : z / 1000);
  return values;
}

TEST(RangeImage, PngOfEightAndSixteenBits) {
  const std::vector<uint8_t> grey{0, 1, 2, 100, 200, 255};
  const auto bytes = encodePng(3, 2, grey);
  ASSERT_TRUE(bytes.ok());
  const auto image = parseRangeImage(asBytes(*bytes), "grey");
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(image->width, 3U);
  EXPECT_EQ(image->height, 2U);
  EXPECT_EQ(valuesOf(*image), (std::vector<int32_t>{0, 1, 2, 100, 200, 255}));
  const std::vector<uint16_t> deep{0, 1, 300, 65535};
  const auto bytes16 = encodePng16(2, 2, deep);
  ASSERT_TRUE(bytes16.ok());
  const auto image16 = parseRangeImage(asBytes(*bytes16), "deep", {.pixel = 0.5, .heightScale = 0.01, .noData = 0});
  ASSERT_TRUE(image16.ok());
  EXPECT_EQ(image16->heights, (std::vector<int32_t>{RangeImage::kNoReturn, 10, 3000, 655350}));
  EXPECT_EQ(image16->pixel, 0.5);
}

// A file of some kilobytes may hold a picture of any size, whose extraction takes 17 bytes per pixel.
TEST(RangeImage, PixelsAreLimitedByTheFile) {
  constexpr uint32_t kSide = 8192;
  const auto even = encodePng(kSide, kSide, std::vector<uint8_t>(size_t{kSide} * kSide));
  ASSERT_TRUE(even.ok());
  const auto refused = parseRangeImage(asBytes(*even), "even");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_NE(refused.error().message.find("--image-pixels"), std::string::npos) << refused.error().message;
  const auto small = encodePng(3, 2, std::vector<uint8_t>(6));
  ASSERT_TRUE(small.ok());
  EXPECT_TRUE(parseRangeImage(asBytes(*small), "small", {.maxPixels = 6}).ok());
  EXPECT_EQ(parseRangeImage(asBytes(*small), "small", {.maxPixels = 5}).error().code, ErrorCode::kLimit);
}

class RangeImageTiff : public testing::Test {
 protected:
  void SetUp() override {
    const auto image = parseRangeImage(asBytes(TiffBytes(1, 1, 8, 1).bytes()), "probe");
    if (!image.ok() && image.error().code == ErrorCode::kUnsupported) GTEST_SKIP() << "wend was built without libtiff";
  }
};

TEST_F(RangeImageTiff, EveryDepthAndLayout) {
  Random random(1);
  for (const uint16_t bits : {uint16_t{8}, uint16_t{16}, uint16_t{32}}) {
    for (const uint16_t format : {uint16_t{1}, uint16_t{2}, uint16_t{3}}) {  // whole, signed, floating point
      if (format == 3 && bits != 32) continue;
      for (const bool tiled : {false, true}) {
        for (const bool bigEndian : {false, true}) {
          const uint32_t width = static_cast<uint32_t>(1 + random.below(40));
          const uint32_t height = static_cast<uint32_t>(1 + random.below(40));
          TiffBytes tiff(width, height, bits, format);
          tiff.tiled = tiled;
          tiff.bigEndian = bigEndian;
          std::vector<int32_t> wanted;
          for (uint32_t i = 0; i < width * height; ++i) {
            tiff.values.push_back(static_cast<double>(random.below(100)));
            wanted.push_back(static_cast<int32_t>(tiff.values.back()));
          }
          const auto image = parseRangeImage(asBytes(tiff.bytes()), "tiff");
          ASSERT_TRUE(image.ok()) << image.error().message;
          EXPECT_EQ(valuesOf(*image), wanted) << bits << " " << format << " " << tiled;
        }
      }
    }
  }
}

TEST_F(RangeImageTiff, GeoreferenceAndMissingHeights) {
  TiffBytes tiff(4, 3, 32, 3);
  tiff.values.assign(12, 5.25);
  tiff.values[1] = std::numeric_limits<double>::quiet_NaN();
  tiff.values[2] = -9999;
  tiff.pixelScale = {0.5, 0.5, 0};
  tiff.tiePoint = {0, 0, 0, 1000, 2000, 0};
  tiff.noData = "-9999";
  const auto image = parseRangeImage(asBytes(tiff.bytes()), "geo");
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_TRUE(image->georeferenced);
  EXPECT_EQ(image->pixel, 0.5);
  EXPECT_EQ(image->origin, (Vec2{1000, 1998.5}));
  EXPECT_EQ(image->heights[0], 5250);
  EXPECT_EQ(image->heights[1], RangeImage::kNoReturn);
  EXPECT_EQ(image->heights[2], RangeImage::kNoReturn);
  tiff.geographic = true;
  EXPECT_EQ(parseRangeImage(asBytes(tiff.bytes()), "degrees").error().code, ErrorCode::kUnsupported);
  tiff.geographic = false;
  tiff.pixelScale = {0.5, 0.7, 0};
  EXPECT_EQ(parseRangeImage(asBytes(tiff.bytes()), "oblong").error().code, ErrorCode::kFormat);
}

// libtiff does not know these tags, and hands out whatever type the file states: as many numbers as bytes were read.
TEST_F(RangeImageTiff, TagsOfAnotherTypeAreIgnored) {
  TiffBytes tiff(4, 3, 32, 3);
  tiff.values.assign(12, 5.25);
  tiff.values[2] = -9999;
  tiff.pixelScale = {0.5, 0.5, 0};
  tiff.tiePoint = {0, 0, 0, 1000, 2000, 0};
  tiff.noData = "-9999";
  tiff.geoBytes = true;
  const auto image = parseRangeImage(asBytes(tiff.bytes()), "bytes");
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_FALSE(image->georeferenced);
  EXPECT_EQ(image->pixel, 1);
  EXPECT_NE(image->heights[2], RangeImage::kNoReturn);
}

// 1,024 tiles of 16 x 8,388,608 pixels above a picture of 16384 x 16 would unpack to 128 GB.
TEST_F(RangeImageTiff, TilesAreNoLongerThanPictures) {
  TiffBytes tiff(40, 20, 8, 1);
  tiff.values.assign(800, 7);
  tiff.tiled = true;
  EXPECT_TRUE(parseRangeImage(asBytes(tiff.bytes()), "tiles").ok());
  tiff.tileLength = 16400;
  const auto image = parseRangeImage(asBytes(tiff.bytes()), "tiles");
  ASSERT_FALSE(image.ok());
  EXPECT_NE(image.error().message.find("longer than any picture"), std::string::npos) << image.error().message;
  TiffBytes even(8192, 8192, 8, 1);
  even.claimOnly = true;
  EXPECT_EQ(parseRangeImage(asBytes(even.bytes()), "even").error().code, ErrorCode::kLimit);
}

TEST_F(RangeImageTiff, HostileFilesEndInASentence) {
  const auto expectError = [](const std::string& bytes, const char* what) {
    const auto image = parseRangeImage(asBytes(bytes), "hostile");
    ASSERT_FALSE(image.ok()) << what;
    EXPECT_FALSE(image.error().message.empty());
    EXPECT_EQ(image.error().message.find('\n'), std::string::npos);
  };
  TiffBytes wide(65535, 1, 8, 1);
  wide.values.assign(65535, 1);
  expectError(wide.bytes(), "65,535 wide");
  TiffBytes huge(16384, 16384, 64, 3);  // 2 GB claimed, nothing there
  huge.claimOnly = true;
  expectError(huge.bytes(), "claims only");
  TiffBytes giant(65535, 65535, 32, 3);  // 16 GB claimed
  giant.claimOnly = true;
  expectError(giant.bytes(), "16 GB");
  TiffBytes large(2, 1, 32, 3);
  large.values = {1e30, 0};
  expectError(large.bytes(), "too high");
  TiffBytes infinite(2, 1, 32, 3);
  infinite.values = {std::numeric_limits<double>::infinity(), 0};
  expectError(infinite.bytes(), "infinity");
  TiffBytes good(20, 20, 16, 1);
  good.values.assign(400, 7);
  const std::string bytes = good.bytes();
  for (size_t cut = 0; cut + 1 < bytes.size(); cut += 13) expectError(bytes.substr(0, cut), "cut");
  Random random(9);
  for (int i = 0; i < 2000; ++i) {
    std::string wrong = bytes;
    for (int k = 0; k < 3; ++k) wrong[random.below(wrong.size())] = static_cast<char>(random.below(256));
    const auto image = parseRangeImage(asBytes(wrong), "mutated");
    if (image.ok()) {
      EXPECT_EQ(image->heights.size(), static_cast<size_t>(image->width) * image->height);
    }
  }
}

TEST(RangeImage, HostilePngsEndInASentence) {
  const auto good = encodePng(20, 20, std::vector<uint8_t>(400, 9));
  ASSERT_TRUE(good.ok());
  for (size_t cut = 0; cut + 13 < good->size(); cut += 5) {
    EXPECT_FALSE(parseRangeImage(asBytes(good->substr(0, cut)), "cut").ok());
  }
  EXPECT_FALSE(parseRangeImage(asBytes("no picture"), "text").ok());
  EXPECT_FALSE(parseRangeImage({}, "empty").ok());
  EXPECT_EQ(parseRangeImage(asBytes(*good), "x", {.pixel = -1}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(readRangeImage("/no/such/file.png").error().code, ErrorCode::kFileNotFound);
}

// The same PNG with other sizes in its header, and the right checksum.
std::string resized(std::string png, uint32_t width, uint32_t height) {
  const auto put = [&](size_t at, uint32_t value) {
    for (size_t i = 0; i < 4; ++i) png[at + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  put(16, width);
  put(20, height);
  uint32_t sum = 0xffffffffU;
  for (size_t i = 12; i < 29; ++i) {
    sum ^= static_cast<uint8_t>(png[i]);
    for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0);
  }
  put(29, ~sum);
  return png;
}

TEST(RangeImage, PngsThatClaimTooMuchEndInASentence) {
  const auto good = encodePng(20, 20, std::vector<uint8_t>(400, 9));
  ASSERT_TRUE(good.ok());
  ASSERT_EQ(resized(*good, 20, 20), *good);
  for (const auto& [width, height] : {std::pair(65535U, 1U),
                                      {65535U, 65535U},
                                      {16384U, 16384U},
                                      {0U, 20U},
                                      {0x7fffffffU, 0x7fffffffU},
                                      {20U, 4000U},
                                      {20U, 21U}}) {
    const auto image = parseRangeImage(asBytes(resized(*good, width, height)), "hostile");
    ASSERT_FALSE(image.ok()) << width << " x " << height;
    EXPECT_EQ(image.error().message.find('\n'), std::string::npos);
  }
  const auto one = encodePng(1, 1, std::vector<uint8_t>(1, 9));
  EXPECT_TRUE(parseRangeImage(asBytes(*one), "one").ok());
}

// --- The top view ---

Scene boxes(int cuts) {
  Scene scene;
  scene.labels = {"ground", "house", "tree"};
  const auto quad = [&](Vec3 a, Vec3 u, Vec3 v, uint32_t label) {
    const auto first = static_cast<uint32_t>(scene.vertices.size());
    for (int j = 0; j <= cuts; ++j) {
      for (int i = 0; i <= cuts; ++i) {
        const double s = static_cast<double>(i) / cuts;
        const double t = static_cast<double>(j) / cuts;
        scene.vertices.push_back({a.x + s * u.x + t * v.x, a.y + s * u.y + t * v.y, a.z + s * u.z + t * v.z});
      }
    }
    const auto id = [&](int i, int j) { return first + static_cast<uint32_t>(j * (cuts + 1) + i); };
    for (int j = 0; j < cuts; ++j) {
      for (int i = 0; i < cuts; ++i) {
        scene.triangles.push_back({{id(i, j), id(i + 1, j), id(i + 1, j + 1)}, label});
        scene.triangles.push_back({{id(i, j), id(i + 1, j + 1), id(i, j + 1)}, label});
      }
    }
  };
  quad({0, 0, 0}, {60, 0, 0}, {0, 40, 0}, 0);
  quad({10, 10, 8}, {12, 0, 0}, {0, 10, 0}, 1);
  quad({35, 12, 12}, {14, 3, 0}, {-3, 14, 0}, 1);
  quad({28, 30, 3}, {1, 0, 0}, {0, 1, 0}, 2);
  return scene;
}

TEST(TopView, SeesTheHighestSurface) {
  const auto view = topView(boxes(1), {.pixel = 0.5});
  ASSERT_TRUE(view.ok()) << view.error().message;
  EXPECT_EQ(view->image.width, 120U);
  EXPECT_EQ(view->image.height, 80U);
  const auto at = [&](double x, double y) {
    return view->image
        .heights[static_cast<size_t>(79 - static_cast<int>(y / 0.5)) * 120 + static_cast<size_t>(x / 0.5)];
  };
  EXPECT_EQ(at(5, 5), 0);
  EXPECT_EQ(at(15, 15), 8000);
  EXPECT_EQ(at(28.5, 30.5), 3000);
  EXPECT_EQ(at(59.9, 39.9), 0);
}

// Ten times the polygons, the same picture.
TEST(TopView, DoesNotDependOnTheTriangles) {
  const auto coarse = topView(boxes(1), {.pixel = 0.5});
  const auto fine = topView(boxes(7), {.pixel = 0.5});
  ASSERT_TRUE(coarse.ok() && fine.ok());
  EXPECT_EQ(coarse->image, fine->image);
}

TEST(TopView, SmallObjectsAreLeftOutAndNamed) {
  for (const TopViewSettings& settings : {TopViewSettings{0.5, 2.0, {}, 3}, TopViewSettings{0.5, 0, {"tree"}, 3}}) {
    const auto view = topView(boxes(1), settings);
    ASSERT_TRUE(view.ok());
    ASSERT_EQ(view->omitted.size(), 1U);
    EXPECT_EQ(view->omitted[0][0], (Vec2{28, 30}));
    EXPECT_EQ(std::count(view->image.heights.begin(), view->image.heights.end(), 3000), 0);
  }
  EXPECT_EQ(topView({}).error().code, ErrorCode::kEmpty);
  EXPECT_EQ(topView(boxes(1), {.pixel = 0}).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(topView(boxes(1), {.pixel = 1e-6}).error().code, ErrorCode::kLimit);
}

// --- The navigable grid ---

TEST(NavigableGrid, RoofsAreNotNavigable) {
  const auto view = topView(boxes(1), {.pixel = 0.5, .smallest = 2});
  ASSERT_TRUE(view.ok());
  std::vector<std::string> steps;
  const auto report = extractNavigable(
      view->image, {}, {},
      [&](const std::string& name, uint32_t width, uint32_t height, std::span<const uint8_t> grey) -> Status {
        EXPECT_EQ(grey.size(), static_cast<size_t>(width) * height);
        steps.push_back(name);
        return Done{};
      });
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->chosen, 1U);
  EXPECT_EQ(report->components, 3U);
  EXPECT_GE(steps.size(), 9U);
  const NavigableGrid& grid = report->grid;
  const auto isFree = [&](double x, double y) {
    return grid.isFree(grid.height - 1 - static_cast<uint32_t>(y / 0.5), static_cast<uint32_t>(x / 0.5));
  };
  EXPECT_TRUE(isFree(5, 5));
  EXPECT_FALSE(isFree(15, 15));
  EXPECT_FALSE(isFree(40, 20));
  EXPECT_TRUE(isFree(28.5, 30.5));  // the tree was left out
  // Within a pixel or two of the true area.
  const auto free = static_cast<double>(std::count(grid.free.begin(), grid.free.end(), 1)) * 0.25;
  const double wanted = 60 * 40 - 120 - (14 * 14 + 9);
  EXPECT_LE(free, wanted + 1);
  EXPECT_GE(free, wanted - 1.5 * (44 + 58));
  // By marks, the roof may be chosen.
  NavigableSettings settings;
  settings.marks = {{15, 15}};
  const auto roof = extractNavigable(view->image, settings);
  ASSERT_TRUE(roof.ok());
  EXPECT_TRUE(roof->grid.isFree(79 - 30, 30));
  EXPECT_FALSE(roof->grid.isFree(79 - 10, 10));
  settings.marks = {{10, 10}};
  EXPECT_EQ(extractNavigable(view->image, settings).error().code, ErrorCode::kNotOnMesh);
  settings.marks = {{1000, 10}};
  EXPECT_EQ(extractNavigable(view->image, settings).error().code, ErrorCode::kNotOnMesh);
}

TEST(NavigableGrid, SmallestImagesAndWrongSettings) {
  RangeImage one{1, 1, 1, {}, false, {0}};
  NavigableSettings settings;
  settings.minArea = 0;
  const auto report = extractNavigable(one, settings);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->grid.free, std::vector<uint8_t>{1});
  RangeImage nothing{2, 2, 1, {}, false, std::vector<int32_t>(4, RangeImage::kNoReturn)};
  EXPECT_EQ(extractNavigable(nothing, settings).error().code, ErrorCode::kEmpty);
  settings.closing = 2;
  EXPECT_EQ(extractNavigable(one, settings).error().code, ErrorCode::kInvalidSettings);
  settings = {};
  settings.step = 0;
  EXPECT_EQ(extractNavigable(one, settings).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(extractNavigable({}, {}).error().code, ErrorCode::kInvalidSettings);
}

}  // namespace
}  // namespace wend
