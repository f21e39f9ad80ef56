#include <algorithm>
#include <array>

#include "crowd/local/avoid.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"

// I. Karamouzas, P. Heil, P. van Beek, M. Overmars: A predictive collision avoidance model for pedestrian simulation
// (2009). Evasive forces from the contacts that the wanted velocity would lead to.
namespace wend {
namespace {

constexpr float kTau = 0.4F;                        // s
constexpr float kAnticipation = 3;                  // s
constexpr float kPersonal = 1;                      // m, radius that others should keep out of
constexpr float kForce = 3;                         // m/s^2
constexpr float kNear = 1, kMiddle = 8, kFar = 10;  // m
constexpr float kDamping = 0.8F;                    // for each later contact
constexpr uint32_t kContacts = 5;
constexpr float kCosineOfView = -0.17364818F;  // 100 degrees to each side
constexpr float kWallDistance = 0.5F;          // m; more reaches across doors
constexpr float kWallFarewell = 0.3F;          // m/s; a wall pushes no agent away faster than this
constexpr float kMostAcceleration = 20;        // m/s^2

struct Contact {
  float time;
  uint32_t neighbour;
};

Vec2f pushedByWalls(const LocalView& view, Vec2f velocity) {
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    const float distance = length(w);
    const float depth = kWallDistance + view.radius - distance;
    if (depth <= 0) continue;
    const Vec2f away = direction(-w, leftOf(view.walls[i].along));
    const float gap = std::max(distance - view.radius, 0.01F);
    const float most = std::max(0.0F, kWallFarewell - dot(velocity, away));
    velocity = velocity + away * std::min(view.step * depth / (gap * gap), most);
  }
  return velocity;
}

// Those in the personal space now, all around and however many; if there is none, the earliest contacts to come with
// people in view, at most kContacts.
struct Contacts {
  std::array<Contact, kAvoidNeighbours> found;
  uint32_t count = 0;
  bool now = false;
};

Contacts contactsOf(const LocalView& view, const Intent& intent, Vec2f velocity) {
  Contacts contacts;
  // A jam does without personal space.
  const float own = kPersonal + (view.radius - kPersonal) * view.stuck;
  const uint32_t neighbours = avoidedCount(view);
  for (uint32_t j = 0; j < neighbours; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    const float reach = intent.shrink * (own + view.r[j]);
    if (avoids(view, j) && dot(w, w) < reach * reach) contacts.found[contacts.count++] = {0, j};
  }
  contacts.now = contacts.count > 0;
  if (contacts.now) return contacts;
  for (uint32_t j = 0; j < neighbours; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!avoids(view, j) || dot(w, intent.heading) < kCosineOfView * length(w)) continue;
    const float reach = intent.shrink * (own + view.r[j]);
    const float time = timeToContact(w, velocity - Vec2f{view.vx[j], view.vy[j]}, reach);
    if (!(time < kAnticipation)) continue;
    uint32_t at = std::min(contacts.count, kContacts - 1);
    if (contacts.count == kContacts && time >= contacts.found[at].time) continue;
    for (; at > 0 && contacts.found[at - 1].time > time; --at) contacts.found[at] = contacts.found[at - 1];
    contacts.found[at] = {time, j};
    contacts.count = std::min(contacts.count + 1, kContacts);
  }
  return contacts;
}

float magnitude(float distance) {
  if (distance < kNear) return kForce * std::min(kNear / std::max(distance, 1e-3F), 4.0F);
  if (distance < kMiddle) return kForce;
  return distance < kFar ? kForce * (kFar - distance) / (kFar - kMiddle) : 0;
}

}  // namespace

LocalChoice avoidPredictive(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  if (intent.speed == 0) return {};
  const Vec2f goal = (intent.heading * intent.speed - view.velocity) * (std::min(view.step / kTau, 1.0F));
  const Vec2f wanted = pushedByWalls(view, view.velocity + goal);

  const Contacts contacts = contactsOf(view, intent, wanted);
  Vec2f force;
  float weight = 1;
  for (uint32_t n = 0; n < contacts.count; ++n) {
    const auto [time, j] = contacts.found[n];
    const Vec2f w = Vec2f{view.wx[j], view.wy[j]} + (Vec2f{view.vx[j], view.vy[j]} - wanted) * time;
    const float gap = std::max(0.0F, length(w) - view.radius - view.r[j]);
    const float distance = length(wanted) * time + gap;
    // Nothing at the end of the anticipation: with a step there, agents that start in a file hold each other at rest.
    const float near = weight * (1 - time / kAnticipation);
    force = force + direction(-w, direction(leftOf(wanted), leftOf(intent.heading))) * (magnitude(distance) * near);
    if (!contacts.now) weight *= kDamping;
  }
  const float strength = length(force);
  if (strength > kMostAcceleration) force = force * (kMostAcceleration / strength);
  Vec2f velocity = wanted + force * view.step;
  const float speed = length(velocity);
  if (speed > view.maxSpeed) velocity = velocity * (view.maxSpeed / speed);
  return {velocity, sideOf(intent.heading, velocity), true};
}

}  // namespace wend
