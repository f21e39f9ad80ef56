#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <wend/recording.h>

// Overlaps of persons over time. A collision is a run of samples in which two disks overlap by more than a millimetre.
namespace wend {

class OverlapCount {
 public:
  // `index` gives the place of an id in `persons`.
  void look(std::span<const RecordedPosition> positions, const std::vector<RecordedPerson>& persons,
            const std::unordered_map<uint32_t, size_t>& index);
  uint64_t collisions() const { return collisions_; }
  double deepest() const { return deepest_; }
  double deepestShare() const { return deepestShare_; }

 private:
  std::unordered_set<uint64_t> touching_;  // pairs of the last sample
  std::unordered_set<uint64_t> now_;
  std::vector<std::pair<uint64_t, uint32_t>> cells_;  // cell, position
  uint64_t collisions_ = 0;
  double deepest_ = 0;
  double deepestShare_ = 0;
};

}  // namespace wend
