#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <wend/scene.h>

#include "scene/io/byte_source.h"

// Importers that we did not write run in a program of their own, wend-import, so that a crash, an endless loop or a
// need for too much memory is only an Error in the caller. This is what the caller and that program share.
//
// The caller starts the program with the arguments of an ImportRequest, the file as its standard input (regular, or
// memory that acts like it) and a pipe as its standard output. The program answers with one message:
//   a scene:   kSceneAnswer, then vertices, triangles and labels, each list with its count before it
//   an error:  kErrorAnswer, then the code and the sentence
// Numbers are 64 bits as the machine has them: both programs run on the same one.
namespace wend {

inline constexpr uint8_t kSceneAnswer = 1;
inline constexpr uint8_t kErrorAnswer = 2;
inline constexpr size_t kMaxErrorBytes = 4096;

struct ImportRequest {
  SceneFormat format = SceneFormat::kIfc;
  SceneReadSettings settings;

  std::vector<std::string> toArguments() const;
  // An Error if the program that wrote the arguments is of another version.
  static Result<ImportRequest> fromArguments(std::span<char* const> arguments);
};

using Importer = std::function<Result<Scene>(const ByteSource& source, const ImportRequest& request)>;

// The program: limits its own time and address space as the request says, gives up the right to open files and to start
// programs, ends with the caller, leaves no core file, throws away what the importer prints, runs it and answers.
// `arguments` are those of main() without the name of the program.
[[noreturn]] void runImportChild(std::span<char* const> arguments, const Importer& importer);

}  // namespace wend
