#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <wend/lattice.h>

namespace wend {

// Finds equal places in a list of vertices: open addressing over their ids, 8 to 16 bytes per vertex beside the list.
class VertexTable {
 public:
  // The id of the vertex at `p`, which is appended if there is none. NaN must not come here: it equals nothing.
  uint32_t findOrAppend(std::vector<Vec3>& vertices, Vec3 p) {
    if ((vertices.size() + 1) * 2 > slots_.size()) grow(vertices);
    const size_t slot = place(vertices, p);
    if (slots_[slot] == kNone) {
      slots_[slot] = static_cast<uint32_t>(vertices.size());
      vertices.push_back(p);
    }
    return slots_[slot];
  }

 private:
  size_t place(const std::vector<Vec3>& vertices, Vec3 p) const {
    uint64_t key = 0;
    for (const double value : {p.x, p.y, p.z}) {
      // + 0.0: minus zero equals zero.
      key = (key ^ std::bit_cast<uint64_t>(value + 0.0)) * 0x9e3779b97f4a7c15ULL;
      key ^= key >> 32;
    }
    const size_t mask = slots_.size() - 1;
    size_t slot = static_cast<size_t>(key) & mask;
    while (slots_[slot] != kNone && !(vertices[slots_[slot]] == p)) slot = (slot + 1) & mask;
    return slot;
  }

  void grow(const std::vector<Vec3>& vertices) {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, kNone);
    for (uint32_t id = 0; id < vertices.size(); ++id) {
      const size_t slot = place(vertices, vertices[id]);
      if (slots_[slot] == kNone) slots_[slot] = id;
    }
  }

  std::vector<uint32_t> slots_;  // power of two, at most half full
};

}  // namespace wend
