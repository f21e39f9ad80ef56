#include "process/streams.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

namespace wend::app {
namespace {

std::atomic<int> outFailure{0};  // errno of the first write that failed; 0: none

}  // namespace

void openStandardStreams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. A closed output stays one that cannot be written.
    const int opened = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
}

void printOut(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
  int none = 0;
  outFailure.compare_exchange_strong(none, errno == 0 ? EIO : errno);
}

void printError(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int finishStreams(int code) {
  // What --help prints.
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::cout.fail()) {
    int none = 0;
    outFailure.compare_exchange_strong(none, errno == 0 ? EIO : errno);
  }
  const int failure = outFailure.load();
  if (failure == 0 || failure == EPIPE) return code;
  printError("wend: cannot write to standard output\n");
  return code == 0 ? 1 : code;
}

}  // namespace wend::app
