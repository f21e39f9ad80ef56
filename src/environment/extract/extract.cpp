#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include <wend/extract.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "environment/extract/exact/exact.h"
#include "environment/extract/record.h"
#include "environment/extract/voxel/voxel.h"
#include "scene/boxed_bodies.h"

namespace wend {
namespace {

// Areas of small scenes want a fine lattice: on 100 m2 a micrometre is 1e-7 of the area, the tenth of a millimetre
// 1e-5. Tolerances are a number of units at least, so nothing coarser than that is chosen unasked. A quarter of the
// reach leaves room for the environment to be moved, and for points beside it.
Lattice latticeFor(const Scene& scene) {
  double far = 0;
  for (const Vec3& v : scene.vertices) far = std::max({far, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  for (const Lattice lattice : {Lattice{1e-6}, Lattice{1e-5}}) {
    if (far <= 0.25 * lattice.reach()) return lattice;
  }
  return {};
}

Status checkVoxelSettings(const VoxelSettings& s, double unit) {
  const auto error = [](const std::string& sentence) { return Error{ErrorCode::kInvalidSettings, sentence}; };
  if (!(s.resolution >= 2 * unit && s.resolution <= 10)) {
    return error(fmt::format("the resolution is {:g} m; it must be within {:g} (two lattice units) to 10 m",
                             s.resolution, 2 * unit));
  }
  if (!(s.width == 0 || (s.width >= s.resolution && s.width <= 64 * s.resolution))) {
    return error(fmt::format("the voxel width is {:g} m; it must be 0 or within {:g} to {:g} m (1 to 64 pixels)",
                             s.width, s.resolution, 64 * s.resolution));
  }
  if (!(s.simplify >= 0 && s.simplify <= 8)) {
    return error(fmt::format("borders are simplified within {:g} pixels; it must be 0 to 8", s.simplify));
  }
  if (!(s.turn >= 0 && s.turn <= 180)) {
    return error(fmt::format("the turn is {:g} degrees; it must be within 0 to 180", s.turn));
  }
  return Done{};
}

Status checkSettings(const ExtractSettings& s) {
  const auto error = [](const std::string& sentence) { return Error{ErrorCode::kInvalidSettings, sentence}; };
  if (!(s.lattice.unit >= 1e-6 && s.lattice.unit <= 1)) {
    return error(fmt::format("the lattice unit is {:g} m; it must be 0 (chosen by the scene) or within 1e-6 to 1 m",
                             s.lattice.unit));
  }
  if (!(s.height >= 0.01 && s.height <= 1000)) {
    return error(fmt::format("the height is {:g} m; it must be within 0.01 to 1000 m", s.height));
  }
  if (!(s.step >= 0 && s.step < s.height)) {
    return error(
        fmt::format("the step is {:g} m; it must be at least 0 and below the height, {:g} m", s.step, s.height));
  }
  if (!(s.slope >= 0 && s.slope <= 89)) {
    return error(fmt::format("the slope is {:g} degrees; it must be within 0 to 89", s.slope));
  }
  if (!(s.slopeSlack >= -5 && s.slopeSlack <= 5)) {
    return error(fmt::format("the slack of the slope is {:g} degrees; it must be within -5 to 5", s.slopeSlack));
  }
  if (!(s.simplify >= 0 && s.simplify <= 1)) {
    return error(fmt::format("borders are simplified within {:g} m; it must be within 0 to 1 m", s.simplify));
  }
  if (!(s.boxes >= 0 && s.boxes <= 100)) {
    return error(fmt::format("bodies up to {:g} m become boxes; it must be within 0 to 100 m", s.boxes));
  }
  if (!(s.gap >= 0 && s.gap <= 1)) return error(fmt::format("the gap is {:g} m; it must be within 0 to 1 m", s.gap));
  if (!(s.minArea >= 0 && std::isfinite(s.minArea))) {
    return error(fmt::format("the smallest area is {:g} m2; it must be at least 0", s.minArea));
  }
  return s.method == ExtractMethod::kVoxel ? checkVoxelSettings(s.voxel, s.lattice.unit) : Done{};
}

Result<Extraction> run(const Scene& scene, const ExtractSettings& settings, const Context& context,
                       extraction::Record* record) {
  switch (settings.method) {
    case ExtractMethod::kExact:
      return exact::extract(scene, settings, context, exact::Look::kWanted, record);
    case ExtractMethod::kVoxel:
      return voxel::extract(scene, settings, context, record);
  }
  return Error{ErrorCode::kInvalidSettings, "there is no such method of extraction"};
}

Result<Extraction> extractAny(const Scene& scene, const ExtractSettings& given, const Context& context,
                              extraction::Record* record) {
  ExtractSettings settings = given;
  if (settings.lattice.unit == 0) settings.lattice = latticeFor(scene);
  if (Status status = checkSettings(settings); !status.ok()) return status.error();
  try {
    BoxedScene boxed;
    if (settings.boxes > 0) boxed = withBoxes(scene, settings.boxes);
    Result<Extraction> result = run(settings.boxes > 0 ? boxed.scene : scene, settings, context, record);
    if (result.ok()) result->report.boxedBodies = boxed.bodies;
    if (record != nullptr && settings.boxes > 0) record->facetOf.clear();
    WEND_ASSERT(!result.ok() || validate(result->environment, 1).empty(), "an extracted environment is valid");
    return result;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "not enough memory for this scene; cut it into smaller ones"};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, fmt::format("extracting the walkable surfaces failed: {}", e.what())};
  }
}

}  // namespace

Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context) {
  return extractAny(scene, settings, context, nullptr);
}

Result<Extraction> extraction::extractWithRecord(const Scene& scene, const ExtractSettings& settings,
                                                 const Context& context, Record& record) {
  record = {};
  return extractAny(scene, settings, context, &record);
}

}  // namespace wend
