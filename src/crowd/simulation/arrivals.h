#pragma once

#include <wend/scenario.h>

// The arrivals at a source: how many persons, and when.
namespace wend {

// The state of a source between steps; plain, so that a run can be saved.
struct SourceState {
  uint64_t arrived = 0;    // persons due so far
  uint64_t entered = 0;    // of these, placed
  uint64_t refused = 0;    // of these, dropped
  double fluid = 0;        // regular arrivals: persons due, with fraction, from the rate
  double nextTime = -1;    // Poisson arrivals: of the next person; -1: not drawn
  uint64_t draws = 0;      // of random numbers
  double setRate = -1;     // by an event; -1: as in the scenario
  bool placed = false;     // those of `count` or `density`
  uint32_t groupLeft = 0;  // members of the last group that are still to come
  uint32_t group = kNone;
  uint32_t groupJourney = 0;
  uint32_t groupLeader = kNone;
};

// Persons that arrive in [from, to), apart from those placed at the start.
uint64_t arrivals(const ScenarioSource& source, SourceState& state, double from, double to, uint64_t seed,
                  uint64_t index);

// True if no person comes after this time.
bool isExhausted(const ScenarioSource& source, const SourceState& state, double time);

}  // namespace wend
