// From a drawing to a route and a picture.
#include <cstdio>

#include <wend/wend.h>

int main() {
  wend::EnvironmentDraft plan;
  plan.layers.resize(1);
  plan.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 6}, {0, 6}}}};  // a room of 10 x 6 m
  plan.layers[0].obstacles = {{{{4, 0}, {5, 0}, {5, 4}, {4, 4}}}};   // and a wall in it
  const auto world = wend::buildEnvironment(plan);
  if (!world.ok()) return std::puts(world.error().message.c_str()), 1;

  const auto mesh = wend::generate(*world, {.generator = "hertel-mehlhorn"});
  if (!mesh.ok()) return std::puts(mesh.error().message.c_str()), 1;

  const wend::Planner planner(*mesh);  // shared by all threads
  wend::PlanScratch scratch;           // one per thread
  wend::Route route;
  if (planner.plan({.from = {1, 1}, .to = {9, 1}}, scratch, route) != wend::PathStatus::kFound) return 1;
  std::printf("%u cells, route of %.3f m over %zu points\n", mesh->cellCount(), route.length, route.points.size());

  const auto picture = wend::drawMesh(*mesh, {&route, 1});
  return picture.ok() && wend::writeFile("quick_start.svg", *picture).ok() ? 0 : 1;
}
