#include <wend/levels_of_service.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(ServiceLevel, BeginsAtItsLimitInEveryTable) {
  for (const ServiceTable table :
       {ServiceTable::kFruin, ServiceTable::kDisplay, ServiceTable::kStairs, ServiceTable::kQueues}) {
    EXPECT_EQ(serviceLevel(0, table), ServiceLevel::kA);
    EXPECT_EQ(serviceLevel(9, table), ServiceLevel::kF);
    const auto limits = serviceLimits(table);
    for (size_t i = 0; i < limits.size(); ++i) {
      EXPECT_EQ(static_cast<size_t>(serviceLevel(limits[i] - 1e-6, table)), i) << tableName(table);
      EXPECT_EQ(static_cast<size_t>(serviceLevel(limits[i], table)), i + 1) << tableName(table);
      // By way of the covered share of the ground, at 0.18 m2 per person.
      EXPECT_EQ(static_cast<size_t>(serviceLevel(limits[i] * 0.18 / 0.18, table)), i + 1) << tableName(table);
    }
  }
  EXPECT_EQ(serviceLevel(0.25, ServiceTable::kFruin), ServiceLevel::kA);
  EXPECT_EQ(serviceLevel(0.25, ServiceTable::kDisplay), ServiceLevel::kB);
  EXPECT_EQ(serviceLevel(2.1, ServiceTable::kFruin), ServiceLevel::kE);
  EXPECT_EQ(serviceLevel(2.1, ServiceTable::kDisplay), ServiceLevel::kF);
  EXPECT_EQ(levelLetter(ServiceLevel::kF), 'F');
}

TEST(ServiceLevel, ColoursBlendBetweenLimitsAndEndWithPurple) {
  const auto limits = serviceLimits(ServiceTable::kDisplay);
  EXPECT_EQ(serviceColour(0, ServiceTable::kDisplay), levelColour(ServiceLevel::kA));
  for (size_t i = 0; i < limits.size(); ++i) {
    EXPECT_EQ(serviceColour(limits[i], ServiceTable::kDisplay), levelColour(static_cast<ServiceLevel>(i + 1)));
  }
  EXPECT_EQ(serviceColour(6, ServiceTable::kDisplay), levelColour(ServiceLevel::kF));
  EXPECT_EQ(serviceColour(0.1, ServiceTable::kDisplay), (ServiceColour{50, 130, 148}));
}

}  // namespace
}  // namespace wend
