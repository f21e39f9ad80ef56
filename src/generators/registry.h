#pragma once

#include <span>

#include <wend/generator.h>

// The table of generators behind <wend/generate.h>.
namespace wend {

// Sorted by name.
std::span<const Generator> generatorTable();

// The settings' options against those the generator declares: an unknown name, a name given twice, a value that is no
// choice or outside the range is kInvalidSettings, with the list of what is valid.
Result<OptionValues> parseOptions(const GeneratorInfo& info, const GenerateSettings& settings);

// What generate() does once it has found the generator: parses the options, runs it, compares area and topology of the
// mesh with the environment's if it promises exactness. No exception leaves it.
Result<NavMesh> runGenerator(const Generator& generator, const Environment& environment,
                             const GenerateSettings& settings, const Context& context);

bool hasPolygons(const Environment& environment);

}  // namespace wend
