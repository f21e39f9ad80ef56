#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// Volumes as a user meets them.
namespace {

using Json = nlohmann::json;

// A room of 10 x 8 x 3 m (a floor, and a far corner that makes it as high) with round posts of 24 sides, turned.
std::string roomWithPosts(double degrees, std::initializer_list<double> radii) {
  constexpr int kSides = 24;
  const double turn = degrees * std::numbers::pi / 180;
  std::string obj;
  int count = 0;
  const auto vertex = [&](double x, double y, double z) {
    const double a = std::cos(turn) * x - std::sin(turn) * y;
    const double b = std::sin(turn) * x + std::cos(turn) * y;
    obj += fmt::format("v {:.6f} {:.6f} {:.6f}\n", a, z, -b);  // y is up
    return ++count;
  };
  int first = vertex(0, 0, 0);
  vertex(10, 0, 0);
  vertex(10, 8, 0);
  vertex(0, 8, 0);
  obj += fmt::format("f {} {} {} {}\n", first, first + 1, first + 2, first + 3);
  first = vertex(0, 0, 3);
  vertex(0.1, 0, 3);
  vertex(0, 0.1, 3);
  obj += fmt::format("f {} {} {}\n", first, first + 1, first + 2);
  double x = 2.5;
  for (const double radius : radii) {
    first = count + 1;
    for (const double z : {0.0, 1.0}) {
      for (int i = 0; i < kSides; ++i) {
        const double angle = 2 * std::numbers::pi * i / kSides;
        vertex(x + radius * std::cos(angle), 4 + radius * std::sin(angle), z);
      }
    }
    const int low = vertex(x, 4, 0);
    const int high = vertex(x, 4, 1);
    for (int i = 0; i < kSides; ++i) {
      const int a = first + i;
      const int b = first + (i + 1) % kSides;
      obj += fmt::format("f {0} {1} {3}\nf {0} {3} {2}\n", a, b, a + kSides, b + kSides);
      obj += fmt::format("f {} {} {}\nf {} {} {}\n", low, b, a, high, a + kSides, b + kSides);
    }
    x += 4;
  }
  return obj;
}

TEST(VolumesProgram, RoundObstaclesCanCountAsBoxes) {
  for (const double degrees : {0.0, 17.0}) {
    const Workshop w;
    w.write("room.obj", roomWithPosts(degrees, {0.5, 1.0}));
    const auto volumes = [&](const std::string& options) {
      const Outcome out = w.wend("volumes room.obj -o room.wvol --json " + options);
      EXPECT_EQ(out.exit, 0) << out.err;
      EXPECT_EQ(w.wend("check room.wvol").exit, 0);
      return Json::parse(out.out);
    };
    const Json round = volumes("");
    const Json boxed = volumes("--obstacles-as-boxes 1.5");
    // The post of 1 m becomes the smallest box around it, the one of 2 m stays round.
    const double apothem = 0.5 * std::cos(std::numbers::pi / 24);
    const double box = 4 * apothem * apothem;
    const double post = 0.5 * 24 * 0.25 * std::sin(std::numbers::pi / 12);
    EXPECT_NEAR(round["free_volume"].get<double>() - boxed["free_volume"].get<double>(), box - post, 1e-3);
    EXPECT_LT(boxed["volumes"].get<int>(), round["volumes"].get<int>());
    EXPECT_EQ(boxed["triangles"].get<int>(), round["triangles"].get<int>() - 96 + 12);
    const Json all = volumes("--obstacles-as-boxes 2.5");
    EXPECT_LT(all["volumes"].get<int>(), boxed["volumes"].get<int>());
  }
}

TEST(VolumesProgram, AFurnishedOfficeTakesAMomentAsBoxes) {
  const Workshop w;
  ASSERT_EQ(w.wend("make --3d office --rooms 1 -o office.glb").exit, 0);
  const Outcome out = w.wend("volumes office.glb --obstacles-as-boxes 1.5 --project floor.env -o office.wvol --json");
  ASSERT_EQ(out.exit, 0) << out.err;
  const Json report = Json::parse(out.out);
  EXPECT_LT(report["volumes"].get<int>(), 500);
  EXPECT_EQ(w.wend("check office.wvol").exit, 0);
  EXPECT_EQ(w.wend("bake floor.env -o floor.wend").exit, 0);
  EXPECT_NE(w.wend("volumes office.glb --obstacles-as-boxes -1 -o office.wvol").exit, 0);
}

}  // namespace
