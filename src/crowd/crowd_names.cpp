#include <wend/crowd.h>

namespace wend {

const char* eventName(CrowdEventKind kind) {
  switch (kind) {
    case CrowdEventKind::kGoalReached:
      return "goal-reached";
    case CrowdEventKind::kRouteBlocked:
      return "route-blocked";
    case CrowdEventKind::kOvercrowded:
      return "overcrowded";
    case CrowdEventKind::kLostGroup:
      return "lost-group";
    case CrowdEventKind::kDisplaced:
      return "displaced";
    case CrowdEventKind::kRemoved:
      return "removed";
  }
  return "unknown";
}

double CrowdTimes::total() const {
  return replanning + following + neighbours + groups + stream + avoidance + movement + separation + density;
}

}  // namespace wend
