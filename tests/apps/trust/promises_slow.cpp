#include <algorithm>
#include <string>
#include <vector>

#include <wend/wend.h>

#include <gtest/gtest.h>

#include "tests/apps/program.h"

// A mesh promises that its cells are convex, that they are disjoint, and that they cover the free space. A file may
// promise what is not so: each command ends soon, with a sentence or with what it can say, within 2 GiB.
namespace {

using namespace wend;

constexpr const char* kBoundedRun = "ulimit -v 2097152; timeout 60 '" WEND_PROGRAM "' ";

constexpr const char* kPromisedScenario = R"toml(format = 1
environment = "wrong.wend"
end_time = 5
end_when = "time"
[[source]]
id = "in"
area = [[1, 1], [8, 1], [8, 8], [1, 8]]
count = 20
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[28, 14], [35, 14], [35, 20], [28, 20]]
[[journey]]
id = "out"
stages = ["door"]
)toml";

void flipPromises(MeshTraits& traits, int which) {
  if (which & 1) traits.convex = !traits.convex;
  if (which & 2) traits.disjoint = !traits.disjoint;
  if (which & 4) traits.exact = !traits.exact;
}

void expectOrderlyEndOfAll(const Workshop& workshop, const std::string& what) {
  for (const std::string command :
       {"check wrong.wend", "info wrong.wend", "path wrong.wend --from 3,3 --to 33,18 --radius 0.3",
        "path wrong.wend --from 3,3 --to 33,18", "draw wrong.wend -o wrong.svg --clearance 0.3", "measure wrong.wend",
        "edit wrong.wend --add box=square:2@12,9~17 -o edited.wend", "simulate run.toml -o run.sqlite"}) {
    const Outcome outcome = workshop.shell("rm -f run.sqlite* edited.wend; " + (kBoundedRun + command));
    EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1 || outcome.exit == 2)
        << what << ": " << command << ": " << outcome.exit << " " << outcome.err;
    EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << what << ": " << command << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("memory"), std::string::npos) << what << ": " << command << ": " << outcome.err;
  }
}

// Bit by bit: convex, disjoint, exact.
void tryPromises(const std::vector<std::string>& names, const std::vector<int>& turned) {
  const Workshop workshop;
  workshop.write("run.toml", kPromisedScenario);
  ASSERT_EQ(workshop.wend("make parking-lot -o lot.env").exit, 0);
  size_t baked = 0;
  for (const std::string& name : names) {
    // Some generators need what this world does not have: pictures, regions.
    if (workshop.wend("bake lot.env -g " + name + " -o right.wend --quiet --force").exit != 0) continue;
    ++baked;
    const Result<World> world = loadWorld(workshop.path("right.wend"));
    ASSERT_TRUE(world.ok()) << name << ": " << world.error().message;
    const NavMesh& mesh = world->mesh();
    for (const int which : turned) {
      MeshArrays info = mesh.info();
      flipPromises(info.traits, which);
      const NavMesh wrong = NavMesh(info, mesh.views(), mesh.owner()).withCorridorMap(mesh.corridorMap());
      const Result<World> other = World::of(world->environment(), wrong);
      ASSERT_TRUE(other.ok()) << other.error().message;
      ASSERT_TRUE(saveWorld(*other, workshop.path("wrong.wend")).ok());
      expectOrderlyEndOfAll(workshop, name + " with promises " + std::to_string(which) + " turned");
    }
  }
  EXPECT_GE(baked, std::min<size_t>(names.size(), 8));
}

TEST(Promises, ThatAreWrongHurtNoCommand) {
  tryPromises({"ecm", "apng", "grid"}, {1, 2, 4});
}

TEST(PromisesLongest, ThatAreWrongHurtNoCommandOnAnyMesh) {
  std::vector<std::string> names;
  for (const GeneratorInfo& generator : generators()) names.push_back(generator.name);
  tryPromises(names, {1, 2, 3, 4, 5, 6, 7});
}

}  // namespace
