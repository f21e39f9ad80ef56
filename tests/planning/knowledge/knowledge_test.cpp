#include <wend/game/knowledge.h>
#include <wend/generate.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

NavMesh mesh() {
  const auto environment = makeEnvironment({"university", {}, 1, {}});
  return *generate(*environment, {.generator = "pasfv"});
}

TEST(Knowledge, OwnAndAdjacentCellsByDefault) {
  const NavMesh m = mesh();
  Knowledge knowledge(m);
  for (CellId cell = 0; cell < m.cellCount(); ++cell) ASSERT_TRUE(knowledge.put({cell, cell}));
  for (CellId cell = 0; cell < m.cellCount(); ++cell) {
    std::set<NoticeId> wanted{cell};
    for (SideId s = m.firstSide(cell); s < m.endSide(cell); ++s) {
      if (!m.isWall(s)) wanted.insert(m.neighbour(s));
    }
    const std::vector<NoticeId> found = knowledge.noticed(cell);
    EXPECT_EQ(std::set<NoticeId>(found.begin(), found.end()), wanted);
  }
}

TEST(Knowledge, ReachAndSensorAddUp) {
  const NavMesh m = mesh();
  Knowledge knowledge(m);
  Random random(1);
  std::vector<Notice> notices;
  for (NoticeId id = 0; id < 60; ++id) {
    Notice notice{id, static_cast<CellId>(random.below(m.cellCount())), static_cast<uint32_t>(random.below(6))};
    if (id % 20 == 0) notice.reach = Notice::kEverywhere;
    notices.push_back(notice);
    ASSERT_TRUE(knowledge.put(notice));
  }
  for (int i = 0; i < 40; ++i) {
    const auto cell = static_cast<CellId>(random.below(m.cellCount()));
    const auto sensor = static_cast<uint32_t>(random.below(4));
    std::vector<NoticeId> wanted;
    for (const Notice& notice : notices) {
      const uint32_t portals = knowledge.portalsBetween(cell, notice.cell);
      if (notice.reach == Notice::kEverywhere || (portals != kNone && portals <= notice.reach + sensor)) {
        wanted.push_back(notice.id);
      }
    }
    EXPECT_EQ(knowledge.noticed(cell, sensor), wanted);
  }
}

TEST(Knowledge, MovesAndForgets) {
  const NavMesh m = mesh();
  Knowledge knowledge(m);
  EXPECT_FALSE(knowledge.put({1, m.cellCount()}));
  EXPECT_TRUE(knowledge.put({1, 0, 0}));
  EXPECT_TRUE(knowledge.put({1, 5, 0}));
  EXPECT_EQ(knowledge.size(), 1U);
  EXPECT_TRUE(knowledge.noticed(0).empty());
  EXPECT_EQ(knowledge.noticed(5), std::vector<NoticeId>{1});
  EXPECT_EQ(knowledge.in(5).size(), 1U);
  EXPECT_TRUE(knowledge.remove(1));
  EXPECT_FALSE(knowledge.remove(1));
  EXPECT_TRUE(knowledge.noticed(5).empty());
}

}  // namespace
}  // namespace wend
