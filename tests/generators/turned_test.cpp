#include "environment/turned.h"

#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

// Every generator on worlds that lie straight, along a diagonal and at odd angles.
namespace wend {
namespace {

constexpr double kAngles[]{0, 17, 45, 71.317};

TEST(TurnedWorlds, EveryGeneratorIsRightAtAnyAngle) {
  for (const char* kind : {"circle1", "blocks", "two-floor-ramp"}) {
    const auto made = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(made.ok());
    for (const double degrees : kAngles) {
      const Environment environment = turned(*made, degrees);
      ASSERT_TRUE(validate(environment).empty()) << kind << " at " << degrees;
      for (const GeneratorInfo& generator : generators()) {
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
