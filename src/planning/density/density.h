#pragma once

#include <wend/density.h>

// The cost of a route through densities.
namespace wend {

// The cost of a path: the time to walk it, divided by the time for one unit of length without a crowd. At least its
// length. So straight distances are admissible and consistent estimates for every weight.
class DensityCost {
 public:
  // `unit`: metres per unit of length.
  DensityCost(const DensityView& view, double unit)
      : view_(view), reach_(view.view / unit), prepared_(view.map->prepared(view.diagram)) {}

  // Of `length` in a density cell that begins `before` from the start of the path.
  double operator()(uint32_t cell, double length, double before) const {
    if (view_.weight == 0 || before >= reach_) return length;
    const double seen = length <= reach_ - before ? length : reach_ - before;
    return length + view_.weight * seen * (slownessOf(cell) - 1);
  }
  double reach() const { return reach_; }
  const DensityView& view() const { return view_; }

 private:
  double slownessOf(uint32_t cell) const {
    if (prepared_ != nullptr && cell != view_.ownCell && cell != view_.avoided) return prepared_[cell];
    return slownessNow(cell);
  }
  double slownessNow(uint32_t cell) const;

  DensityView view_;
  double reach_;
  const double* prepared_;
};

}  // namespace wend
