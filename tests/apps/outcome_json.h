#pragma once

#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// What a command printed with --json; discarded if that is no JSON.
inline nlohmann::json jsonOf(const Outcome& outcome) {
  return nlohmann::json::parse(outcome.out, nullptr, false);
}
