#include "mesh/folds.h"

#include <cstddef>
#include <span>

namespace wend {
namespace {

// Whether a piece runs back over the one before it, around some cell: most meshes have no fold.
bool hasFold(std::span<const SidePiece> pieces) {
  for (size_t i = 0, last = 0; i < pieces.size(); i = last + 1) {
    last = i;
    for (; last + 1 < pieces.size() && pieces[last + 1].cell == pieces[i].cell; ++last) {
      if (pieces[last].a == pieces[last + 1].b) return true;
    }
    if (pieces[last].a == pieces[i].b) return true;
  }
  return false;
}

// Calls fold(i, k) for each fold of pieces i and k; where it answers true, both are taken out, which may make another.
// Whether any were.
template <typename Fold>
bool takeOut(std::vector<SidePiece>& pieces, Fold&& fold) {
  if (!hasFold(pieces)) return false;
  std::vector<uint32_t> left;
  std::vector<uint32_t> loop;
  const auto folds = [&](uint32_t i, uint32_t k) {
    return pieces[i].a == pieces[k].b && pieces[i].b == pieces[k].a && fold(i, k);
  };
  for (uint32_t i = 0; i < pieces.size();) {
    const uint32_t cell = pieces[i].cell;
    loop.clear();
    for (; i < pieces.size() && pieces[i].cell == cell; ++i) {
      if (!loop.empty() && folds(loop.back(), i)) {
        loop.pop_back();
      } else {
        loop.push_back(i);
      }
    }
    size_t first = 0;
    while (loop.size() - first >= 2 && folds(loop.back(), loop[first])) {
      loop.pop_back();
      ++first;
    }
    left.insert(left.end(), loop.begin() + static_cast<std::ptrdiff_t>(first), loop.end());
  }
  if (left.size() == pieces.size()) return false;
  std::vector<uint32_t> moved(pieces.size(), kNone);
  for (uint32_t i = 0; i < left.size(); ++i) moved[left[i]] = i;
  std::vector<SidePiece> out;
  out.reserve(left.size());
  for (const uint32_t i : left) {
    out.push_back(pieces[i]);
    if (out.back().twin != kNone) out.back().twin = moved[out.back().twin];
  }
  pieces = std::move(out);
  return true;
}

}  // namespace

bool dropLooseFolds(std::vector<SidePiece>& pieces) {
  return takeOut(pieces, [&](uint32_t i, uint32_t k) {
    return pieces[i].isLoose() && pieces[k].isLoose() && pieces[i].domain == pieces[k].domain;
  });
}

bool closeFolds(std::vector<SidePiece>& pieces) {
  return takeOut(pieces, [&](uint32_t i, uint32_t k) {
    const uint32_t x = pieces[i].twin;
    const uint32_t y = pieces[k].twin;
    if (x == k) return true;
    if (x != kNone) pieces[x].twin = y;
    if (y != kNone) pieces[y].twin = x;
    return true;
  });
}

}  // namespace wend
