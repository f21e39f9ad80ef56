#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <wend/environment_file.h>
#include <wend/file.h>

// What must hold for any bytes that a reader of environments gets.
namespace wend::fuzz {

[[noreturn]] inline void complain(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

inline Environment readAgain(const std::string& text, const ReadSettings& settings, const Context& context,
                             const char* format) {
  Result<Environment> again = parseEnvironment(asBytes(text), "fuzz", settings, context);
  if (!again.ok())
    complain(std::string(format) + " does not read what it wrote: " + again.error().message + "\n" + text);
  return std::move(again).value();
}

inline void checkRoundTrips(const Environment& environment, const ReadSettings& settings, const Context& context) {
  const Result<std::string> env = formatEnvironment(environment, EnvironmentFormat::kEnv);
  if (!env.ok()) complain("ENV cannot hold what was read: " + env.error().message);
  if (readAgain(*env, settings, context, "ENV") != environment)
    complain("ENV reads another world than it wrote\n" + *env);

  // These two do not hold the truth, and WKT not the name.
  Environment plain = environment;
  plain.truth.reset();
  if (const Result<std::string> json = formatEnvironment(plain, EnvironmentFormat::kGeoJson); json.ok()) {
    if (readAgain(*json, settings, context, "GeoJSON") != plain)
      complain("GeoJSON reads another world than it wrote\n" + *json);
  }
  if (plain.layers.size() != 1) return;
  plain.name = "fuzz";
  plain.layers[0].id = 0;
  plain.layers[0].name.clear();
  ReadSettings sameUnit = settings;
  sameUnit.unit = plain.lattice.unit;
  if (const Result<std::string> wkt = formatEnvironment(plain, EnvironmentFormat::kWkt); wkt.ok()) {
    if (readAgain(*wkt, sameUnit, context, "WKT") != plain) complain("WKT reads another world than it wrote\n" + *wkt);
  }
}

// Reads bytes of one format; what is read must be valid and survive being written and read again. -1 keeps bytes of
// other formats out of the corpus.
inline int checkEnvironment(const uint8_t* data, size_t size, EnvironmentFormat format) {
  const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(data), size};
  const Result<EnvironmentFormat> recognised = recogniseEnvironment(bytes);
  if (!recognised.ok() && recognised.error().message.empty()) complain("an error without a sentence");
  if (!recognised.ok() || *recognised != format) return -1;

  Context context;
  context.threads = 1;
  ReadSettings settings;
  settings.maxVertices = 2000;
  settings.maxCells = 1 << 12;
  const Result<Environment> environment = parseEnvironment(bytes, "fuzz", settings, context);
  if (!environment.ok()) {
    if (environment.error().message.empty()) complain("an error without a sentence");
    if (environment.error().code == ErrorCode::kInternal) complain(environment.error().message);
    return 0;
  }
  for (const Violation& violation : validate(*environment)) {
    // A file may claim a wrong truth: that is for `wend check` to say.
    if (violation.kind != ViolationKind::kTruth) complain("read, but invalid: " + violation.message);
  }
  settings.maxVertices = 1'000'000;
  checkRoundTrips(*environment, settings, context);
  return 0;
}

}  // namespace wend::fuzz
