#pragma once

#include <string_view>

#include <wend/image/range_image.h>

namespace wend::image {

// kUnsupported if wend was built without libtiff.
Result<RangeImage> readTiff(std::string_view bytes, std::string_view name, const RangeReadSettings& settings,
                            const Context& context);

// A height in metres as whole millimetres; false if it does not fit. NaN and the value of "no return" become kNoReturn.
bool heightOf(double value, const RangeReadSettings& settings, const std::optional<double>& noData, int32_t& out);

// kLimit if a file of so many bytes may not have so many pixels, see RangeReadSettings::maxPixels.
Status checkPixels(size_t width, size_t height, size_t bytes, std::string_view name, const RangeReadSettings& settings);

}  // namespace wend::image
