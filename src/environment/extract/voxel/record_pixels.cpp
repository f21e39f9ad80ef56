#include "environment/extract/voxel/record_pixels.h"

#include <vector>

namespace wend::voxel {
namespace {

struct Run {
  int32_t first = 0;  // pixel within its row
  int32_t last = 0;
  uint32_t from = 0;  // sample
  uint32_t to = 0;
};

}  // namespace

void recordPixels(const Blocks& blocks, const DepthMaps& maps, const Fragments& fragments, const Selection& selection,
                  const Measures& measures, extraction::Record& record) {
  const double side = measures.pixel * measures.unit;
  const auto add = [&](uint32_t block, int32_t row, const Run& run) {
    const double x = (static_cast<double>(blocks.place[block].x) * kBlock + run.first) * side;
    const double far = x + (run.last + 1 - run.first) * side;
    const double y = (static_cast<double>(blocks.place[block].y) * kBlock + row) * side;
    const double low = maps.z[run.from] * measures.unit;
    const double high = maps.z[run.to] * measures.unit;
    record.free.push_back({Vec3{x, y, low}, Vec3{far, y, high}, Vec3{far, y + side, high}});
    record.free.push_back({Vec3{x, y, low}, Vec3{far, y + side, high}, Vec3{x, y + side, low}});
    const bool kept = selection.layer[run.from] != kNone;
    for (int i = 0; i < 2; ++i) {
      record.piece.push_back(fragments.of[run.from]);
      record.fate.push_back(kept ? extraction::Fate::kKept : extraction::Fate::kLeftOut);
    }
  };
  std::vector<Run> open;
  std::vector<Run> next;
  for (uint32_t block = 0; block < blocks.count(); ++block) {
    if (maps.begin[block].empty()) continue;
    for (int32_t row = 0; row < kBlock; ++row) {
      open.clear();
      for (int32_t column = 0; column < kBlock; ++column) {
        next.clear();
        const auto [first, last] = maps.at(block, row * kBlock + column);
        for (uint32_t sample = first; sample < last; ++sample) {
          Run run{column, column, sample, sample};
          for (Run& before : open) {
            if (before.last != column - 1 || fragments.of[before.to] != fragments.of[sample] ||
                maps.facet[before.to] != maps.facet[sample] ||
                (selection.layer[before.to] == kNone) != (selection.layer[sample] == kNone)) {
              continue;
            }
            run.first = before.first;
            run.from = before.from;
            before.last = -2;  // goes on
            break;
          }
          next.push_back(run);
        }
        for (const Run& ended : open) {
          if (ended.last != -2) add(block, row, ended);
        }
        open.swap(next);
      }
      for (const Run& ended : open) add(block, row, ended);
    }
  }
}

}  // namespace wend::voxel
