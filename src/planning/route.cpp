#include <wend/route.h>

#include "planning/scratch_memory.h"

namespace wend {

const char* statusName(PathStatus status) {
  switch (status) {
    case PathStatus::kFound:
      return "found";
    case PathStatus::kStartOffMesh:
      return "start-off-mesh";
    case PathStatus::kGoalOffMesh:
      return "goal-off-mesh";
    case PathStatus::kUnreachable:
      return "unreachable";
    case PathStatus::kBadQuery:
      return "bad-query";
    case PathStatus::kUnsupported:
      return "unsupported";
    case PathStatus::kStartTooNear:
      return "start-too-near";
    case PathStatus::kGoalTooNear:
      return "goal-too-near";
  }
  return "unknown";
}

const char* methodName(PathMethod method) {
  switch (method) {
    case PathMethod::kBest:
      return "best";
    case PathMethod::kPolyanya:
      return "polyanya";
    case PathMethod::kAStar:
      return "astar";
    case PathMethod::kDisk:
      return "disk";
    case PathMethod::kCorridor:
      return "corridor";
    case PathMethod::kGraph:
      return "graph";
    case PathMethod::kBreadth:
      return "breadth";
  }
  return "unknown";
}

void Route::clear() {
  cells.clear();
  portals.clear();
  points.clear();
  arcs.clear();
  shrunkPortals.clear();
  path.clear();
  pathLead = 0;
  pathView = 0;
  optimal = false;
  length = 0;
  clearance = 0;
  startMoved = 0;
  goalMoved = 0;
  partial = false;
  missing = 0;
}

struct PlanScratch::Impl {
  std::array<std::unique_ptr<ScratchMemory>, ScratchMemory::kSlots> slots;
};

PlanScratch::PlanScratch() = default;
PlanScratch::~PlanScratch() = default;
PlanScratch::PlanScratch(PlanScratch&&) noexcept = default;
PlanScratch& PlanScratch::operator=(PlanScratch&&) noexcept = default;

std::array<std::unique_ptr<ScratchMemory>, ScratchMemory::kSlots>& ScratchMemory::slots(PlanScratch& scratch) {
  if (scratch.impl_ == nullptr) scratch.impl_ = std::make_unique<PlanScratch::Impl>();
  return scratch.impl_->slots;
}

}  // namespace wend
