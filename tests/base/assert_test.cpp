#include "base/assert.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(Assert, EvaluatesOnlyWhereItIsOn) {
  int evaluated = 0;
  WEND_ASSERT(++evaluated > 0, "the condition is evaluated once");
#ifdef WEND_ASSERTIONS
  EXPECT_EQ(evaluated, 1);
#else
  EXPECT_EQ(evaluated, 0);
#endif
}

TEST(AssertDeathTest, NamesThePlaceTheConditionAndTheSentence) {
  EXPECT_DEATH(assertionFailed("stage.cpp", 12, "a < b", "a lies before b"),
               "stage.cpp:12: assertion failed: a < b\n  a lies before b");
}

#ifdef WEND_ASSERTIONS
TEST(AssertDeathTest, AbortsWhereTheConditionIsFalse) {
  const int size = 0;
  EXPECT_DEATH(WEND_ASSERT(size > 0, "there is something"), "assert_test.cpp:.*size > 0\n  there is something");
}
#endif

}  // namespace
}  // namespace wend
