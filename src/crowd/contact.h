#pragma once

#include "crowd/neighbours/neighbours.h"

// What happens when disks touch: a force while they walk, and a projection afterwards that pushes them apart.
namespace wend {

// M. Moussaid, D. Helbing, G. Theraulaz (2011): F = k * overlap, with walls too. Explicit steps diverge above
// m / (2 step^2), so the stiffness is limited to that.
inline constexpr float kContactStiffness = 5e3F;  // kg / s2
inline float contactStiffness(float mass, float step) {
  const float limit = 0.5F * mass / (step * step);
  return kContactStiffness < limit ? kContactStiffness : limit;
}
// m = 320 kg per metre of radius: 77 kg for the default disk.
inline float massOf(float radius) {
  return 320 * radius;
}

// Acceleration of i by those it overlaps, m/s2.
Vec2f contactAcceleration(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts,
                          float step);

// How i has to move so that overlaps vanish if everyone does likewise, metres: one Jacobi sweep. Nothing where there is
// no overlap.
Vec2f separation(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts);

// Overlaps of i with those of larger id.
struct Overlap {
  float deepest = 0;  // metres
  double sum = 0;
  uint64_t pairs = 0;
};
void addOverlaps(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts,
                 Overlap& overlap);

}  // namespace wend
