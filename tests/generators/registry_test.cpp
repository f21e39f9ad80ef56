#include "generators/registry.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

Environment square() {
  return oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}});
}

ErrorCode codeOf(const Result<NavMesh>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? ErrorCode::kInternal : result.error().code;
}

TEST(Registry, IsSortedUniqueAndComplete) {
  const auto& all = generators();
  ASSERT_GE(all.size(), 2U);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(all[i - 1].name, all[i].name);
    }
    EXPECT_FALSE(all[i].meaning.empty());
    EXPECT_FALSE(all[i].source.empty());
    EXPECT_EQ(findGenerator(all[i].name), &all[i]);
    for (const GeneratorOption& option : all[i].options) {
      EXPECT_FALSE(option.meaning.empty());
      EXPECT_TRUE(option.choices.empty() ? option.min < option.max
                                         : std::ranges::count(option.choices, option.defaultValue) == 1);
    }
  }
  EXPECT_EQ(findGenerator("nothing"), nullptr);
}

TEST(Registry, TheDefaultGeneratorExists) {
  EXPECT_NE(findGenerator(GenerateSettings().generator), nullptr);
  const auto mesh = generate(square());
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->info().generator, GenerateSettings().generator);
}

TEST(Registry, UnknownNamesListTheValidOnes) {
  GenerateSettings settings;
  settings.generator = "watershed";
  const auto unknown = generate(square(), settings);
  EXPECT_EQ(codeOf(unknown), ErrorCode::kInvalidSettings);
  EXPECT_NE(unknown.error().message.find("hertel-mehlhorn, lct, neogen"), std::string::npos);

  settings.generator = "hertel-mehlhorn";
  settings.options = {{"ordre", "longest"}};
  const auto option = generate(square(), settings);
  EXPECT_EQ(codeOf(option), ErrorCode::kInvalidSettings);
  EXPECT_NE(option.error().message.find("its options are order"), std::string::npos);

  settings.options = {{"order", "wide"}};
  const auto choice = generate(square(), settings);
  EXPECT_EQ(codeOf(choice), ErrorCode::kInvalidSettings);
  EXPECT_NE(choice.error().message.find("longest, shortest, id, random"), std::string::npos);

  settings.options = {{"order", "id"}, {"order", "id"}};
  EXPECT_EQ(codeOf(generate(square(), settings)), ErrorCode::kInvalidSettings);

  settings.generator = "delaunay";
  settings.options = {{"order", "id"}};
  EXPECT_EQ(codeOf(generate(square(), settings)), ErrorCode::kInvalidSettings);
}

TEST(Registry, NumbersMustBeNumbersInTheirRange) {
  GeneratorInfo info;
  info.name = "numbers";
  info.options = {{"side", "metres", "1.5", {}, 0.1, 10}};
  GenerateSettings settings;
  ASSERT_TRUE(parseOptions(info, settings).ok());
  EXPECT_EQ(parseOptions(info, settings)->number("side"), 1.5);
  settings.options = {{"side", "0.25"}};
  EXPECT_EQ(parseOptions(info, settings)->number("side"), 0.25);
  for (const char* wrong : {"", "one", "1 ", " 1", "1x", "0", "11", "nan", "inf", "-1", "1e999"}) {
    settings.options = {{"side", wrong}};
    const auto values = parseOptions(info, settings);
    ASSERT_FALSE(values.ok()) << "'" << wrong << "'";
    EXPECT_EQ(values.error().code, ErrorCode::kInvalidSettings);
  }
}

TEST(Registry, ExceptionsOfAGeneratorBecomeErrors) {
  Generator generator;
  generator.info.name = "careless";
  generator.run = [](const Environment&, const OptionValues& options, uint64_t, const Context&) -> Result<NavMesh> {
    options.number("undeclared");
    return NavMesh();
  };
  EXPECT_EQ(codeOf(runGenerator(generator, square(), {}, {})), ErrorCode::kInternal);
  generator.run = [](const Environment&, const OptionValues&, uint64_t, const Context&) -> Result<NavMesh> {
    throw std::bad_alloc();
  };
  EXPECT_EQ(codeOf(runGenerator(generator, square(), {}, {})), ErrorCode::kLimit);
}

TEST(Registry, AGeneratorThatMissesWhatItPromisesIsFoundOut) {
  Generator generator;
  generator.info.name = "lazy";
  generator.run = [](const Environment&, const OptionValues&, uint64_t, const Context&) -> Result<NavMesh> {
    Environment larger = square();
    larger.layers[0].free[0].outer[1].x = 20;
    MeshArrays arrays = bake(square(), "delaunay").info();
    arrays.environment = topology(larger);
    return NavMesh(std::move(arrays));
  };
  EXPECT_EQ(codeOf(runGenerator(generator, square(), {}, {})), ErrorCode::kInternal);
}

TEST(Registry, NothingWalkableIsAnError) {
  EXPECT_EQ(codeOf(generate(Environment())), ErrorCode::kEmpty);
  EXPECT_EQ(codeOf(generate(oneLayer({}))), ErrorCode::kEmpty);
}

TEST(Registry, InvalidEnvironmentsAreTypedErrors) {
  const int32_t far = std::numeric_limits<int32_t>::max();
  std::vector<Environment> bad;
  bad.push_back(oneLayer({{{}, {}}}));
  bad.push_back(oneLayer({{{{0, 0}}, {}}}));
  bad.push_back(oneLayer({{{{0, 0}, {10, 0}}, {}}}));
  bad.push_back(oneLayer({{{{0, 0}, {10, 0}, {20, 0}}, {}}}));
  bad.push_back(oneLayer({{{{0, 0}, {0, 10}, {10, 10}, {10, 0}}, {}}}));      // clockwise
  bad.push_back(oneLayer({{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}, {}}}));      // crosses itself
  bad.push_back(oneLayer({{{{0, 0}, {far, 0}, {far, far}, {0, far}}, {}}}));  // beyond the lattice
  bad.push_back(oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}, square().layers[0].free[0]}));  // twice
  bad.push_back(oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{{20, 20}, {20, 30}, {30, 30}, {30, 20}}}}}));
  bad.push_back(oneLayer({{{{0, 0}, {30, 0}, {30, 30}, {0, 30}}, {{{10, 10}, {20, 10}, {20, 20}, {10, 20}}}}}));
  bad.push_back(square());
  bad.back().connections.push_back({0, 1, {{0, 0}, {10, 0}}});
  for (const GeneratorInfo& info : generators()) {
    for (size_t i = 0; i < bad.size(); ++i) {
      GenerateSettings settings;
      settings.generator = info.name;
      const auto mesh = generate(bad[i], settings);
      EXPECT_FALSE(mesh.ok()) << info.name << " on case " << i;
    }
  }
}

// Mangled worlds: any answer but a crash, and what is accepted is right.
TEST(Registry, DamagedEnvironmentsNeverCrash) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Environment environment = anyWorld(seed);
    Random random(seed + 1000);
    for (Layer& layer : environment.layers) {
      for (Polygon& polygon : layer.free) {
        if (random.chance(0.3) && !polygon.outer.empty()) polygon.outer.erase(polygon.outer.begin());
        if (random.chance(0.2)) polygon.holes.push_back(polygon.outer);
        for (Point& p : polygon.outer) {
          if (random.chance(0.05)) p.x += static_cast<int32_t>(random.between(-200, 200));
        }
      }
    }
    for (Connection& connection : environment.connections) {
      if (random.chance(0.3)) std::reverse(connection.line.begin(), connection.line.end());
      if (random.chance(0.3)) connection.line.push_back({0, 0});
      if (random.chance(0.2)) connection.layerB = connection.layerA;
    }
    for (const GeneratorInfo& info : generators()) {
      GenerateSettings settings;
      settings.generator = info.name;
      const auto mesh = generate(environment, settings);
      if (!mesh.ok()) {
        EXPECT_FALSE(mesh.error().message.empty());
      }
    }
  }
}

TEST(Registry, CancelledRunsStopAndProgressGrows) {
  Environment environment = squaresWorld(1, {.columns = 20, .rows = 20});
  environment.lattice.unit = 0.02;  // large enough for cells of a metre
  for (const GeneratorInfo& info : generators()) {
    if (!info.missing.empty()) continue;
    GenerateSettings settings;
    settings.generator = info.name;
    Context context;
    std::string stage;
    double fraction = 0;
    int reports = 0;
    context.onProgress = [&](std::string_view name, double value) {
      EXPECT_GE(value, name == stage ? fraction : 0.0);
      EXPECT_LE(value, 1.0);
      stage = name;
      fraction = value;
      ++reports;
    };
    EXPECT_TRUE(generate(environment, settings, context).ok());
    EXPECT_EQ(fraction, 1.0);
    EXPECT_GE(reports, 4);
    // Cancelled at each report in turn.
    for (int stop = 1; stop <= reports; ++stop) {
      Context stopped;
      int count = 0;
      stopped.onProgress = [&](std::string_view, double) {
        if (++count == stop) stopped.cancel();
      };
      const auto mesh = generate(environment, settings, stopped);
      if (!mesh.ok()) {
        EXPECT_EQ(mesh.error().code, ErrorCode::kCancelled);
      }
      if (stop < reports / 2) {
        EXPECT_FALSE(mesh.ok());
      }
    }
  }
}

}  // namespace
}  // namespace wend
