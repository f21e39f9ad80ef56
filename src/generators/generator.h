#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/generate.h>

// What a generator gives to the registry.
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
  const Value& find(std::string_view name) const;
  std::vector<Value> values_;
};

struct Generator {
  GeneratorInfo info;
  // Called with at least one polygon in the environment. May return any error; must not trust the environment.
  Result<NavMesh> (*run)(const Environment& environment, const OptionValues& options, uint64_t seed,
                         const Context& context) = nullptr;
};

}  // namespace wend
