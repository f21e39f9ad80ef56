#include <cmath>

#include <wend/game/contest.h>

#include <gtest/gtest.h>

// The source's table B.1, with enough matches to prove something: 1,000 per pairing.
namespace wend {
namespace {

constexpr uint32_t kMatches = 1000;

// Share of decided matches that the first wins, in standard errors above one half.
double advantage(ContestantType first, ContestantType second) {
  ContestSettings settings;
  settings.teams[0] = first;
  settings.teams[1] = second;
  const auto tally = playSeries({}, settings, kMatches, 1000);
  EXPECT_TRUE(tally.ok());
  const double decided = tally->wins[0] + tally->wins[1];
  testing::Test::RecordProperty(std::string(contestantName(first)) + "_" + contestantName(second),
                                static_cast<int>(tally->wins[0]));
  return (tally->wins[0] / decided - 0.5) / (0.5 / std::sqrt(decided));
}

TEST(ContestSlow, ThoseWhoAlterTheWorldWin) {
  // One-sided, p below 0.01 and 0.001.
  EXPECT_GT(advantage(ContestantType::kBuilder, ContestantType::kAdaptive), 2.33);
  EXPECT_GT(advantage(ContestantType::kUniversal, ContestantType::kAdaptive), 3.1);
  // The source's 35 to 25 of universal against builder is not seen here: 475 to 524 (docs/notes/volumes.md).
}

TEST(ContestSlow, EqualTeamsAreEven) {
  for (const ContestantType type : {ContestantType::kAdaptive, ContestantType::kBuilder, ContestantType::kUniversal}) {
    EXPECT_LT(std::abs(advantage(type, type)), 3.3) << contestantName(type);
  }
}

}  // namespace
}  // namespace wend
