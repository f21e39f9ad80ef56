#include "tests/apps/trust/faults.h"

// A few points of each command; faults_slow.cpp tries all.
namespace {

TEST(Faults, OutOfMemoryIsASentence) {
  faults::tryPoints(1, "malloc", 4);
  faults::tryPoints(1, "work", 6);
}
TEST(Faults, OutOfMemoryInWorkers) {
  faults::tryPoints(4, "work", 4);
}
TEST(Faults, FullDisk) {
  faults::tryPoints(1, "write", 4);
}
TEST(Faults, FailingDisk) {
  faults::tryPoints(1, "fsync", 4);
}
TEST(Faults, NoRename) {
  faults::tryPoints(1, "rename", 2);
}
TEST(Faults, NoRead) {
  faults::tryPoints(1, "read", 3);
}

}  // namespace
