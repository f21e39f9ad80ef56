#include "generators/registry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/assert.h"
#include "base/hash.h"
#include "generators/adaptive_grid/adaptive_grid.h"
#include "generators/apng/apng.h"
#include "generators/cdg/cdg.h"
#include "generators/delaunay/delaunay.h"
#include "generators/drawn/drawn.h"
#include "generators/ecm/ecm.h"
#include "generators/esfv/esfv.h"
#include "generators/grid/grid.h"
#include "generators/hertel_mehlhorn/hertel_mehlhorn.h"
#include "generators/lct/lct.h"
#include "generators/neogen/neogen.h"
#include "generators/pasfv/pasfv.h"
#include "generators/quadtree/quadtree.h"
#include "generators/recast/recast.h"
#include "generators/sfv/sfv.h"
#include "generators/trapezoid/trapezoid.h"
#include "generators/wavefront/wavefront.h"
#include "geometry/int128.h"

namespace wend {
namespace {

// Relative error of the area of cells with fractional corners: they lie within 1e-6 units of where they belong, and a
// sum of a million cells loses far less.
constexpr double kRoundedArea = 1e-9;

// Sorted by name.
std::vector<Generator>& table() {
  static std::vector<Generator> all{
      adaptive_grid::entry(), apng::entry(),      cdg::entry(),      delaunay::entry(),        drawn::entry(),
      ecm::entry(),           esfv::entry(),      grid::entry(),     hertel_mehlhorn::entry(), lct::entry(),
      neogen::entry(),        pasfv::entry(),     quadtree::entry(), recast::entry(),          sfv::entry(),
      trapezoid::entry(),     wavefront::entry(),
  };
  return all;
}

std::vector<GeneratorInfo> infosOf(const std::vector<Generator>& generators) {
  std::vector<GeneratorInfo> infos;
  for (const Generator& generator : generators) {
    infos.push_back(generator.info);
    infos.back().inPlace = generator.update != nullptr;
  }
  return infos;
}

// The public view of the table.
std::vector<GeneratorInfo>& infos() {
  static std::vector<GeneratorInfo> all = infosOf(table());
  return all;
}

Error settingsError(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

std::string allowed(const GeneratorOption& option) {
  return option.choices.empty() ? fmt::format("a number from {} to {}", option.min, option.max)
                                : fmt::format("one of {}", fmt::join(option.choices, ", "));
}

Status setOption(OptionValues& values, const GeneratorInfo& info, const GeneratorOption& option,
                 const std::string& text) {
  double number = 0;
  bool valid = true;
  if (option.choices.empty()) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // NaN fails both comparisons.
    valid = error == std::errc() && end == text.data() + text.size() && number >= option.min && number <= option.max;
  } else {
    valid = std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end();
  }
  if (!valid) {
    return settingsError(fmt::format("Option '{}' of generator '{}' cannot be '{}'; give {}.", option.name, info.name,
                                     text, allowed(option)));
  }
  values.set(option.name, text, number);
  return Done{};
}

Error unknownOption(const GeneratorInfo& info, const std::string& name) {
  std::vector<std::string> names;
  for (const GeneratorOption& option : info.options) names.push_back(option.name);
  return settingsError(fmt::format(
      "Generator '{}' has no option '{}'; {}.", info.name, name,
      names.empty() ? std::string("it has none") : fmt::format("its options are {}", fmt::join(names, ", "))));
}

Error unknownGenerator(const std::string& name) {
  std::vector<std::string> names;
  for (const GeneratorInfo& info : generators()) names.push_back(info.name);
  return settingsError(fmt::format("There is no generator '{}'; choose one of {}.", name, fmt::join(names, ", ")));
}

bool sameArea(const NavMesh& mesh, DoubledArea found, DoubledArea wanted) {
  if (found == wanted) return true;
  const auto whole = [](Vec2 p) { return p.x == std::floor(p.x) && p.y == std::floor(p.y); };
  const auto& vertices = mesh.views().vertices;
  if (std::all_of(vertices.begin(), vertices.end(), whole)) return false;
  return std::abs(static_cast<double>(toInt128(found) - toInt128(wanted))) <=
         kRoundedArea * static_cast<double>(toInt128(wanted));
}

// Cheap, and enough to notice a hole, a doubled cell or a missed portal in an otherwise valid mesh.
Status checkPromise(const NavMesh& mesh, const std::string& generator) {
  if (!mesh.info().traits.exact || !mesh.info().traits.disjoint) return Done{};
  const Topology found = topology(mesh);
  const Topology& wanted = mesh.info().environment;
  if (sameArea(mesh, found.doubledArea, wanted.doubledArea) && found.components == wanted.components &&
      found.boundaries == wanted.boundaries && found.genus == wanted.genus) {
    return Done{};
  }
  const Lattice& lattice = mesh.lattice();
  return Error{
      ErrorCode::kInternal,
      fmt::format("Generator '{}' made a mesh of {:.6f} m2 with {} components, {} boundaries and genus {}, but "
                  "the environment has {:.6f} m2, {}, {} and {}; check the environment with validate(), and "
                  "report the generator if it is valid.",
                  generator, lattice.area(found.doubledArea), found.components, found.boundaries, found.genus,
                  lattice.area(wanted.doubledArea), wanted.components, wanted.boundaries, wanted.genus)};
}

}  // namespace

bool hasPolygons(const Environment& environment) {
  return std::any_of(environment.layers.begin(), environment.layers.end(),
                     [](const Layer& layer) { return !layer.free.empty(); });
}

namespace {

Result<NavMesh> runParsed(const Generator& generator, const Environment& environment, const GenerateSettings& settings,
                          const Context& context) {
  auto options = parseOptions(generator.info, settings);
  if (!options.ok()) return options.error();
  if (!generator.info.missing.empty()) {
    return Error{ErrorCode::kUnsupported, fmt::format("Generator '{}' is not available: wend was built without {}.",
                                                      generator.info.name, generator.info.missing)};
  }
  if (!hasPolygons(environment)) {
    return Error{ErrorCode::kEmpty, "The environment has no walkable polygon, so there is nothing to make a mesh of."};
  }
  auto mesh = generator.run(environment, *options, settings.seed, context);
  if (!mesh.ok()) return mesh;
  if (mesh->empty()) {
    return Error{
        ErrorCode::kEmpty,
        fmt::format("Generator '{}' found no place for a cell; check the environment with validate(), or choose "
                    "a finer setting.",
                    generator.info.name)};
  }
  if (Status status = checkPromise(*mesh, generator.info.name); !status.ok()) return status.error();
  return mesh;
}

// Whether a mesh is what its generator promises. Only a valid environment obliges it to anything, and meshes that take
// seconds to check are left out.
bool keepsItsPromise(const Result<NavMesh>& mesh, const Environment& environment) {
  constexpr uint32_t kMostCells = 50'000;
  if (!mesh.ok() || mesh->cellCount() > kMostCells || !validate(environment, 1).empty()) return true;
  return checkMesh(*mesh, &environment, 1).empty();
}

}  // namespace

void OptionValues::set(std::string name, std::string text, double number) {
  for (Value& value : values_) {
    if (value.name != name) continue;
    value.text = std::move(text);
    value.number = number;
    return;
  }
  values_.push_back({std::move(name), std::move(text), number});
}

const OptionValues::Value& OptionValues::find(std::string_view name) const {
  for (const Value& value : values_) {
    if (value.name == name) return value;
  }
  throw std::logic_error(fmt::format("the generator asks for option '{}', which it does not declare", name));
}

const std::string& OptionValues::choice(std::string_view name) const {
  return find(name).text;
}

double OptionValues::number(std::string_view name) const {
  return find(name).number;
}

std::span<const Generator> generatorTable() {
  return table();
}

Result<OptionValues> parseOptions(const GeneratorInfo& info, const GenerateSettings& settings) {
  OptionValues values;
  for (const GeneratorOption& option : info.options) {
    if (Status status = setOption(values, info, option, option.defaultValue); !status.ok()) return status.error();
  }
  for (size_t i = 0; i < settings.options.size(); ++i) {
    const auto& [name, text] = settings.options[i];
    const auto option = std::find_if(info.options.begin(), info.options.end(),
                                     [&, wanted = &name](const GeneratorOption& o) { return o.name == *wanted; });
    if (option == info.options.end()) return unknownOption(info, name);
    for (size_t j = 0; j < i; ++j) {
      if (settings.options[j].first == name) {
        return settingsError(
            fmt::format("Option '{}' of generator '{}' is given twice; give it once.", name, info.name));
      }
    }
    if (Status status = setOption(values, info, *option, text); !status.ok()) return status.error();
  }
  return values;
}

Result<NavMesh> runGenerator(const Generator& generator, const Environment& environment,
                             const GenerateSettings& settings, const Context& context) {
  try {
    return runParsed(generator, environment, settings, context);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit,
                 fmt::format("Generator '{}' ran out of memory; split the world or choose a coarser setting.",
                             generator.info.name)};
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInternal,
                 fmt::format("Generator '{}' failed: {}; please report this.", generator.info.name, error.what())};
  }
}

const std::vector<GeneratorInfo>& generators() {
  return infos();
}

Status registerGenerator(Generator generator) {
  const std::string name = generator.info.name;
  if (name.empty()) return settingsError("A generator needs a name.");
  if (generator.run == nullptr) return settingsError(fmt::format("Generator '{}' has nothing to run.", name));
  std::vector<Generator>& all = table();
  const auto place = std::lower_bound(all.begin(), all.end(), name,
                                      [](const Generator& a, const std::string& b) { return a.info.name < b; });
  if (place != all.end() && place->info.name == name) {
    return settingsError(fmt::format("There is a generator '{}' already; choose another name.", name));
  }
  all.insert(place, std::move(generator));
  infos() = infosOf(all);
  return Done{};
}

uint64_t hash(const OptionValues& options) {
  Hash sum;
  for (const OptionValues::Value& value : options.values_) {
    sum.add(std::string_view(value.name));
    sum.add(std::string_view(value.text));
  }
  return sum.value();
}

const GeneratorInfo* findGenerator(std::string_view name) {
  for (const GeneratorInfo& info : generators()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

Result<NavMesh> generate(const Environment& environment, const GenerateSettings& settings, const Context& context) {
  for (const Generator& generator : table()) {
    if (generator.info.name != settings.generator) continue;
    Result<NavMesh> mesh = runGenerator(generator, environment, settings, context);
    WEND_ASSERT(keepsItsPromise(mesh, environment), "a mesh keeps what the traits of its generator promise");
    return mesh;
  }
  return unknownGenerator(settings.generator);
}

}  // namespace wend
