#pragma once

#include <string>

#include "command.h"

// The queries of `wend path` beside routes.
namespace wend::app {

struct QuerySettings {
  std::string kind;     // "nearest", "ray", "slide", "wall", "random", "within" or "cost"; empty for routes
  double reach = 10;    // metres, of nearest and wall
  double range = 0;     // metres, of the circle of random places
  double distance = 0;  // metres, of within
  uint64_t seed = 1;
};

// One answer; `fields` has the same names for every answer of a kind.
struct QueryAnswer {
  bool found = false;
  Json fields;
};
// `number` is that of the query in its file; it makes random places differ.
QueryAnswer answerQuery(const Navigator& navigator, const QuerySettings& settings, const PathQuery& query,
                        uint64_t number, PlanScratch& scratch);

// Why there is no route: the sentence, and the fields of the JSON object.
Error noRoute(const NoRoute& why, PathStatus status, const PathQuery& query);
Json reasonJson(const NoRoute& why);

}  // namespace wend::app
