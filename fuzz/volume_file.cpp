#include <wend/file.h>
#include <wend/volume/volume_mesh.h>

#include "check_environment.h"

// The loader of .wvol files. In this build it takes any hash for right, so that mutations reach the checks behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const Result<VolumeMesh> mesh = parseVolumes({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!mesh.ok()) {
    if (mesh.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  const Result<std::string> bytes = serialiseVolumes(*mesh);
  if (!bytes.ok()) fuzz::complain("loaded volumes cannot be saved: " + bytes.error().message);
  const Result<VolumeMesh> again = parseVolumes(asBytes(*bytes), "fuzz");
  if (!again.ok() || hash(*again) != hash(*mesh)) fuzz::complain("saved volumes do not load as they were");
  if (!checkVolumes(*mesh, 1).empty()) return 0;

  // A mesh without faults can be used: the middle of each gateway lies in a volume, but for rounding.
  const VolumeLocator locator(*mesh);
  for (VolumeId c = 0; c < mesh->cellCount(); ++c) {
    VolumeQuery query;
    query.from = mesh->centre(c);
    query.to = mesh->centre(0);
    (void)planVolumes(locator, query);
  }
  (void)sliceVolumes(*mesh, 2, mesh->low(0).z);
  (void)standingPlaces(*mesh);
  return 0;
}
