#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/generate.h>
#include <wend/mesh_builder.h>

// How to write a generator, in this library or in a program of your own. A generator cuts an environment into cells,
// gives them to a MeshBuilder, and returns the mesh. The registry knows it by its Generator entry.
// docs/adding-a-generator.md shows one.
namespace wend {

// One value per option of a generator, named or default, each already checked against the option's choices or range.
class OptionValues {
 public:
  void set(std::string name, std::string text, double number);

  // The text of a choice; the name must be one of the generator's options.
  const std::string& choice(std::string_view name) const;
  double number(std::string_view name) const;

 private:
  struct Value {
    std::string name;
    std::string text;
    double number = 0;
  };
  friend uint64_t hash(const OptionValues& options);
  const Value& find(std::string_view name) const;
  std::vector<Value> values_;
};

struct Generator {
  GeneratorInfo info;
  // Called with at least one polygon in the environment. May return any error; must not trust the environment.
  Result<NavMesh> (*run)(const Environment& environment, const OptionValues& options, uint64_t seed,
                         const Context& context) = nullptr;
  // Repairs a mesh that `run` or `update` made of `before`, with the same options and seed, so that it is one of
  // `after`; null if the method cannot. Called with at least one polygon in both environments. kUnsupported, or any
  // other error but kCancelled, makes updateMesh() run the generator on the whole environment instead. The function
  // itself must check that its cells cover the environment.
  Result<MeshUpdate> (*update)(const NavMesh& mesh, const Environment& before, const Environment& after,
                               const ChangedArea& changed, const OptionValues& options, uint64_t seed,
                               const Context& context) = nullptr;
};

// Adds a generator to the registry, so that generate(), bake() and the program's commands know it by its name. Call it
// before the first other use of the registry, from one thread: at the start of main(). kInvalidSettings if the name is
// empty or taken, or there is nothing to run.
Status registerGenerator(Generator generator);

// The hash of a generator's settings, for MeshBuilder::build(): equal options give equal hashes.
uint64_t hash(const OptionValues& options);

}  // namespace wend
