#include "environment/turned.h"

#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Every generator on worlds that lie straight, along a diagonal, at an odd angle and at a random one.
namespace wend {
namespace {

constexpr double kAngles[]{0, 17, 45};

TEST(TurnedWorlds, EveryGeneratorIsRightAtAnyAngle) {
  Random random(24);
  for (const char* kind : {"circle1", "blocks", "two-floor-ramp"}) {
    const auto made = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(made.ok());
    for (const GeneratorInfo& generator : generators()) {
      for (const double degrees : {kAngles[0], kAngles[1], kAngles[2], random.real(0, 360)}) {
        const Environment environment = turned(*made, degrees);
        ASSERT_TRUE(validate(environment).empty()) << kind << " at " << degrees;
        SCOPED_TRACE(generator.name + " on " + kind + " at " + std::to_string(degrees));
        const auto mesh = generate(environment, {.generator = generator.name});
        ASSERT_TRUE(mesh.ok()) << mesh.error().message;
        EXPECT_FALSE(mesh->empty());
        for (const MeshFault& fault : checkMesh(*mesh, &environment, 3)) {
          ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wend
