#pragma once

#include <vector>

#include <wend/scenario.h>

#include "crowd/scenario/placed_area.h"

// Which table of levels of service holds where: stairs and waiting areas have limits of their own.
namespace wend {

class ServiceAreas {
 public:
  // Without a scenario, Fruin's walkways everywhere.
  ServiceAreas(const Scenario* scenario, const Environment& environment);

  ServiceTable at(Vec2 metres, int32_t layer) const;
  // True if more than one table is in use.
  bool areMixed() const { return !areas_.empty(); }

 private:
  struct Part {
    PlacedArea area;
    int32_t layer;
    ServiceTable table;
  };
  ServiceTable everywhere_ = ServiceTable::kFruin;
  std::vector<Part> areas_;
};

}  // namespace wend
