#pragma once

#include <memory>
#include <vector>

#include <wend/replan.h>

#include "planning/replan/axis_change.h"
#include "planning/replan/changed_part.h"

// The inside of a WorldChange.
namespace wend {

struct WorldChange::Impl {
  ChangeKind kind = ChangeKind::kMixed;
  bool everything = false;
  std::vector<ChangedPlace> places;
  ChangedPart opened;                      // the places where walls went, metres
  std::shared_ptr<const AxisChange> axis;  // null without a medial axis, or where everything changed
};

struct WorldChangeAccess {
  static const WorldChange::Impl& of(const WorldChange& change) { return *change.impl_; }
};

// How many places a change keeps; more are merged.
inline constexpr size_t kMaxChangedPlaces = 64;

}  // namespace wend
