#include "crowd/local/avoid.h"

namespace wend {

LocalChoice avoid(AvoidMethod method, const LocalView& view) {
  switch (method) {
    case AvoidMethod::kVision:
      return avoidVision(view);
    case AvoidMethod::kKaramouzas:
      return avoidKaramouzas(view);
    case AvoidMethod::kPredictive:
      return avoidPredictive(view);
    case AvoidMethod::kPowerLaw:
      return avoidPowerLaw(view);
    case AvoidMethod::kOrca:
      return avoidOrca(view);
    case AvoidMethod::kSocialForce:
      return avoidSocialForce(view);
    case AvoidMethod::kSpeed:
      return avoidSpeed(view);
    case AvoidMethod::kSocialForce1995:
      return avoidSocialForce1995(view);
    case AvoidMethod::kAnticipation:
      return avoidAnticipation(view);
    case AvoidMethod::kSpeedTurn:
      return avoidSpeedTurn(view);
    case AvoidMethod::kNone:
      break;
  }
  return {view.preferred, 0, false};
}

bool looksAround(AvoidMethod method) {
  return method != AvoidMethod::kVision && method != AvoidMethod::kKaramouzas && method != AvoidMethod::kNone;
}

}  // namespace wend
