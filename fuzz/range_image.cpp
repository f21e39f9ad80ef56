#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <wend/image/range_image.h>

// Range images: what is read has a height for every pixel, and the filters take it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto image = wend::parseRangeImage({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!image.ok()) return image.error().message.empty() ? (std::abort(), 0) : 0;
  if (image->heights.size() != static_cast<size_t>(image->width) * image->height) std::abort();
  if (image->heights.size() > 65536) return 0;
  wend::NavigableSettings settings;
  settings.lidar = (size & 1U) != 0;
  settings.minArea = 0;
  const auto report = wend::extractNavigable(*image, settings);
  if (report.ok() && report->grid.free.size() != image->heights.size()) std::abort();
  return 0;
}
