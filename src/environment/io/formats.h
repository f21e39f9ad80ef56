#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <wend/environment_file.h>

// The formats, one source file each. A reader turns text into a drawing in metres; buildEnvironment() does the rest.
namespace wend {

// What every reader gets. The text has passed the byte limit and, unless it is an image, holds no zero byte.
struct Source {
  std::string_view text;
  std::string_view name;  // of the file, for messages
  const ReadSettings& settings;
  const Context& context;
};

Result<EnvironmentDraft> readEnv(const Source& source);
Result<EnvironmentDraft> readWkt(const Source& source);
Result<EnvironmentDraft> readGeoJson(const Source& source);
Result<EnvironmentDraft> readMovingAi(const Source& source);
Result<EnvironmentDraft> readPolyanya(const Source& source);
Result<EnvironmentDraft> readPngMask(const Source& source);

Result<std::string> formatEnv(const Environment& environment);
Result<std::string> formatWkt(const Environment& environment);
Result<std::string> formatGeoJson(const Environment& environment);

// Why an environment cannot be written and read again: names that are no plain text, heights that are no numbers.
std::optional<Error> checkWritable(const Environment& environment);

// The file's name without folder and extension: what a world is called that states no name ("world" if it could not be
// written again).
std::string stemOf(std::string_view name);

// An empty drawing with the unit of the settings and the name of the file.
EnvironmentDraft emptyDraft(const Source& source);

// Whether a unit lies in the range that a Lattice accepts.
inline bool isUnit(double unit) {
  return unit >= 1e-6 && unit <= 1.0;
}

// What every coordinate passes on its way in: it is scaled to metres, must fit the lattice, and is counted.
class Intake {
 public:
  Intake(const Source& source, Lattice lattice, double scale)
      : lattice_(lattice), scale_(scale), left_(source.settings.maxVertices), limit_(left_) {}

  // An error without file and line, for the caller to complete.
  Result<Vec2> accept(Vec2 raw);
  // Counts only, for readers that learn the unit last.
  bool count() { return left_ > 0 && left_-- > 0; }
  Error tooMany() const;

 private:
  Lattice lattice_;
  double scale_;
  size_t left_;
  size_t limit_;
};

}  // namespace wend
