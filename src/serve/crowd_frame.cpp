#include "serve/crowd_frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace wend::serve {
namespace {

constexpr size_t kHeader = 48;

template <typename T>
void put(char*& at, T value) {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

uint8_t byteOf(double value) {
  return static_cast<uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

}  // namespace

void SlotTable::update(std::span<const FramePerson> persons, std::vector<Change>& changed) {
  changed.clear();
  std::vector<uint32_t> slots(persons.size(), kNone);
  std::vector<uint8_t> goals(persons.size());
  size_t before = 0;
  for (size_t i = 0; i < persons.size(); ++i) {
    goals[i] = persons[i].goal;
    while (before < ids_.size() && ids_[before] < persons[i].id) free_.push(slots_[before++]);
    if (before < ids_.size() && ids_[before] == persons[i].id) {
      slots[i] = slots_[before];
      if (goals_[before] != goals[i]) changed.push_back({slots[i], i});
      ++before;
    }
  }
  for (; before < ids_.size(); ++before) free_.push(slots_[before]);
  for (size_t i = 0; i < persons.size(); ++i) {
    if (slots[i] != kNone) continue;
    if (free_.empty()) {
      slots[i] = size_++;
    } else {
      slots[i] = free_.top();
      free_.pop();
    }
    changed.push_back({slots[i], i});
  }
  ids_.resize(persons.size());
  for (size_t i = 0; i < persons.size(); ++i) ids_[i] = persons[i].id;
  slots_ = std::move(slots);
  goals_ = std::move(goals);
}

uint32_t SlotTable::personAt(uint32_t slot) const {
  const auto found = std::find(slots_.begin(), slots_.end(), slot);
  return found == slots_.end() ? kNone : static_cast<uint32_t>(found - slots_.begin());
}

Bytes encodeFrame(uint32_t run, uint32_t number, double time, const FrameBox& box, std::span<const FramePerson> persons,
                  const SlotTable& slots) {
  const uint32_t count = slots.size();
  auto out = std::make_shared<std::string>(kHeader + size_t{12} * count, '\0');
  char* at = out->data();
  for (const uint32_t word : {1U, count, run, number}) put(at, word);
  put(at, time);
  for (const double value : {box.min.x, box.min.y, box.min.z, box.size.x, box.size.y, box.size.z}) {
    put(at, static_cast<float>(value));
  }
  const double scaleX = 65535 / box.size.x;
  const double scaleY = 65535 / box.size.y;
  const double scaleZ = 65535 / box.size.z;
  const auto share = [](double value) { return static_cast<uint16_t>(std::clamp(value + 0.5, 0.0, 65535.0)); };
  char* const places = out->data() + kHeader;
  char* const states = places + size_t{8} * count;
  for (size_t i = 0; i < persons.size(); ++i) {
    const FramePerson& p = persons[i];
    const uint32_t slot = slots.slots()[i];
    char* place = places + size_t{8} * slot;
    put(place, share((p.position.x - box.min.x) * scaleX));
    put(place, share((p.position.y - box.min.y) * scaleY));
    put(place, share((p.position.z - box.min.z) * scaleZ));
    const float turn = std::atan2(static_cast<float>(p.heading.y), static_cast<float>(p.heading.x)) *
                       (128 / std::numbers::pi_v<float>);
    put(place, static_cast<uint8_t>(static_cast<int>(turn + 256.5F) & 255));
    put(place, byteOf(50 * std::sqrt(p.velocity.x * p.velocity.x + p.velocity.y * p.velocity.y)));
    char* state = states + size_t{4} * slot;
    put(state, byteOf(32 * p.density));
    put(state, byteOf(2 * p.waited));
    put(state, static_cast<uint8_t>(std::min(p.layer, 255U)));
    put(state, p.state);
  }
  return out;
}

Bytes encodePeople(uint32_t run, std::span<const FramePerson> persons, std::span<const SlotTable::Change> changes) {
  auto out = std::make_shared<std::string>(16 + 12 * changes.size(), '\0');
  char* at = out->data();
  for (const uint32_t word : {2U, static_cast<uint32_t>(changes.size()), run, 0U}) put(at, word);
  for (const SlotTable::Change& change : changes) {
    const FramePerson& p = persons[change.person];
    put(at, change.slot);
    put(at, p.id);
    put(at, p.profile);
    put(at, p.goal);
    put(at, static_cast<uint16_t>(std::clamp(1000 * p.radius, 0.0F, 65535.0F)));
  }
  return out;
}

}  // namespace wend::serve
