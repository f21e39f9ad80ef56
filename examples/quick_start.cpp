// From a drawing to a route for a disk.
#include <cstdio>

#include <wend/wend.h>

int main() {
  wend::EnvironmentDraft plan;
  plan.layers.resize(1);
  plan.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 6}, {0, 6}}}};  // a room of 10 x 6 m
  plan.layers[0].obstacles = {{{{4, 0}, {5, 0}, {5, 4}, {4, 4}}}};   // and a wall in it
  const auto environment = wend::buildEnvironment(plan);
  if (!environment.ok()) return std::puts(environment.error().message.c_str()), 1;
  const auto world = wend::bake(*environment);
  if (!world.ok()) return std::puts(world.error().message.c_str()), 1;

  const wend::Navigator navigator = wend::makeNavigator(*world);  // shared by all threads
  wend::PlanScratch scratch;                                      // one per thread
  wend::Route route;
  const wend::PathQuery query{.from = {1, 1}, .to = {9, 1}, .radius = 0.3};
  if (navigator.plan(query, scratch, route) != wend::PathStatus::kFound) return 1;
  std::printf("%u cells, route of %.3f m for a radius of 0.3 m\n", world->mesh().cellCount(), route.length);
}
