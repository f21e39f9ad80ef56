#pragma once

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Query files of the Moving AI benchmark.
namespace wend {

struct ScenQuery {
  double fromX, fromY, toX, toY;  // centres of squares
  double octile;                  // optimal length with straight and diagonal steps
  double rounding;                // half a unit of the last of the six digits in the file
};

inline std::vector<ScenQuery> readScen(const std::string& path) {
  std::vector<ScenQuery> queries;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string bucket, map, width, height;
    ScenQuery q{};
    if (!(fields >> bucket >> map >> width >> height >> q.fromX >> q.fromY >> q.toX >> q.toY >> q.octile)) continue;
    for (double* c : {&q.fromX, &q.fromY, &q.toX, &q.toY}) *c += 0.5;
    q.rounding = 0.5 * std::pow(10.0, std::floor(std::log10(std::max(1.0, q.octile))) - 5);
    queries.push_back(q);
  }
  return queries;
}

inline const char* const kMovingAiMaps[] = {"arena", "den401d", "lak202d", "brc202d", "Berlin_0_512"};

}  // namespace wend
