#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include <wend/make.h>

#include <fmt/format.h>

#include "environment/canonical_order.h"
#include "environment/make/recipe.h"

namespace wend::make {

namespace {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (const auto& family :
         {openWorlds(), universityWorlds(), zeldaWorlds(), mazeWorlds(), mapWorlds(), randomWorlds(), deckWorlds(),
          rampWorlds(), towerWorlds(), stationWorlds(), stadiumWorlds(), bigCityWorlds()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    return list;
  }();
  return all;
}

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearestNames(std::string_view name) {
  // Long nonsense needs no exact ranking.
  name = name.substr(0, 64);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const Entry& entry : entries()) {
    const bool part = !name.empty() && entry.kind.name.find(name) != std::string::npos;
    ranked.emplace_back(part ? 0 : editDistance(name, entry.kind.name), entry.kind.name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min<size_t>(ranked.size(), 3));
  std::string names;
  for (const auto& [distance, candidate] : ranked) names += (names.empty() ? "" : ", ") + candidate;
  return names;
}

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

Status checkParameters(const MakeSettings& settings, const WorldKind& kind) {
  for (size_t i = 0; i < settings.parameters.size(); ++i) {
    const std::string& name = settings.parameters[i].first;
    const double value = settings.parameters[i].second;
    const auto known = std::find_if(kind.parameters.begin(), kind.parameters.end(),
                                    [&](const MakeParameter& p) { return p.name == name; });
    if (known == kind.parameters.end()) {
      std::string names;
      for (const MakeParameter& p : kind.parameters) names += (names.empty() ? "" : ", ") + p.name;
      return invalid(
          fmt::format("world '{}' has no parameter '{}'; it has {}", kind.name, name, names.empty() ? "none" : names));
    }
    if (!(value >= known->min && value <= known->max)) {
      return invalid(fmt::format("parameter '{}' of world '{}' is {:g}; it must lie between {:g} and {:g}", name,
                                 kind.name, value, known->min, known->max));
    }
    if (known->whole && value != std::floor(value)) {
      return invalid(
          fmt::format("parameter '{}' of world '{}' is {:g}; it must be a whole number", name, kind.name, value));
    }
    for (size_t j = 0; j < i; ++j) {
      if (settings.parameters[j].first == name) {
        return invalid(fmt::format("parameter '{}' of world '{}' is given twice; keep one", name, kind.name));
      }
    }
  }
  return Done{};
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
  return world;
}

}  // namespace

Recipe::Recipe(const MakeSettings& settings, const WorldKind& kind, const Context& context)
    : settings_(settings), kind_(kind), context_(context) {}

double Recipe::number(std::string_view name) const {
  for (const auto& [key, value] : settings_.parameters) {
    if (key == name) return value;
  }
  for (const MakeParameter& p : kind_.parameters) {
    if (p.name == name) return p.defaultValue;
  }
  return 0;
}

MakeParameter wholeParameter(std::string name, std::string meaning, double value, double min, double max) {
  return {std::move(name), std::move(meaning), value, min, max, true};
}

MakeParameter editionParameter() {
  return wholeParameter("edition", "1 = figures of the comparison study, 2 = figures of the ECM chapters.", 1, 1, 2);
}

}  // namespace wend::make

namespace wend {

const std::vector<WorldKind>& worldKinds() {
  static const std::vector<WorldKind> kinds = [] {
    std::vector<WorldKind> list;
    for (const make::Entry& entry : make::entries()) list.push_back(entry.kind);
    return list;
  }();
  return kinds;
}

Result<Environment> makeWorld(const MakeSettings& settings, const Context& context) {
  const auto& list = make::entries();
  const auto entry =
      std::find_if(list.begin(), list.end(), [&](const make::Entry& e) { return e.kind.name == settings.kind; });
  if (entry == list.end()) {
    return make::invalid(fmt::format("there is no world '{:.64}'; the nearest are {} (`wend make --list` shows all)",
                                     settings.kind, make::nearestNames(settings.kind)));
  }
  const double unit = settings.lattice.unit;
  if (!(unit >= make::kFinestUnit && unit <= make::kCoarsestUnit)) {
    return make::invalid(fmt::format("made worlds need a lattice unit between {:g} and {:g} m, not {:g}",
                                     make::kFinestUnit, make::kCoarsestUnit, unit));
  }
  if (Status status = make::checkParameters(settings, entry->kind); !status.ok()) return status.error();
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
