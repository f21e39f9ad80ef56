#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

// The documents of `wend view`: the files of the command line, and demo worlds that need no file.
namespace wend::serve {

enum class DocumentKind : uint8_t { kScene, kEnvironment, kWorld, kScenario, kRecording, kComparison, kMadeScene };
const char* kindName(DocumentKind kind);

struct Document {
  std::string name;  // as the page shows it
  std::string path;  // or "make:KIND ..." of a made environment, or the kind of a made scene
  DocumentKind kind = DocumentKind::kEnvironment;
  std::string format;  // "glTF", "ENV", ...
};

// By content. An Error that names the file and what can be viewed.
Result<Document> recogniseDocument(const std::string& path);

struct Demo {
  std::string name;      // "station"
  std::string title;     // "Railway station"
  std::string sentence;  // what there is to see
  Document document;
  std::string crowd;  // persons at the start: "everywhere 2000", or nothing
};
const std::vector<Demo>& demos();

}  // namespace wend::serve
