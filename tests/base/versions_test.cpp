#include "base/versions.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

struct Numbers {
  uint64_t state = 0;
  std::vector<int> all;
  int copies = 0;
  void copyAll(const Numbers& other) {
    all = other.all;
    ++copies;
  }
  bool follow(const Numbers& other, const BlockLog& log, bool) {
    log.copy(0, other.all, all);
    return true;
  }
};
using NumberVersions = Versions<Numbers>;
using Version = std::shared_ptr<const Numbers>;

Version first(size_t count) {
  auto numbers = std::make_unique<Numbers>();
  numbers->all.resize(count, 0);
  numbers->state = NumberVersions::nextState();
  return NumberVersions::make()->publish(std::move(numbers), {});
}

// The version with some numbers changed and another length, beside what it must be.
Version changed(const Version& version, Random& random, std::vector<int>& wanted) {
  const auto versions = NumberVersions::find(version).versions;
  auto draft = versions->draft(*version);
  BlockLog log;
  LoggedArray<int> all(draft->all, log, 0);
  wanted = version->all;
  const auto size = static_cast<size_t>(random.between(500, 1500));
  all.resize(size, 7);
  wanted.resize(size, 7);
  for (int i = 0; i < 5; ++i) {
    const auto at = random.below(size);
    const auto value = static_cast<int>(random.below(1000));
    all.set(at, value);
    wanted[at] = value;
  }
  return versions->publish(std::move(draft), std::move(log));
}

TEST(Versions, EveryVersionKeepsItsNumbers) {
  Random random(5);
  std::vector<Version> versions{first(1000)};
  std::vector<std::vector<int>> wanted{versions[0]->all};
  for (int step = 0; step < 3000; ++step) {
    // From any version that is still read, not only from the newest.
    const size_t from = random.chance(0.8) ? versions.size() - 1 : random.below(versions.size());
    wanted.emplace_back();
    versions.push_back(changed(versions[from], random, wanted.back()));
    while (versions.size() > 6 || (versions.size() > 1 && random.chance(0.5))) {
      const auto drop = static_cast<ptrdiff_t>(random.below(versions.size()));
      versions.erase(versions.begin() + drop);
      wanted.erase(wanted.begin() + drop);
    }
    for (size_t i = 0; i < versions.size(); ++i) ASSERT_EQ(versions[i]->all, wanted[i]) << "step " << step;
  }
}

TEST(Versions, MemoryOfOldVersionsIsUsedAgain) {
  Random random(6);
  Version version = first(1000);
  std::vector<int> wanted;
  for (int step = 0; step < 5; ++step) version = changed(version, random, wanted);
  for (int step = 0; step < 100; ++step) {
    version = changed(version, random, wanted);
    ASSERT_LE(version->copies, 1);
  }
}

TEST(Versions, ReadersAreNotDisturbed) {
  Version version = first(1000);
  const auto read = [](Version mine) {
    const std::vector<int> before = mine->all;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(mine->all, before);
  };
  Random random(7);
  std::vector<int> wanted;
  for (int round = 0; round < 20; ++round) {
    std::thread reader(read, version);
    for (int step = 0; step < 5; ++step) version = changed(version, random, wanted);
    reader.join();
  }
}

TEST(Versions, AForeignPointerIsNotKnown) {
  EXPECT_EQ(NumberVersions::find(std::make_shared<const Numbers>()).value, nullptr);
}

}  // namespace
}  // namespace wend
