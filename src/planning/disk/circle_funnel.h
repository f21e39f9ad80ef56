#pragma once

#include <vector>

#include "planning/disk/contact.h"

// A funnel (Lee, Preparata 1984) whose chains hold circles, joined by oriented tangents (Demyen, Buro 2006; Kallmann
// 2014).
namespace wend {

// The left chain, the apex and the right chain lie in one array, the apex in the middle. Each link of a chain keeps the
// direction in which the path comes to it from the link before.
class CircleFunnel {
 public:
  struct Link {
    DiskContact contact;
    Vec2 in;
  };
  // Begins at the last contact of `taut`, and appends those that the path touches.
  CircleFunnel(size_t contacts, std::vector<Link>& chain, std::vector<DiskContact>& taut);

  void add(const DiskContact& contact) {
    if (contact.side < 0) {
      addRight(contact);
    } else {
      addLeft(contact);
    }
  }
  // Both ends of a portal. Circles stand off the portal's line, so one end may move the apex to a contact that the
  // other end makes obsolete: the end that moves nothing goes first. But where the path has to turn at the near end to
  // come to the far one, the near end goes first, while the contacts before it are still there.
  void addPortal(const DiskContact& left, const DiskContact& right);
  // The path ends there: a goal (side 0), or a contact that it is known to touch.
  void finish(const DiskContact& end);

 private:
  void addRight(const DiskContact& p);
  void addLeft(const DiskContact& p);
  // With `way` leading from the last left link, which stays, to p.
  void addLeft(const DiskContact& p, Vec2 way);
  // The path turns at p before it comes to the other chain, which begins with `first`.
  void turnFirst(const DiskContact& p, Link& first);
  void extend(size_t i, const DiskContact& p) {
    chain_[i].contact.lastStage = std::max(chain_[i].contact.lastStage, p.lastStage);
    if (i == apex_) taut_.back().lastStage = chain_[i].contact.lastStage;
  }

  std::vector<Link>& chain_;
  std::vector<DiskContact>& taut_;
  size_t left_, right_, apex_;
};

}  // namespace wend
