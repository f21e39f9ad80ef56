// Fills a small house with volumes, finds a path through them, and writes a section and a 3D file.
#include <cstdio>

#include <wend/wend.h>

int main() {
  const auto made = wend::makeScene({.kind = "s02"});
  if (!made.ok()) return std::puts(made.error().message.c_str()), 1;
  const auto grown = wend::growVolumes(made->scene);
  if (!grown.ok()) return std::puts(grown.error().message.c_str()), 1;
  const wend::VolumeMesh& mesh = grown->mesh;
  std::printf("%u volumes fill %.3f m3\n", mesh.cellCount(), mesh.info().freeVolume->cubicMetres);

  const wend::VolumeLocator locator(mesh);
  wend::VolumeQuery query;
  query.from = {1, 5, 0.5};
  query.to = {9, 5, 0.5};
  const auto route = wend::planVolumes(locator, query);
  if (!route.ok()) return std::puts(route.error().message.c_str()), 1;
  for (const wend::Vec3 p : route->points) std::printf("  %.2f %.2f %.2f\n", p.x, p.y, p.z);

  const auto picture = wend::drawVolumes(mesh, {&*route, 1});
  if (!picture.ok() || !wend::writeFile("volumes.svg", *picture).ok()) return 1;
  return wend::writeScene(wend::cellScene(mesh), "volumes.glb").ok() ? 0 : 1;
}
