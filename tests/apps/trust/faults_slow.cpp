#include "tests/apps/trust/faults.h"

// Every point of every command: for `make soak`.
namespace {

TEST(FaultsLongest, OutOfMemoryAtEveryPointOfBake) {
  faults::tryPoints(1, "work", 0, "bake");
}
TEST(FaultsLongest, OutOfMemoryAtEveryPointOfPath) {
  faults::tryPoints(1, "work", 0, "path");
}
TEST(FaultsLongest, OutOfMemoryAtEveryPointOfSimulate) {
  faults::tryPoints(1, "work", 0, "simulate");
}
TEST(FaultsLongest, OutOfMemoryAtEveryPointOfReport) {
  faults::tryPoints(1, "work", 0, "report");
}
TEST(FaultsLongest, OutOfMemoryAtEveryPointOfCompare) {
  faults::tryPoints(1, "work", 0, "compare");
}
// Most allocations are those of the option parser, which are the same in all commands.
TEST(FaultsLongest, OutOfMemoryInTheCommandLine) {
  faults::tryPoints(1, "malloc", 500);
}
TEST(FaultsLongest, OutOfMemoryInWorkersAtManyPoints) {
  faults::tryPoints(4, "work", 500);
}
TEST(FaultsLongest, WritesAtEveryPoint) {
  faults::tryPoints(1, "write", 0);
}
TEST(FaultsLongest, SyncsAtEveryPoint) {
  faults::tryPoints(1, "fsync", 0);
}
TEST(FaultsLongest, RenamesAtEveryPoint) {
  faults::tryPoints(1, "rename", 0);
}
TEST(FaultsLongest, ReadsAtEveryPoint) {
  faults::tryPoints(1, "read", 0);
}
TEST(FaultsLongest, OpensAtEveryPoint) {
  faults::tryPoints(1, "open", 0);
}

}  // namespace
