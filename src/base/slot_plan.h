#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Where blocks go in an array that has no gaps.
namespace wend {

// Blocks of elements lie one behind the other, such as the sides of cells. Some blocks go, others come, and few of
// those that stay shall move. A block that comes takes the slot of one that went if it has as many elements. Slots that
// stay empty are filled with blocks of their size from the end of the array; from the first of these on, the array
// closes up.
struct SlotPlan {
  struct Move {
    uint32_t from;
    uint32_t to;
  };
  std::vector<uint32_t> slotOfItem;  // per block that comes
  std::vector<Move> moves;           // of blocks that stay
  uint32_t slots = 0;                // blocks afterwards
  uint32_t firstMoved = 0;           // slots before this one begin where they did
};

// `gone` ascending. Expected O(gone + items), and the blocks behind firstMoved.
SlotPlan planSlots(uint32_t slots, const std::function<uint32_t(uint32_t slot)>& sizeOf, std::span<const uint32_t> gone,
                   std::span<const uint32_t> itemSizes);

}  // namespace wend
