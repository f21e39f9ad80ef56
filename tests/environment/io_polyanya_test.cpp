#include <wend/file.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/environment/io_reading.h"

namespace wend {
namespace {

// The example of the format's description.
constexpr const char* kExample = R"(mesh
2
4 2
0.0 0.0 2 0 -1
1.5 0.0 3 0 1 -1
1.5 1.5 2 1 -1
0.0 1.5 3 -1 1 0
3 0 1 3 -1 -1 1
3 1 2 3 0 -1 -1
)";

TEST(Polyanya, Example) {
  const auto draft = draftOf(readPolyanya, kExample);
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  ASSERT_EQ(draft->layers.size(), 1U);
  EXPECT_EQ(draft->layers[0].walkable,
            (std::vector<Loops>{{{{0, 0}, {1.5, 0}, {0, 1.5}}}, {{{1.5, 0}, {1.5, 1.5}, {0, 1.5}}}}));
}

TEST(Polyanya, AnySpaceSeparates) {
  std::string text = kExample;
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  EXPECT_TRUE(draftOf(readPolyanya, text).ok());
}

TEST(Polyanya, BadTextIsExplained) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"mesh\n1\n4 2\n", "version 1"},
           {"mesh\n2\n", "the number of vertices"},
           {"mesh\n2\n1000000000000 1\n0 0 0\n", "more than the rest of the file can hold"},
           {"mesh\n2\n9223372036854775807 9223372036854775807\n0 0 0\n", "more than the rest of the file can hold"},
           {"mesh\n2\n-4 2\n", "from 0"},
           {"mesh\n2\n3 1\n0 0 1000000\n", "can hold"},
           {"mesh\n2\n3 1\n0 nan 0\n0 1 0\n0 2 0\n3 0 1 2 -1 -1 -1\n", "line 4: expected a coordinate of vertex 0"},
           {"mesh\n2\n3 1\n0 1e9 0\n0 1 0\n0 2 0\n3 0 1 2 -1 -1 -1\n", "line 4: coordinate (0, 1e+09) m lies beyond"},
           {"mesh\n2\n3 1\n0 0 0\n1 0 0\n0 2 0\n3 0 1 3 -1 -1 -1\n", "a vertex from 0 to 2, but found 3"},
           {"mesh\n2\n3 1\n0 0 0\n1 0 0\n0 2 0\n3 0 1 2 -1 -1 1\n", "a neighbouring polygon from -1 to 0"},
           {"mesh\n2\n3 1\n0 0 0\n1 0 0\n0 2 0\n2 0 1 -1 -1\n9", "the number of corners is 2, below 3"},
           {"mesh\n2\n3 1\n0 0 0\n1 0 0\n0 2 0\n3 0 1 2 -1 -1", "but the text ends"},
           {"mesh\n2\n3 1\n0 0 0\n1 0 0\n0 2 0\n3 0 1 2 -1 -1 -1\n5", "the end of the file after 1 polygons"},
       }) {
    const std::string message = complaint(readPolyanya, text);
    EXPECT_TRUE(contains(message, part)) << text << "\n" << message;
  }
}

TEST(Polyanya, ArenaHasTheAreaOfItsMap) {
  for (const char* const name : {"meshes/arena.mesh", "meshes/arena-merged.mesh"}) {
    const std::string file = dataFile(name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const auto bytes = readFile(file);
    ASSERT_TRUE(bytes.ok());
    const auto draft = draftOf(readPolyanya, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    ASSERT_TRUE(draft.ok()) << draft.error().message;
    double doubled = 0;
    for (const Loops& polygon : draft->layers[0].walkable) {
      const std::vector<Vec2>& loop = polygon[0];
      for (size_t i = 0; i < loop.size(); ++i) {
        const Vec2 a = loop[i];
        const Vec2 b = loop[(i + 1) % loop.size()];
        doubled += a.x * b.y - a.y * b.x;
      }
    }
    EXPECT_EQ(doubled, 2 * 2054.0) << name;
  }
}

}  // namespace
}  // namespace wend
