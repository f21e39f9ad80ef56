#include "serve/density_grid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wend::serve {
namespace {

// The sum of each square and the eight around it, per layer.
void sumAround(const std::vector<float>& in, uint32_t columns, uint32_t rows, uint32_t layers,
               std::vector<float>& out) {
  std::vector<float> across(in.size());
  const size_t area = size_t{columns} * rows;
  for (size_t row = 0; row < size_t{rows} * layers; ++row) {
    const float* from = in.data() + row * columns;
    float* to = across.data() + row * columns;
    for (uint32_t c = 0; c < columns; ++c) {
      to[c] = from[c] + (c > 0 ? from[c - 1] : 0) + (c + 1 < columns ? from[c + 1] : 0);
    }
  }
  out.resize(in.size());
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t r = 0; r < rows; ++r) {
      const float* here = across.data() + layer * area + size_t{r} * columns;
      float* to = out.data() + layer * area + size_t{r} * columns;
      for (uint32_t c = 0; c < columns; ++c) {
        to[c] = here[c] + (r > 0 ? *(here + c - columns) : 0) + (r + 1 < rows ? *(here + c + columns) : 0);
      }
    }
  }
}

}  // namespace

DensityGrid::DensityGrid(const NavMesh& mesh, const Locator& locator) : layers_(mesh.layerCount()) {
  Vec2 low{HUGE_VAL, HUGE_VAL};
  Vec2 high{-HUGE_VAL, -HUGE_VAL};
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  if (!(low.x < high.x) || layers_ == 0) {
    layers_ = 0;
    return;
  }
  const double area = (high.x - low.x) * (high.y - low.y) * layers_;
  side_ = std::max(1.0, std::sqrt(area / (0.9 * kMaxSquares)));
  min_ = low;
  columns_ = static_cast<uint32_t>((high.x - low.x) / side_) + 1;
  rows_ = static_cast<uint32_t>((high.y - low.y) / side_) + 1;
  // A long thin world: one side alone may need more squares than there are.
  while (size_t{columns_} * rows_ * layers_ > kMaxSquares) {
    side_ *= 1.5;
    columns_ = static_cast<uint32_t>((high.x - low.x) / side_) + 1;
    rows_ = static_cast<uint32_t>((high.y - low.y) / side_) + 1;
  }
  std::vector<float> own(size_t{columns_} * rows_ * layers_, 0);
  isOpen_.assign(own.size(), 0);
  constexpr int kSamples = 2;  // per side of a square
  size_t square = 0;
  for (LayerId layer = 0; layer < layers_; ++layer) {
    for (uint32_t r = 0; r < rows_; ++r) {
      for (uint32_t c = 0; c < columns_; ++c, ++square) {
        int open = 0;
        for (int k = 0; k < kSamples * kSamples; ++k) {
          const Vec2 p{min_.x + (c + (k % kSamples + 0.5) / kSamples) * side_,
                       min_.y + (r + (k / kSamples + 0.5) / kSamples) * side_};
          open += locator.locate(p, layer) != kNone ? 1 : 0;
        }
        isOpen_[square] = open > 0 ? 1 : 0;
        own[square] = static_cast<float>(side_ * side_ * open / (kSamples * kSamples));
      }
    }
  }
  sumAround(own, columns_, rows_, layers_, floor_);
  count_.assign(own.size(), 0);
  density_.assign(own.size(), 0);
}

size_t DensityGrid::squareOf(Vec2 metres, LayerId layer) const {
  const double column = (metres.x - min_.x) / side_;
  const double row = (metres.y - min_.y) / side_;
  if (!(column >= 0 && row >= 0 && column < columns_ && row < rows_) || layer >= layers_) return isOpen_.size();
  return (size_t{layer} * rows_ + static_cast<size_t>(row)) * columns_ + static_cast<size_t>(column);
}

void DensityGrid::measure(std::span<FramePerson> persons) {
  std::fill(count_.begin(), count_.end(), 0.0F);
  for (const FramePerson& p : persons) {
    const size_t square = squareOf({p.position.x, p.position.y}, p.layer);
    if (square < count_.size()) ++count_[square];
  }
  if (!count_.empty()) sumAround(count_, columns_, rows_, layers_, density_);
  for (size_t i = 0; i < density_.size(); ++i) {
    // Less floor than a person stands on counts as that much.
    constexpr float kLeastFloor = 0.5F;
    if (density_[i] > 0) density_[i] /= std::max(floor_[i], kLeastFloor);
  }
  for (FramePerson& p : persons) {
    const size_t square = squareOf({p.position.x, p.position.y}, p.layer);
    p.density = square < density_.size() ? density_[square] : 0;
  }
}

double DensityGrid::densityAt(Vec2 metres, LayerId layer) const {
  const size_t square = squareOf(metres, layer);
  return square < density_.size() ? density_[square] : 0;
}

Bytes DensityGrid::encode() const {
  auto out = std::make_shared<std::string>(32 + density_.size(), '\0');
  const std::array<uint32_t, 4> words{3, layers_, columns_, rows_};
  const std::array<float, 3> numbers{static_cast<float>(min_.x), static_cast<float>(min_.y), static_cast<float>(side_)};
  std::memcpy(out->data(), words.data(), sizeof words);
  std::memcpy(out->data() + 16, numbers.data(), sizeof numbers);
  for (size_t i = 0; i < density_.size(); ++i) {
    const float value = isOpen_[i] == 0 ? 255.0F : std::min(32 * density_[i] + 0.5F, 254.0F);
    (*out)[32 + i] = static_cast<char>(static_cast<uint8_t>(value));
  }
  return out;
}

}  // namespace wend::serve
