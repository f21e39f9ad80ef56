#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wend/wend.h>

namespace wend::app {

// Reads a CSV of path queries: a header line with the columns from_x, from_y, [from_z,] to_x, to_y, [to_z,] [radius] in
// any order (others are ignored), then one query per line. The error names the line and the column.
Result<std::vector<PathQuery>> readQueries(const std::string& path);
// The same from text; `path` stands in messages.
Result<std::vector<PathQuery>> parseQueries(std::string_view text, const std::string& path);

}  // namespace wend::app
