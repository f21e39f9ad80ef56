#pragma once

#include <string>
#include <vector>

#include <wend/metrics.h>

#include "command.h"
#include "compare/compare_child.h"

// One row of a comparison: one generator on one world.
namespace wend::app {

struct CompareWorld {
  std::string name;
  std::string path;
  size_t vertices = 0;
  size_t layers = 0;
  double area = 0;  // m2
  Topology truth;
  uint64_t hash = 0;
  Vec2 size;  // metres
};

struct CompareRow {
  std::string world;
  std::string generator;
  std::string status;               // ok, unsupported, failed, timeout, out-of-memory, crashed
  std::string message;              // one sentence, empty if ok; what was not measured, if anything
  bool isAccident = false;          // says nothing about the generator: ended from outside, or the disk is full
  std::vector<MetricValue> values;  // in the order of metricInfos()
  size_t defects = 0;
};

struct CompareWork {
  std::string folder;   // of the comparison
  std::string scratch;  // a folder of this run, on the same disk
  ChildLimits limits;
  uint32_t repeat = 3;
  uint32_t queries = 200;
  uint32_t pixels = 64;
  size_t pictureBytes = 400000;
  ReadSettings read;
  uint64_t seed = 1;
  int threads = 0;
};

const MetricValue* findValue(const CompareRow& row, std::string_view metric);

// Bakes in fresh processes, measures, and draws into pictures/; never fails, but says in the row what went wrong.
CompareRow makeRow(const CompareWorld& world, const std::string& generator, const CompareWork& work,
                   const Context& context);

Json toJson(const CompareRow& row);
// Nothing if no run can have written it.
std::optional<CompareRow> rowFromJson(const Json& json);
// "WORLD--GENERATOR", for files of a row.
std::string rowFile(const CompareRow& row);

}  // namespace wend::app
