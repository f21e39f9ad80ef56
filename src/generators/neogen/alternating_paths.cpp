#include "generators/neogen/alternating_paths.h"

#include <algorithm>

#include "generators/neogen/area_of_interest.h"
#include "generators/neogen/simple_cells.h"

namespace wend::neogen {
namespace {

using Half = Subdivision::Half;

constexpr int kExchanges = 16;
// Edges that a notch looks through, and notches that one search enters.
constexpr size_t kSight = 16;
constexpr size_t kEntered = 128;

class Exchanger {
 public:
  Exchanger(Subdivision& subdivision, bool relaxed)
      : subdivision_(subdivision), relaxed_(relaxed), query_(subdivision), simpleCells_(subdivision) {}

  // True if a portal was saved.
  bool save(Half portal) {
    const bool atOrigin = subdivision_.neededAtOrigin(portal);
    if (atOrigin == subdivision_.neededAtOrigin(portal ^ 1)) return false;
    const uint32_t notch = atOrigin ? subdivision_.origin(portal) : subdivision_.target(portal);
    const Subdivision::Removed removed = subdivision_.unmark(portal);
    subdivision_.forgetFlips();
    entered_.clear();
    changed_.clear();
    touched_ = {subdivision_.origin(portal), subdivision_.target(portal)};
    if (resolve(notch, kExchanges)) return true;
    subdivision_.remark(removed);
    return false;
  }
  // The portals that the last success made.
  const std::vector<Half>& changed() const { return changed_; }

 private:
  bool resolve(uint32_t notch, int exchanges) {
    entered_.push_back(notch);
    const Half corner = subdivision_.notchCorner(notch);
    const auto seen = query_.vertices(corner, kSight);
    const std::vector<uint32_t> partners(seen.begin(), seen.end());
    for (const uint32_t partner : partners) {
      if (!subdivision_.isReflexOnBoundary(partner)) continue;
      // The portals of the partner, each as it leaves it.
      for (Half in = subdivision_.before(subdivision_.wallFrom(partner)); subdivision_.isPortal(in);) {
        const Half following = subdivision_.before(in ^ 1);
        if (exchange(corner, partner, in ^ 1, exchanges)) return true;
        in = following;
      }
    }
    return false;
  }

  // Joins the corner to the partner instead of the partner's portal.
  bool exchange(Half corner, uint32_t partner, Half portal, int exchanges) {
    if (!subdivision_.neededAtOrigin(portal)) return false;
    const uint32_t rest = subdivision_.target(portal);
    const bool last = !subdivision_.neededAtOrigin(portal ^ 1);
    if (rest == subdivision_.origin(corner)) return false;
    if (!last && (exchanges == 0 || entered_.size() >= kEntered ||
                  std::find(entered_.begin(), entered_.end(), rest) != entered_.end())) {
      return false;
    }
    const Subdivision::Removed removed = subdivision_.unmark(portal);
    const Half opposite = subdivision_.notchCorner(partner);
    if (subdivision_.inAreaOfInterest(opposite, subdivision_.start(corner))) {
      const size_t flips = subdivision_.flipCount();
      const Half made = subdivision_.connect(corner, partner);
      if (made != kNone) {
        changed_.push_back(made);
        touched_.insert(touched_.end(), {partner, rest});
        const bool resolved = subdivision_.notchCorner(rest) == kNone;
        if (resolved ? staysSimple() : !last && resolve(rest, exchanges - 1)) return true;
        changed_.pop_back();
        touched_.resize(touched_.size() - 2);
        subdivision_.disconnect(made, flips);
      }
    }
    subdivision_.remark(removed);
    return false;
  }

  bool staysSimple() {
    return !relaxed_ ||
           std::all_of(touched_.begin(), touched_.end(), [&](uint32_t v) { return simpleCells_.around(v); });
  }

  Subdivision& subdivision_;
  bool relaxed_;
  AreaOfInterest query_;
  SimpleCells simpleCells_;
  std::vector<uint32_t> entered_;
  std::vector<uint32_t> touched_;  // ends of the portals taken out and made
  std::vector<Half> changed_;
};

}  // namespace

void exchangePortals(Subdivision& subdivision, bool relaxed, const Context& context) {
  Exchanger exchanger(subdivision, relaxed);
  std::vector<Half> queue = subdivision.portals();
  for (size_t i = 0; i < queue.size(); ++i) {
    if ((i & 0xffU) == 0 && context.cancelled()) return;
    if (!subdivision.isPortal(queue[i]) || !exchanger.save(queue[i])) continue;
    queue.insert(queue.end(), exchanger.changed().begin(), exchanger.changed().end());
  }
}

}  // namespace wend::neogen
