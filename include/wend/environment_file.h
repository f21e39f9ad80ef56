#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/environment.h>

// Readers and writers of environments. Every reader treats its bytes as hostile: counts, nesting, entities and
// coordinates are limited, and whatever is wrong is one Error that names the line or element.
namespace wend {

enum class EnvironmentFormat : uint8_t {
  kEnv,       // XML of wend, docs/formats.md
  kWkt,       // well-known text: polygons, multipolygons and collections of them; one layer
  kGeoJson,   // polygons and multipolygons; one layer, or a layer per "layer" property; connections as lines
  kMovingAi,  // .map: grid of characters
  kPolyanya,  // .mesh version 2: the union of its polygons
  kPngMask,   // grey, colour or palette image: light pixels are free
};
const char* formatName(EnvironmentFormat format);

// What the loops of one polygon enclose, where they cross, repeat or lie in each other.
enum class FillRule : uint8_t {
  kEvenOdd,  // what an odd number of loops encloses: a hole drawn twice is no hole
  kNonzero,  // what the first loop winds around and no further one does: holes add up
};

struct ReadSettings {
  double unit = 1e-4;      // metres per lattice unit, 1e-6 to 1. Finer: less reach (unit * 2^30 metres). A file that
                           // states its own unit (ENV, our GeoJSON) keeps it.
  double scale = 1.0;      // metres per unit of the file, > 0; for WKT, GeoJSON, .mesh in other units than metres
  double cell = 1.0;       // metres per character or pixel, > 0; for .map and PNG
  double threshold = 0.5;  // PNG: brightness from which a pixel is free, (0, 1]
  FillRule fill = FillRule::kEvenOdd;  // ENV, WKT, GeoJSON; a polygon on which the rules differ gives a note
  size_t maxBytes = size_t{1} << 30;   // larger files are refused
  size_t maxVertices = 50'000'000;     // more vertices are refused
  size_t maxCells = size_t{1} << 28;   // more characters of a .map or pixels of a PNG are refused
};

// The format by content, not by extension.
Result<EnvironmentFormat> recogniseEnvironment(std::span<const std::byte> bytes);

Result<Environment> readEnvironment(const std::string& path, const ReadSettings& settings = {},
                                    const Context& context = {});
// The same from memory; `name` stands in messages.
Result<Environment> parseEnvironment(std::span<const std::byte> bytes, std::string_view name,
                                     const ReadSettings& settings = {}, const Context& context = {});

// The polygons of a well-known text, coordinates as they stand in it; each is filled by the even-odd rule. `name`
// stands in messages. More than `maxVertices` vertices are an error.
Result<std::vector<Loops>> parseWktPolygons(std::string_view text, std::string_view name,
                                            size_t maxVertices = ReadSettings{}.maxVertices);

// The format by extension: .env (or .xml), .wkt, .geojson (or .json).
Result<EnvironmentFormat> formatOfPath(const std::string& path);

// In the format of formatOfPath(). Written beside the target and renamed, so a failure
// leaves nothing behind. ENV holds everything; GeoJSON all but height fields and the truth; WKT one layer of polygons
// at height 0. What a format cannot hold is an Error, never a silent loss (the truth is not: it can be computed again).
Status writeEnvironment(const Environment& environment, const std::string& path);
// The text that writeEnvironment would write.
Result<std::string> formatEnvironment(const Environment& environment, EnvironmentFormat format);

}  // namespace wend
