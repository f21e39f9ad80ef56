#include "serve/crowd_frame.h"

#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "serve/line_counter.h"

namespace wend::serve {
namespace {

template <typename T>
T at(const Bytes& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes->data() + offset, sizeof value);
  return value;
}

TEST(SlotTable, NobodyHasNoSlot) {
  SlotTable slots;
  std::vector<SlotTable::Change> changed;
  slots.update({}, changed);
  EXPECT_TRUE(changed.empty());
  EXPECT_EQ(slots.size(), 0U);
  EXPECT_EQ(slots.personAt(0), kNone);
}

// Against a map: a person keeps its slot, no two persons share one, and no slot is wasted.
TEST(SlotTable, KeepsSlotsAsAMapDoes) {
  std::mt19937 random(3);
  SlotTable slots;
  std::map<uint32_t, uint32_t> known;
  std::set<uint32_t> ids;
  uint32_t next = 0;
  size_t most = 0;
  std::vector<SlotTable::Change> changed;
  for (int frame = 0; frame < 300; ++frame) {
    for (auto k = random() % 20; k > 0; --k) ids.insert(next++);
    for (auto k = random() % 18; k > 0 && !ids.empty(); --k) {
      auto it = ids.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(random() % ids.size()));
      ids.erase(it);
    }
    std::vector<FramePerson> persons;
    for (const uint32_t id : ids) persons.push_back({.id = id});
    most = std::max(most, persons.size());
    slots.update(persons, changed);
    std::map<uint32_t, uint32_t> now;
    std::set<uint32_t> used;
    size_t fresh = 0;
    for (size_t i = 0; i < persons.size(); ++i) {
      now[persons[i].id] = slots.slots()[i];
      EXPECT_TRUE(used.insert(slots.slots()[i]).second);
      EXPECT_EQ(slots.personAt(slots.slots()[i]), i);
      if (const auto old = known.find(persons[i].id); old != known.end()) {
        EXPECT_EQ(old->second, slots.slots()[i]);
      } else {
        ++fresh;
      }
    }
    EXPECT_EQ(changed.size(), fresh);
    EXPECT_LE(slots.size(), most);
    known = now;
  }
}

TEST(CrowdFrame, TakesTwelveBytesPerPersonAndKeepsPlaces) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  const FrameBox box{{-100, 50, 0}, {500, 400, 30}};
  std::vector<FramePerson> persons;
  for (uint32_t i = 0; i < 1000; ++i) {
    FramePerson p;
    p.id = 2 * i;
    p.position = {box.min.x + 500 * unit(random), box.min.y + 400 * unit(random), 30 * unit(random)};
    const double angle = 6.28 * unit(random);
    p.heading = {std::cos(angle), std::sin(angle)};
    p.velocity = {2 * p.heading.x, 2 * p.heading.y};
    p.layer = i % 7;
    p.density = 2.5F;
    p.waited = 10;
    persons.push_back(p);
  }
  SlotTable slots;
  std::vector<SlotTable::Change> changed;
  slots.update(persons, changed);
  const Bytes frame = encodeFrame(3, 17, 1.5, box, persons, slots);
  ASSERT_EQ(frame->size(), 48 + 12 * persons.size());
  EXPECT_EQ(at<uint32_t>(frame, 0), 1U);
  EXPECT_EQ(at<uint32_t>(frame, 4), 1000U);
  EXPECT_EQ(at<uint32_t>(frame, 8), 3U);
  EXPECT_EQ(at<double>(frame, 16), 1.5);
  for (size_t i = 0; i < persons.size(); ++i) {
    const size_t place = 48 + 8 * size_t{slots.slots()[i]};
    const size_t state = 48 + 8 * persons.size() + 4 * size_t{slots.slots()[i]};
    EXPECT_NEAR(box.min.x + at<uint16_t>(frame, place) / 65535.0 * 500, persons[i].position.x, 0.004);
    EXPECT_NEAR(box.min.y + at<uint16_t>(frame, place + 2) / 65535.0 * 400, persons[i].position.y, 0.0031);
    EXPECT_NEAR(at<uint16_t>(frame, place + 4) / 65535.0 * 30, persons[i].position.z, 0.001);
    const double heading = at<uint8_t>(frame, place + 6) * 3.14159265358979 / 128;
    EXPECT_GT(std::cos(heading) * persons[i].heading.x + std::sin(heading) * persons[i].heading.y, 0.9998);
    EXPECT_EQ(at<uint8_t>(frame, place + 7), 100);
    EXPECT_EQ(at<uint8_t>(frame, state), 80);
    EXPECT_EQ(at<uint8_t>(frame, state + 1), 20);
    EXPECT_EQ(at<uint8_t>(frame, state + 2), i % 7);
    EXPECT_EQ(at<uint8_t>(frame, state + 3), 1);
  }
  const Bytes people = encodePeople(3, persons, changed);
  ASSERT_EQ(people->size(), 16 + 12 * persons.size());
  EXPECT_EQ(at<uint32_t>(people, 16 + 4), persons[changed[0].person].id);
}

TEST(CrowdFrame, TakesAnyNumber) {
  FramePerson p;
  p.position = {1e300, -1e300, std::nan("")};
  p.velocity = {1e9, 0};
  p.density = 1e9F;
  SlotTable slots;
  std::vector<SlotTable::Change> changed;
  const std::vector<FramePerson> persons{p};
  slots.update(persons, changed);
  EXPECT_EQ(encodeFrame(1, 1, 0, {}, persons, slots)->size(), 60U);
}

TEST(LineCounter, CountsEachCrossingOnce) {
  Environment environment;
  environment.layers.resize(1);
  LineCounter counter({{"gate", {0, -1}, {0, 1}, 0}}, environment);
  const auto step = [&](double x, double y, uint32_t layer = 0) {
    const std::vector<FramePerson> persons{{.id = 4, .position = {x, y, 0}, .layer = layer}};
    counter.count(persons);
    return counter.lines()[0].crossed;
  };
  EXPECT_EQ(step(-1, 0), 0U);
  EXPECT_EQ(step(0, 0), 1U);  // onto the line counts with one of the two steps
  EXPECT_EQ(step(1, 0), 1U);
  EXPECT_EQ(step(1, 5), 1U);  // beside the line
  EXPECT_EQ(step(-1, 5), 1U);
  EXPECT_EQ(step(-1, 0), 1U);
  EXPECT_EQ(step(1, 0), 2U);      // through it at once
  EXPECT_EQ(step(-1, 0, 3), 2U);  // another layer
}

}  // namespace
}  // namespace wend::serve
