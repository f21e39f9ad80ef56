#include <set>

#include <wend/game/contest.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "contest/alteration.h"

namespace wend {
namespace {

// A line of regions 0 - 1 - 2 - 3 with a blocked short cut from 0 to 3.
ContestLevel line() {
  ContestLevel level;
  level.places = {{0, 0}, {0, 10}, {10, 10}, {10, 0}};
  level.half = {0, 0, 1, 1};
  level.links = {{0, 1, LinkState::kOpen, 10},
                 {1, 2, LinkState::kOpen, 10},
                 {2, 3, LinkState::kOpen, 10},
                 {0, 3, LinkState::kBlocked, 10}};
  level.linksOf = {{0, 3}, {0, 1}, {1, 2}, {2, 3}};
  level.base[0] = 0;
  level.base[1] = 3;
  return level;
}

TEST(Contest, AttackersCutThroughWhereThatIsCheaper) {
  const ContestLevel level = line();
  EXPECT_EQ(planAlteringRoute(level, 0, 3, false), (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(planAlteringRoute(level, 0, 3, true, {.open = 15}), (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(planAlteringRoute(level, 0, 3, true, {.open = 25}), (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(planAlteringRoute(level, 0, 9, true).empty());
}

// The cheapest way against all ways, on small random levels.
TEST(Contest, RoutesAreCheapestOfAll) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto level = makeLevel({.least = 10, .most = 14, .open = 0.7}, seed);
    if (!level.ok()) continue;
    const AlterationCosts costs;
    // Bellman and Ford.
    std::vector<double> slow(level->places.size(), 1e300);
    slow[level->base[1]] = 0;
    for (size_t round = 0; round < slow.size(); ++round) {
      for (const ContestLevel::Link& link : level->links) {
        const double cost = linkCost(link, true, costs);
        slow[link.a] = std::min(slow[link.a], slow[link.b] + cost);
        slow[link.b] = std::min(slow[link.b], slow[link.a] + cost);
      }
    }
    const std::vector<double> fast = costsTo(*level, level->base[1], true, costs);
    for (size_t r = 0; r < slow.size(); ++r) {
      if (slow[r] > 1e299) continue;
      EXPECT_NEAR(fast[r], slow[r], 1e-9);
    }
  }
}

TEST(Contest, DefendersCloseTheRegionWithTheFewestLinks) {
  ContestLevel level = line();
  level.half = {0, 0, 0, 1};
  // Region 1 gets a third link, so 2 has fewer.
  level.places.push_back({-10, 10});
  level.half.push_back(0);
  level.links.push_back({1, 4, LinkState::kOpen, 10});
  level.linksOf.push_back({4});
  level.linksOf[1].push_back(4);
  EXPECT_EQ(chooseRegionToBlock(level, 0, 3, 0, 4), 2U);
  level.half[2] = 1;  // outside the guarded area
  EXPECT_EQ(chooseRegionToBlock(level, 0, 3, 0, 4), 1U);
  level.links[1].state = LinkState::kBlocked;  // no way left
  EXPECT_EQ(chooseRegionToBlock(level, 0, 3, 0, 4), kNone);
}

TEST(Contest, LevelsAreAsTheSourceSays) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const auto level = makeLevel({}, seed);
    ASSERT_TRUE(level.ok()) << level.error().message;
    EXPECT_GE(level->places.size(), 80U);
    EXPECT_LE(level->places.size(), 100U);
    double width = 0;
    for (const Vec2 p : level->places) width = std::max(width, p.x);
    for (uint8_t team = 0; team < 2; ++team) {
      const uint32_t base = level->base[team];
      EXPECT_EQ(level->half[base], team);
      size_t open = 0;
      for (const uint32_t l : level->linksOf[base]) open += level->links[l].state == LinkState::kOpen;
      EXPECT_GE(open, 3U);
    }
    EXPECT_FALSE(planAlteringRoute(*level, level->base[0], level->base[1], false).empty());
  }
  EXPECT_EQ(makeLevel({.least = 3}, 1).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(makeLevel({.open = 0}, 1).error().code, ErrorCode::kEmpty);
}

TEST(Contest, MatchesFollowTheRules) {
  const auto level = makeLevel({}, 5);
  ASSERT_TRUE(level.ok());
  ContestSettings settings;
  settings.teams[0] = ContestantType::kUniversal;
  settings.teams[1] = ContestantType::kBuilder;
  settings.record = true;
  const auto result = playContest(*level, settings, 5);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->frames.size(), result->turns + 1);
  ContestLevel now = *level;
  for (size_t f = 1; f < result->frames.size(); ++f) {
    // In one turn links open and close before or after a character moves.
    std::set<std::pair<uint32_t, uint32_t>> passable;
    const auto add = [&] {
      for (const ContestLevel::Link& link : now.links) {
        if (link.state == LinkState::kOpen) passable.insert({link.a, link.b});
      }
    };
    add();
    for (const auto& [link, state] : result->frames[f].changes) now.links[link].state = state;
    add();
    for (size_t c = 0; c < result->frames[f].regions.size(); ++c) {
      const uint32_t before = result->frames[f - 1].regions[c];
      const uint32_t after = result->frames[f].regions[c];
      if (before == kNone || after == kNone || before == after) continue;
      EXPECT_TRUE(passable.contains(std::minmax(before, after))) << "turn " << f << " character " << c;
    }
    // Nobody stands beside an opponent on the opponent's half.
    for (size_t a = 0; a < 10; ++a) {
      for (size_t b = 10; b < 20; ++b) {
        const uint32_t region = result->frames[f].regions[a];
        EXPECT_TRUE(region == kNone || region != result->frames[f].regions[b]);
      }
    }
  }
  const auto again = playContest(*level, settings, 5);
  EXPECT_EQ(again->turns, result->turns);
  EXPECT_EQ(again->winner, result->winner);
  settings.attackers = 11;
  EXPECT_EQ(playContest(*level, settings, 5).error().code, ErrorCode::kInvalidSettings);
  ContestLevel broken = *level;
  broken.base[0] = 10000;
  EXPECT_EQ(playContest(broken, {}, 5).error().code, ErrorCode::kInvalidGeometry);
}

// Each type alters what it may, opening takes its turns, and whoever comes by uses what others opened.
TEST(Contest, TypesAlterWhatTheyMayAndOpeningTakesTurns) {
  for (const ContestantType type :
       {ContestantType::kAdaptive, ContestantType::kBuilder, ContestantType::kBlocker, ContestantType::kUniversal}) {
    const bool opens = type == ContestantType::kBuilder || type == ContestantType::kUniversal;
    const bool closes = type == ContestantType::kBlocker || type == ContestantType::kUniversal;
    uint32_t opened = 0;
    uint32_t closed = 0;
    uint32_t bridged = 0;
    uint32_t usedByOthers = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const auto level = makeLevel({.open = 0.5, .gaps = 0.5}, seed);
      if (!level.ok()) continue;
      ContestSettings settings;
      settings.teams[0] = type;
      settings.teams[1] = ContestantType::kAdaptive;
      settings.openTurns = 4;
      settings.bridgeTurns = 6;
      settings.costs = {.open = 4, .bridge = 4};
      settings.record = true;
      const auto result = playContest(*level, settings, seed);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->opened[1] + result->closed[1], 0U);  // the adaptive team
      opened += result->opened[0];
      closed += result->closed[0];
      ContestLevel now = *level;
      std::set<std::pair<uint32_t, uint32_t>> made;  // links that team 0 opened
      for (size_t f = 1; f < result->frames.size(); ++f) {
        for (const auto& [link, state] : result->frames[f].changes) {
          ContestLevel::Link& changed = now.links[link];
          if (state == LinkState::kOpen) {
            const bool isGap = changed.state == LinkState::kGap;
            EXPECT_GE(f, isGap ? 6U : 4U);
            bridged += isGap ? 1 : 0;
            made.insert(std::minmax(changed.a, changed.b));
          }
          changed.state = state;
        }
        for (size_t c = settings.members; c < 2 * settings.members; ++c) {
          const uint32_t before = result->frames[f - 1].regions[c];
          const uint32_t after = result->frames[f].regions[c];
          if (before != kNone && after != kNone && made.contains(std::minmax(before, after))) ++usedByOthers;
        }
      }
    }
    EXPECT_EQ(opened > 0, opens) << contestantName(type);
    EXPECT_EQ(closed > 0, closes) << contestantName(type);
    EXPECT_EQ(bridged > 0, opens) << contestantName(type);
    EXPECT_EQ(usedByOthers > 0, opens) << contestantName(type);
  }
}

TEST(Contest, ASeriesDoesNotDependOnThreads) {
  Context one;
  one.threads = 1;
  Context two;
  two.threads = 2;
  ContestSettings settings;
  settings.teams[0] = ContestantType::kBuilder;
  const auto a = playSeries({}, settings, 20, 7, one);
  const auto b = playSeries({}, settings, 20, 7, two);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->wins[0], b->wins[0]);
  EXPECT_EQ(a->meanTurns, b->meanTurns);
  EXPECT_EQ(a->wins[0] + a->wins[1] + a->draws, 20U);
}

TEST(Contest, AMeshIsALevel) {
  const auto environment = makeEnvironment({.kind = "city"});
  ASSERT_TRUE(environment.ok());
  const auto mesh = generate(*environment);
  ASSERT_TRUE(mesh.ok());
  const auto level = levelOf(*mesh);
  ASSERT_TRUE(level.ok()) << level.error().message;
  EXPECT_EQ(level->places.size(), mesh->cellCount());
  EXPECT_TRUE(playContest(*level, {}, 1).ok());
  EXPECT_TRUE(environmentOf(*makeLevel({}, 1)).ok());
}

}  // namespace
}  // namespace wend
