#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include <wend/lattice.h>

// Frames of a crowd for the page: 12 bytes per person, in the form in which a graphics card reads them.
//
// A person has a slot from its first frame to its last; slots are used again, the lowest first. A frame holds all slots
// up to the last used one, so that the page finds a person of the frame before in the same slot, and draws it between
// both.
//
//   frame  u32 kind = 1, u32 slots, u32 run, u32 number, f64 time,
//          f32 min x, y, z, f32 size x, y, z                            48 bytes
//          per slot: u16 x, u16 y, u16 z (shares of the size), u8 heading (256ths of a turn), u8 speed (1/50 m/s)
//          per slot: u8 density (1/32 person per m2), u8 waiting (1/2 s), u8 layer, u8 state (0: the slot is empty)
//   people u32 kind = 2, u32 entries, u32 run, u32 0;
//          per entry: u32 slot, u32 person, u8 profile, u8 goal, u16 radius (mm)
namespace wend::serve {

struct FramePerson {
  uint32_t id = 0;
  Vec3 position;
  Vec2 velocity;
  Vec2 heading;
  uint32_t layer = 0;
  uint8_t profile = 0;
  uint8_t goal = 255;  // 255: none
  uint8_t state = 1;   // 1 walks, 2 has not begun, 3 waits or stands in line, 4 has arrived
  float radius = 0.24F;
  float density = 0;  // persons per m2
  float waited = 0;   // s
};

// The box that positions are shares of.
struct FrameBox {
  Vec3 min;
  Vec3 size{1, 1, 1};
};

class SlotTable {
 public:
  struct Change {
    uint32_t slot = 0;
    size_t person = 0;  // index into the persons given
  };
  // The slots of persons in ascending order of ids. Those that were there before keep theirs; `changed` lists the
  // others, and those whose goal changed. O(n).
  void update(std::span<const FramePerson> persons, std::vector<Change>& changed);
  std::span<const uint32_t> slots() const { return slots_; }  // one per person of the last update
  uint32_t size() const { return size_; }                     // slots that a frame holds
  // The index of the person in a slot, or kNone.
  uint32_t personAt(uint32_t slot) const;

 private:
  std::vector<uint32_t> ids_;  // of the last update
  std::vector<uint32_t> slots_;
  std::vector<uint8_t> goals_;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free_;
  uint32_t size_ = 0;
};

using Bytes = std::shared_ptr<const std::string>;

Bytes encodeFrame(uint32_t run, uint32_t number, double time, const FrameBox& box, std::span<const FramePerson> persons,
                  const SlotTable& slots);
Bytes encodePeople(uint32_t run, std::span<const FramePerson> persons, std::span<const SlotTable::Change> changes);

}  // namespace wend::serve
