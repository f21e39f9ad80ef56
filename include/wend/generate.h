#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/navmesh.h>

// From an environment to a mesh, by any method of the registry.
namespace wend {

struct GeneratorOption {
  std::string name;     // "order": --order on the command line
  std::string meaning;  // one sentence, with the unit and what goes wrong outside the range
  std::string defaultValue;
  std::vector<std::string> choices;  // empty: a number
  double min = 0;                    // range of a number
  double max = 0;
};

struct GeneratorInfo {
  std::string name;     // "hertel-mehlhorn"
  std::string meaning;  // one sentence
  std::string source;   // the paper
  MeshTraits traits;
  std::vector<GeneratorOption> options;
  std::string missing;   // what this build lacks to run it, "the Recast library"; empty if nothing
  bool inPlace = false;  // updateMesh() can repair its meshes where an environment has changed
};

// Every generator, sorted by name.
const std::vector<GeneratorInfo>& generators();
const GeneratorInfo* findGenerator(std::string_view name);

struct GenerateSettings {
  std::string generator = "ecm";
  std::vector<std::pair<std::string, std::string>> options;  // those not named keep their default
  uint64_t seed = 1;                                         // for methods that draw random numbers
};

// The mesh. Promises of the generator that are cheap to check have been checked. Same input, same bytes.
Result<NavMesh> generate(const Environment& environment, const GenerateSettings& settings = {},
                         const Context& context = {});

// --- After an edit --------------------------------------------------------------------------------------------------

// Where two environments differ. A superset is allowed; what lies outside of all boxes is equal in both: free space,
// walls and connections. A wall whose direction changed lies in the boxes with its whole length.
struct EditFacts;
struct ChangedArea {
  struct Box {
    LayerId layer = 0;
    wend::Box box;  // lattice units, closed
  };
  std::vector<Box> boxes;
  // What World::apply() knows besides; the library's own generators use it. May be null.
  std::shared_ptr<const EditFacts> facts;
};

// The mesh after an edit, and what became of the cells.
struct MeshUpdate {
  NavMesh mesh;
  bool inPlace = false;        // false: made anew by generate()
  std::string reason;          // why it was made anew, one sentence; empty in place
  std::vector<CellId> source;  // per cell: the cell of the mesh before that it is, corner by corner, or kNone if new
  uint32_t cellsRemoved = 0;   // cells of the mesh before that are gone
  uint32_t cellsAdded = 0;     // cells whose source is kNone
};

// The mesh of `after`, from the mesh of `before`. Where the generator can (GeneratorInfo::inPlace), only the cells that
// the change touches are made anew; otherwise, and where that fails, the whole mesh is: `inPlace` and `reason` say
// which. The result is a right mesh of `after` either way. For `ecm` it is the same medial axis as a new one; other
// meshes may have other cells of the same kind. `settings` must be those that made the mesh. Both environments are
// valid and have the same layers.
//
// kInvalidSettings if the mesh was made by another generator, with other settings or from another environment than
// `before`; the errors of generate().
Result<MeshUpdate> updateMesh(const NavMesh& mesh, const Environment& before, const Environment& after,
                              const ChangedArea& changed, const GenerateSettings& settings = {},
                              const Context& context = {});

}  // namespace wend
