#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scene/io/import_child.h"

// Stands in for wend-import in tests: an importer that does what the last word of its file says.
namespace wend {
namespace {

std::string lastWord(const ByteSource& source) {
  const Result<std::vector<std::byte>> bytes = source.head(4096);
  if (!bytes.ok()) return {};
  const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return text.substr(text.find_last_of(' ') + 1);
}

const pid_t parent = ::getppid();  // the sandbox does not allow to ask later

// What it may do to the program that started it.
std::string reachOfParent() {
  std::string reach;
  if (::syscall(SYS_tgkill, parent, parent, 0) == 0) reach += "signals ";
  rlimit limit{};
  if (::prlimit(parent, RLIMIT_CORE, nullptr, &limit) == 0) reach += "limits ";
  if (::syscall(SYS_tgkill, ::getpid(), ::getpid(), 0) != 0) reach += "no abort ";
  if (::prlimit(0, RLIMIT_CORE, nullptr, &limit) != 0) reach += "no limits of its own ";
  return reach.empty() ? "none" : reach;
}

// Files that are open besides the three standard ones.
int openFiles() {
  int files = 0;
  struct stat info {};
  for (int file = STDERR_FILENO + 1; file < 1000; ++file) files += ::fstat(file, &info) == 0 ? 1 : 0;
  return files;
}

Result<Scene> import(const ByteSource& source, const ImportRequest& request) {
  Scene scene{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}, 0}}, {"floor"}};
  const std::string word = lastWord(source);
  if (word == "error") return Error{ErrorCode::kLimit, "too much"};
  if (word == "abort") std::abort();
  if (word == "segfault") ::raise(SIGSEGV);
  if (word == "throw") throw std::runtime_error("broken");
  if (word == "throw-number") throw 7;
  if (word == "print") std::puts("this must not become part of the answer");
  if (word == "nonsense") scene.triangles[0].vertices[2] = 77;
  if (word == "size") scene.labels[0] = std::to_string(source.size());
  if (word == "scale") scene.labels[0] = std::to_string(request.settings.scale);
  if (word == "reach") scene.labels[0] = reachOfParent();
  if (word == "files") scene.labels[0] = std::to_string(openFiles());
  if (word == "loop") {
    for (std::atomic<int> i = 0;; ++i) {
    }
  }
  if (word == "hunger") {
    std::vector<std::vector<char>> all;
    for (int i = 0; i < 1000; ++i) all.emplace_back(size_t{16} << 20, 'x');
  }
  return scene;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  wend::runImportChild({argv + 1, static_cast<size_t>(argc - 1)}, wend::import);
}
