#include "crowd/local/vision.h"

#include "crowd/local/avoid.h"
#include "crowd/local/vision_lanes.h"

// M. Moussaid, D. Helbing, G. Theraulaz: How simple rules determine pedestrian behavior and crowd disasters (2011).
namespace wend {
namespace {

using Method = LocalChoice (*)(const LocalView&);

LocalChoice baseline(const LocalView& view) {
  return visionInLanes(view);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] LocalChoice avx2(const LocalView& view) {
  return visionInLanes(view);
}
#if defined(__clang__)
#define WEND_AVX512 "avx512f,avx512vl,avx512dq,avx512bw"
#else
#define WEND_AVX512 "avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512"
#endif
[[gnu::target(WEND_AVX512)]] LocalChoice avx512(const LocalView& view) {
  return visionInLanes(view);
}

Method methodFor(VectorWidth width) {
  if (width == VectorWidth::kAvx512) return avx512;
  return width == VectorWidth::kAvx2 ? avx2 : baseline;
}
#else
Method methodFor(VectorWidth) {
  return baseline;
}
#endif

}  // namespace

bool available(VectorWidth width) {
#if defined(__x86_64__)
  if (width == VectorWidth::kAvx2) return __builtin_cpu_supports("avx2") != 0;
  if (width == VectorWidth::kAvx512) {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  }
#endif
  return width == VectorWidth::kBaseline;
}

LocalChoice avoidVisionWith(VectorWidth width, const LocalView& view) {
  return methodFor(width)(view);
}

LocalChoice avoidVision(const LocalView& view) {
  static const Method widest = methodFor(available(VectorWidth::kAvx2) ? VectorWidth::kAvx2 : VectorWidth::kBaseline);
  return widest(view);
}

}  // namespace wend
