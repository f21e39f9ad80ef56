#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

namespace {

using Json = nlohmann::json;

// A floor of 10 x 10 m with grass on its eastern half, a box of 2 x 2 x 1 m on it and a bridge high above; z is up.
class SceneFile {
 public:
  SceneFile() {
    text_ = "g floor\nusemtl stone\n";
    floor(0, 0, 5, 10, 0);
    text_ += "usemtl grass\n";
    floor(5, 0, 10, 10, 0);
    text_ += "g box\nusemtl wood\n";
    floor(1, 4, 3, 6, 1);
    wall(1, 4, 3, 4);
    wall(3, 4, 3, 6);
    wall(3, 6, 1, 6);
    wall(1, 6, 1, 4);
    text_ += "g bridge\nusemtl stone\n";
    floor(0, 8, 10, 9, 4);
  }
  const std::string& text() const { return text_; }

 private:
  void quad(const std::string& corners) { text_ += corners + "f -4 -3 -2 -1\n"; }
  static std::string v(double x, double y, double z) {
    return "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  }
  void floor(double x0, double y0, double x1, double y1, double z) {
    quad(v(x0, y0, z) + v(x1, y0, z) + v(x1, y1, z) + v(x0, y1, z));
  }
  void wall(double x0, double y0, double x1, double y1) {
    quad(v(x0, y0, 0) + v(x1, y1, 0) + v(x1, y1, 1) + v(x0, y0, 1));
  }
  std::string text_;
};

class SceneOptions : public ::testing::Test {
 protected:
  void SetUp() override { w.write("s.obj", SceneFile().text()); }

  Json extract(const std::string& options) const {
    const Outcome outcome = w.wend("extract s.obj -o s.env --json --up z " + options);
    EXPECT_EQ(outcome.exit, 0) << options << ": " << outcome.err;
    return outcome.exit == 0 ? Json::parse(outcome.out) : Json::object();
  }
  double area(const std::string& options) const { return extract(options).value("area", NAN); }
  void expectError(const std::string& options, int exit, const std::string& says) const {
    const Outcome outcome = w.wend("extract s.obj -o bad.env --up z " + options);
    EXPECT_EQ(outcome.exit, exit) << options;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << options << ": " << outcome.err;
    EXPECT_FALSE(w.exists("bad.env")) << options;
  }
  const Workshop w;
};

TEST_F(SceneOptions, OfThePersonDecideWhatIsFree) {
  EXPECT_NEAR(area(""), 96 + 4 + 10, 0.01);
  EXPECT_NEAR(area("--step 1.1"), 100 + 10, 0.01);                        // the box is a step
  EXPECT_NEAR(area("--height 4.5 --step 0.4"), 96 + 4 - 10 + 10, 0.01);   // the bridge is too low
  EXPECT_NEAR(area("--min-area 5"), 96 + 10, 0.01);                       // the box is too small
  EXPECT_NEAR(area("--seed-point 9,1,0"), 96, 0.01);                      // only the floor is reached
  EXPECT_NEAR(area("--seed-point 9,1,0 --seed-point 2,5,1"), 100, 0.01);  // and the box
  EXPECT_NEAR(area("--slope 0"), 110, 0.01);
}

TEST_F(SceneOptions, OfTheSceneDecideHowItIsRead) {
  EXPECT_NEAR(area("--scale 0.5 --step 0.2 --height 1"), 110 / 4.0, 0.01);
  EXPECT_NEAR(area("--unit 0.001"), 110, 0.05);
  // Seen along another axis the floor is a wall, and the walls of the box are floors.
  const Outcome sideways = w.wend("extract s.obj -o t.env --up y --json");
  ASSERT_EQ(sideways.exit, 0) << sideways.err;
  EXPECT_LT(Json::parse(sideways.out)["area"].get<double>(), 5);
  // Turned upside down only a two-sided scene has floors.
  std::string below = SceneFile().text();
  for (size_t at = below.find("f -4 -3 -2 -1"); at != std::string::npos; at = below.find("f -4 -3 -2 -1", at)) {
    below.replace(at, 13, "f -1 -2 -3 -4");
  }
  w.write("s.obj", below);
  EXPECT_EQ(w.wend("extract s.obj -o b.env --up z").exit, 1);
  EXPECT_NEAR(area("--two-sided"), 110, 0.01);
}

TEST_F(SceneOptions, LabelsBecomeRegions) {
  const auto regions = [&](const std::string& options) {
    extract(options);
    return w.text("s.env");
  };
  const std::string materials = regions("");
  EXPECT_NE(materials.find("grass"), std::string::npos);
  EXPECT_EQ(materials.find("bridge"), std::string::npos);
  EXPECT_NE(regions("--labels object").find("bridge"), std::string::npos);
  EXPECT_EQ(regions("--no-regions").find("grass"), std::string::npos);
}

TEST_F(SceneOptions, OfVoxels) {
  const Json fine = extract("--method voxel --resolution 0.05");
  EXPECT_NEAR(fine.value("area", NAN), 110, 0.05 * 90);
  EXPECT_GT(fine.value("pixels", 0), 35000);
  const Json coarse = extract("--method voxel --resolution 0.1");
  EXPECT_LT(coarse.value("pixels", 0), 15000);
  EXPECT_EQ(extract("--method voxel --resolution 0.1 --voxel-width 0.4").value("layers", 0), coarse.value("layers", 1));
  EXPECT_GE(extract("--method voxel --simplify-pixels 0").value("vertices", 0), fine.value("vertices", 0));
  EXPECT_NEAR(area("--method voxel --single-layer --turn 45"), 100, 0.05 * 90);  // the bridge hides what is below it
  EXPECT_EQ(extract("--method voxel --single-layer").value("layers", 0), 1);
}

TEST_F(SceneOptions, WrongOnesSaySo) {
  expectError("--method guess", 2, "guess");
  expectError("--up w", 2, "w");
  expectError("--seed-point 1,1", 2, "needs a height");
  expectError("--seed-point 50,50,0", 1, "50");
  expectError("--step 3", 2, "below the height");
  expectError("--slope 95", 2, "0 to 89");
  expectError("--method voxel --resolution 0", 2, "resolution");
  expectError("--method voxel --resolution 0.1 --voxel-width 0.01", 2, "voxel width");
  expectError("--method voxel --single-layer --turn 200", 2, "turn");
}

TEST_F(SceneOptions, OnesThatChangeNothingSaySo) {
  for (const char* option : {"--resolution 0.1", "--voxel-width 0.4", "--simplify-pixels 1", "--single-layer"}) {
    expectError(option, 2, "--method voxel");
  }
  expectError("--method voxel --turn 45", 2, "--single-layer");
  extract("");
  for (const char* option : {"--height 1.8", "--seed-point 9,1,0", "--strict", "--up z"}) {
    const Outcome outcome = w.wend(std::string("bake s.env -o e.wend ") + option);
    EXPECT_EQ(outcome.exit, 2) << option;
    EXPECT_NE(outcome.err.find("is for scenes"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(w.wend("bake s.env -o e.wend").exit, 0);
}

TEST_F(SceneOptions, HoldForBakeToo) {
  for (const char* generator : {"delaunay", "ecm"}) {
    const Outcome outcome =
        w.wend(std::string("bake s.obj -o s.wend --up z --seed-point 9,1,0 --check --json -g ") + generator);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_NEAR(Json::parse(outcome.out).value("area", NAN), 96, 0.01) << generator;
  }
  const Outcome voxel = w.wend("bake s.obj -o v.wend --up z --method voxel --resolution 0.1 --single-layer --json");
  ASSERT_EQ(voxel.exit, 0) << voxel.err;
  EXPECT_NEAR(Json::parse(voxel.out).value("area", NAN), 100, 0.1 * 90);
}

TEST_F(SceneOptions, ThreadsChangeNothing) {
  const Json one = extract("--threads 1");
  const Json four = extract("--threads 4");
  EXPECT_EQ(one["hash"], four["hash"]);
}

}  // namespace
