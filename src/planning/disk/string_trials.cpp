#include "planning/disk/string_trials.h"

#include "planning/disk/tangent_graph.h"

namespace wend {
namespace {

// How often a string is mended at one bend before all of it is measured.
constexpr int kMends = 4;

}  // namespace

bool StringTrials::pullQuickly() {
  if (pullThinString(table_, tangents_, pieces_, ends_, path_, s_.string, out_) && walk()) return true;
  pullDiskStringOnce(table_, tangents_, pieces_, ends_, path_, s_.string, out_);
  const bool isWalkable = !path_.startOnPortal && !path_.goalOnPortal;
  return isWalkable ? walk() : measure();
}

bool StringTrials::pullSurely() {
  return pullSleeves(SleeveSource::kFaces) || pullSleeves(SleeveSource::kBorders) || mend();
}

bool StringTrials::pullFinely() {
  return pullFineSleeveString(table_, sleeves_, pieces_, ends_, path_, pulling_, s_.sleeve, out_) && measure();
}

bool StringTrials::pullSleeves(SleeveSource source) {
  if (!pullSleeveString(table_, sleeves_, source, pieces_, ends_, path_, pulling_, s_.sleeve, out_)) return false;
  if (measure()) return true;
  limitArcs(table_, path_, s_.sleeve, out_);
  return measure();
}

bool StringTrials::searchTangents() {
  return findDiskTangents(table_, ends_, path_, pulling_, out_) && measure();
}

// As a rule a wall near an end is missing, and nothing else.
bool StringTrials::mend() {
  if (path_.startOnPortal || path_.goalOnPortal) return false;
  pullDiskStringOnce(table_, tangents_, pieces_, ends_, path_, s_.string, out_);
  if (walk()) return true;
  for (int i = 0; i < kMends; ++i) {
    if (!mendDiskString(table_, pieces_, ends_, path_, reached_, pulling_, s_.string, out_)) return false;
    if (measure()) return true;
  }
  return false;
}

}  // namespace wend
