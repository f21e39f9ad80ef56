#include <wend/crowd.h>

namespace wend {

const char* methodName(RouteMethod method) {
  switch (method) {
    case RouteMethod::kShort:
      return "short";
    case RouteMethod::kMedial:
      return "medial";
    case RouteMethod::kLeft:
      return "left";
    case RouteMethod::kRight:
      return "right";
    case RouteMethod::kSide:
      return "side";
    case RouteMethod::kWeighted:
      return "weighted";
    case RouteMethod::kFastest:
      return "fastest";
    case RouteMethod::kTable:
      return "table";
  }
  return "unknown";
}

const char* methodName(FollowMethod method) {
  switch (method) {
    case FollowMethod::kIrm:
      return "irm";
    case FollowMethod::kMiran:
      return "miran";
    case FollowMethod::kWaypoints:
      return "waypoints";
    case FollowMethod::kCentres:
      return "centres";
  }
  return "unknown";
}

const char* methodName(AvoidMethod method) {
  switch (method) {
    case AvoidMethod::kVision:
      return "vision";
    case AvoidMethod::kKaramouzas:
      return "karamouzas";
    case AvoidMethod::kPredictive:
      return "predictive";
    case AvoidMethod::kPowerLaw:
      return "power-law";
    case AvoidMethod::kOrca:
      return "orca";
    case AvoidMethod::kSocialForce:
      return "social-force";
    case AvoidMethod::kSpeed:
      return "speed";
    case AvoidMethod::kNone:
      return "none";
    case AvoidMethod::kSocialForce1995:
      return "social-force-1995";
    case AvoidMethod::kAnticipation:
      return "avm";
    case AvoidMethod::kSpeedTurn:
      return "speed-turn";
  }
  return "unknown";
}

}  // namespace wend
