#include <wend/draw.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

size_t countWords(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

TEST(DrawClearance, ShowsRoomsAndClosedPortals) {
  MakeSettings make;
  make.kind = "university";
  const Environment world = makeEnvironment(make).value();
  for (const char* generator : {"hertel-mehlhorn", "ecm"}) {
    const NavMesh mesh = generate(world, {.generator = generator}).value();
    DrawSettings settings;
    const std::string plain = drawMesh(mesh, std::span<const Route>{}, settings).value();
    settings.clearance = 0.3;
    const std::string small = drawMesh(mesh, std::span<const Route>{}, settings).value();
    EXPECT_EQ(countWords(plain, "#1a7f37"), 0U);
    EXPECT_EQ(countWords(small, "#1a7f37"), 1U);
    settings.clearance = 1000;  // larger than the world: everything is closed
    const std::string huge = drawMesh(mesh, std::span<const Route>{}, settings).value();
    EXPECT_EQ(countWords(huge, "#1a7f37"), 0U);
    EXPECT_GE(countWords(huge, "#d1242f"), 1U);
    settings.clearance = -1;
    EXPECT_FALSE(drawMesh(mesh, std::span<const Route>{}, settings).ok());
  }
}

}  // namespace
}  // namespace wend
