#pragma once

#include <array>
#include <memory>

#include <wend/route.h>

// The memory that each kind of query keeps in a PlanScratch between calls. It holds no answers.
namespace wend {

struct ScratchMemory {
  virtual ~ScratchMemory() = default;

  enum Slot : uint8_t { kPoint, kDisk, kCorridor, kWeightedGrid, kSurface, kLength, kSearchMesh, kSlots };

  // The memory of one kind, made on first use.
  template <typename Memory>
  static Memory& of(PlanScratch& scratch, Slot slot) {
    std::unique_ptr<ScratchMemory>& memory = slots(scratch)[slot];
    if (memory == nullptr) memory = std::make_unique<Memory>();
    return static_cast<Memory&>(*memory);
  }

 private:
  static std::array<std::unique_ptr<ScratchMemory>, kSlots>& slots(PlanScratch& scratch);
};

}  // namespace wend
