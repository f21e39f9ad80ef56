#include "crowd/contact.h"

#include <algorithm>

#include "crowd/local/symmetry.h"

namespace wend {
namespace {

struct Touch {
  Vec2f normal;     // from the other to i
  float depth = 0;  // not above 0: they do not touch
};

Touch touch(const Neighbours& neighbours, const Agents& agents, uint32_t i, uint32_t j) {
  const Vec2f w = neighbours.between(i, j);
  const float sum = agents.radius[i] + agents.radius[j];
  // Most are near without touching: no root for them.
  constexpr float kRounding = 1.00001F;
  if (dot(w, w) > kRounding * sum * sum) return {};
  const float d = length(w);
  const float depth = sum - d;
  if (d > 1e-6F) return {w * (-1 / d), depth};
  return {apart(agents.id[i], agents.id[j]), depth};
}

}  // namespace

Vec2f contactAcceleration(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts,
                          float step) {
  Vec2f sum;
  const float mass = massOf(agents.radius[i]);
  for (const uint32_t j : contacts.all()) {
    const Touch t = touch(neighbours, agents, i, j);
    if (!(t.depth > 0)) continue;
    // The stiffness of the lighter one serves both: forces of a pair are equal and opposite.
    const float lighter = std::min(mass, massOf(agents.radius[j]));
    sum = sum + t.normal * (contactStiffness(lighter, step) * t.depth);
  }
  return sum * (1 / mass);
}

Vec2f separation(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts) {
  Vec2f sum;
  int count = 0;
  for (const uint32_t j : contacts.all()) {
    const Touch t = touch(neighbours, agents, i, j);
    if (!(t.depth > 0)) continue;
    // A disk of a body does not step aside.
    sum = sum + t.normal * ((agents.motion[j].isDriven ? 1.0F : 0.5F) * t.depth);
    ++count;
  }
  return sum * (1 / std::max(1.0F, 0.5F * static_cast<float>(count)));
}

void addOverlaps(const Neighbours& neighbours, const Agents& agents, uint32_t i, const ContactList& contacts,
                 Overlap& overlap) {
  for (const uint32_t j : contacts.all()) {
    if (agents.id[j] < agents.id[i] || agents.motion[i].isDriven || agents.motion[j].isDriven) continue;
    const Touch t = touch(neighbours, agents, i, j);
    if (!(t.depth > 0)) continue;
    overlap.deepest = std::max(overlap.deepest, t.depth);
    overlap.sum += t.depth;
    ++overlap.pairs;
  }
}

}  // namespace wend
