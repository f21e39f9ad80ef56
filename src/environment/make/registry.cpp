#include <algorithm>
#include <cmath>
#include <exception>

#include <wend/make.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/kind_parameters.h"
#include "environment/canonical_order.h"
#include "environment/make/recipe.h"

namespace wend::make {

namespace {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (const auto& family :
         {openWorlds(), growthWorlds(), universityWorlds(), zeldaWorlds(), mazeWorlds(), mapWorlds(), randomWorlds(),
          deckWorlds(), rampWorlds(), towerWorlds(), dormitoryWorlds(), stationWorlds(), stadiumWorlds(),
          bigCityWorlds(), gridCityWorlds()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    return list;
  }();
  return all;
}

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

// Above this, walls of a few centimetres would vanish between lattice lines.
constexpr double kCoarsestUnit = 1e-3;
constexpr double kFinestUnit = 1e-6;

Result<Environment> onLattice(Environment world, const MakeSettings& settings) {
  const double ratio = kUnit / settings.lattice.unit;
  if (!changeLattice(world, settings.lattice)) {
    return Error{ErrorCode::kOutsideLattice,
                 fmt::format("world '{}' does not fit a lattice of unit {:g} m, which reaches {:g} m; choose a coarser "
                             "unit",
                             settings.kind, settings.lattice.unit, settings.lattice.reach())};
  }
  putInCanonicalOrder(world);
  // Any other ratio rounds slanted walls anew.
  if (std::abs(ratio - std::round(ratio)) > 1e-9 || ratio < 1) {
    const std::vector<Violation> violations = validate(world, 1);
    if (!violations.empty()) {
      return Error{ErrorCode::kInvalidGeometry,
                   fmt::format("world '{}' does not survive rounding to a lattice of unit {:g} m ({}); choose 0.0001 m",
                               settings.kind, settings.lattice.unit, violations[0].message)};
    }
  }
  WEND_ASSERT(validate(world, 1).empty(), "a made environment is valid and has the topology that it records");
  return world;
}

}  // namespace

Recipe::Recipe(const MakeSettings& settings, const EnvironmentKind& kind, const Context& context)
    : settings_(settings), kind_(kind), context_(context) {}

double Recipe::number(std::string_view name) const {
  return parameterValue(kind_.parameters, settings_.parameters, name);
}

MakeParameter wholeParameter(std::string name, std::string meaning, double value, double min, double max) {
  return {std::move(name), std::move(meaning), value, min, max, true};
}

MakeParameter editionParameter() {
  return wholeParameter("edition", "1 = figures of the comparison study, 2 = figures of the ECM chapters.", 1, 1, 2);
}

}  // namespace wend::make

namespace wend {

const std::vector<EnvironmentKind>& environmentKinds() {
  static const std::vector<EnvironmentKind> kinds = [] {
    std::vector<EnvironmentKind> list;
    for (const make::Entry& entry : make::entries()) list.push_back(entry.kind);
    return list;
  }();
  return kinds;
}

Result<Environment> makeEnvironment(const MakeSettings& settings, const Context& context) {
  const auto& list = make::entries();
  const auto entry =
      std::find_if(list.begin(), list.end(), [&](const make::Entry& e) { return e.kind.name == settings.kind; });
  if (entry == list.end()) {
    std::vector<std::string> names;
    for (const make::Entry& e : list) names.push_back(e.kind.name);
    return make::invalid(fmt::format("there is no world '{:.64}'; the nearest are {} (`wend make --list` shows all)",
                                     settings.kind, nearestNames(settings.kind, names)));
  }
  const double unit = settings.lattice.unit;
  if (!(unit >= make::kFinestUnit && unit <= make::kCoarsestUnit)) {
    return make::invalid(fmt::format("made worlds need a lattice unit between {:g} and {:g} m, not {:g}",
                                     make::kFinestUnit, make::kCoarsestUnit, unit));
  }
  if (Status status =
          checkParameters(fmt::format("world '{}'", settings.kind), entry->kind.parameters, settings.parameters);
      !status.ok()) {
    return status.error();
  }
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled before the world was made"};
  context.report("make", 0);
  try {
    Result<Environment> world = entry->make(make::Recipe(settings, entry->kind, context));
    if (!world.ok()) return world;
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while the world was made"};
    context.report("make", 1);
    return make::onLattice(std::move(world.value()), settings);
  } catch (const std::exception& e) {
    return Error{ErrorCode::kInternal, fmt::format("making world '{}' failed: {}", settings.kind, e.what())};
  }
}

}  // namespace wend
