#include "environment/image/lidar.h"

namespace wend::image {

Heights fillReturns(const Heights& heights, const NavigableSettings& settings, const Context& context) {
  return closeHeights(heights, settings.fill, context);
}

Mask aboveSurroundings(const Heights& heights, const NavigableSettings& settings, const Context& context) {
  const int64_t offset = millimetres(settings.offset);
  return settings.rule == AdaptiveRule::kMean ? aboveMean(heights, settings.window, offset, context)
                                              : aboveLowest(heights, settings.window, offset, context);
}

Mask buildingsOf(const Mask& above, const NavigableSettings& settings, const Context& context) {
  return open(above, settings.opening, context);
}

}  // namespace wend::image
