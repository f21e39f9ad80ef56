#include <wend/replan.h>

namespace wend {

const char* methodName(ReplanMethod method) {
  switch (method) {
    case ReplanMethod::kOdpa:
      return "odpa";
    case ReplanMethod::kDpa:
      return "dpa";
    case ReplanMethod::kLocal:
      return "local";
    case ReplanMethod::kAStar:
      return "astar";
  }
  return "unknown";
}

const char* triggerName(ReplanTrigger trigger) {
  switch (trigger) {
    case ReplanTrigger::kInstant:
      return "instant";
    case ReplanTrigger::kSight:
      return "sight";
    case ReplanTrigger::kNextEdge:
      return "next-edge";
  }
  return "unknown";
}

}  // namespace wend
