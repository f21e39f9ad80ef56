#include <gtest/gtest.h>

#include "tests/apps/program.h"
#include "tests/apps/scenario_files.h"

// The scenarios of tests/crowd/scenarios that take a few seconds, each against its own [[expect]]. docs/validation.md
// says what they stand for and what the longer ones give.
namespace {

class Validation : public testing::TestWithParam<const char*> {};

TEST_P(Validation, Holds) {
  const Workshop w;
  const Outcome outcome = w.wend("simulate '" + scenarioFile(GetParam()) + "' --check");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Quick, Validation,
                         testing::Values("rimea-01", "rimea-02", "rimea-03", "rimea-05", "rimea-06", "rimea-07",
                                         "rimea-10", "rimea-16-0_5", "rimea-16-0_9", "nist-2-1", "nist-2-5", "nist-2-6",
                                         "nist-2-7", "nist-2-9", "nist-2-10-mixed", "nist-2-10-control", "rimea-13",
                                         "rimea-13-direction", "nist-3-2-leader", "nist-3-2-alone", "nist-3-3",
                                         "nist-4-1", "antipodal-2", "antipodal-3", "antipodal-4", "antipodal-8",
                                         "head-on-open", "head-on-corridor", "door-swap-06-1", "door-swap-09-1",
                                         "concave-trap-1", "concave-trap-50", "office", "closing-door"),
                         [](const auto& scenario) {
                           std::string name = scenario.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
