#pragma once

#include <optional>
#include <vector>

#include <wend/environment.h>

#include "draw/page.h"
#include "environment/heights.h"

// Lines as they lie on a layer's height field: straight from above, bent by the hills between their ends.
namespace wend {

class Drape {
 public:
  // The field and the page must outlive this.
  Drape(const HeightField& field, const Lattice& lattice, const Page& page);

  // With any height on a page that is seen from above.
  Vec3 lift(Vec2 units) const;
  // Adds what lies between two places, without them, as far as it shows: nothing on a page that is seen from above.
  void follow(Vec3 from, Vec3 to, std::vector<Vec3>& out) const;

 private:
  const HeightField& field_;
  Lattice lattice_;
  std::optional<HeightLookup> heights_;  // if they show
  const Page& page_;
};

}  // namespace wend
