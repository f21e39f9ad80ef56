#pragma once

#include <utility>
#include <vector>

#include <wend/generator.h>

// Automatic Path Node Generation, as Hale (2011) describes it: the walkable surface is cut into triangles, a box grows
// from the centre of each by the rules of `sfv`, and boxes that another one contains are dropped. Boxes do not stop
// each other, so they overlap: the traits say so, and planners that need disjoint cells refuse the mesh. Approximate.
namespace wend::apng {

struct Settings {
  double step = 0.25;   // metres, 0.001 to 1e4: how far a side moves per turn
  double reach = 1000;  // metres, 0.01 to 1e5: a side moves no farther than this from its seed
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

// The pairs of cells between which one can walk straight: they overlap in more than `width` metres both ways, or share
// that much of a side. Within a layer.
std::vector<std::pair<CellId, CellId>> links(const NavMesh& mesh, double width);

Generator entry();

}  // namespace wend::apng
