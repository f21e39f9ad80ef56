#include "compare/compare_child.h"

#include <chrono>
#include <csignal>
#include <filesystem>

#include <wend/file.h>

#include <fcntl.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wend::app {
namespace {

constexpr size_t kMaxOutput = size_t{1} << 28;
constexpr size_t kKeptErrors = 2000;  // bytes

std::string takeFile(const std::string& path) {
  const auto bytes = readFile(path, kMaxOutput);
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  if (!bytes.ok()) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// Only what is allowed between fork and exec; does not return.
[[noreturn]] void becomeChild(char* const* arguments, const char* program, const char* out, const char* err,
                              pid_t parent, const ChildLimits& limits) {
  ::setpgid(0, 0);
#if defined(__linux__)
  // Ends with its parent, also if that one was ended already.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
#endif
  const int input = ::open("/dev/null", O_RDONLY);
  const int output = ::open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int errors = ::open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (input < 0 || output < 0 || errors < 0) ::_exit(127);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Sanitizers map terabytes that they never touch.
  rlimit memory{};
  memory.rlim_cur = memory.rlim_max = static_cast<rlim_t>(limits.megabytes * 1048576.0);
  ::setrlimit(RLIMIT_DATA, &memory);
#endif
  rlimit core{};
  ::setrlimit(RLIMIT_CORE, &core);
  // A backstop, should the parent die before it can end this process.
  rlimit time{};
  time.rlim_cur = time.rlim_max = static_cast<rlim_t>(limits.seconds * 256 + 10);
  ::setrlimit(RLIMIT_CPU, &time);
  ::execv(program, arguments);
  ::_exit(127);
}

}  // namespace

std::string ownProgram() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

ChildResult runChild(const std::vector<std::string>& arguments, const std::string& folder, const ChildLimits& limits,
                     const Context& context) {
  const std::string program = ownProgram();
  const std::string out = folder + "/child.out";
  const std::string err = folder + "/child.err";
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  ChildResult result;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return result;
  if (child == 0) becomeChild(argv.data(), program.c_str(), out.c_str(), err.c_str(), parent, limits);

  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  rusage usage{};
  bool killed = false;
  for (int pause = 200;; pause = std::min(pause * 2, 20000)) {
    const pid_t ended = ::wait4(child, &status, killed ? 0 : WNOHANG, &usage);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return result;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (!killed && (context.cancelled() || spent.count() > limits.seconds)) {
      result.end = context.cancelled() ? ChildEnd::kCancelled : ChildEnd::kTimeout;
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);
      killed = true;
      continue;
    }
    ::usleep(static_cast<useconds_t>(pause));
  }
  result.out = takeFile(out);
  result.err = takeFile(err);
  if (result.err.size() > kKeptErrors) result.err.erase(0, result.err.size() - kKeptErrors);
  result.peakMegabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  if (killed) return result;
  if (WIFSIGNALED(status)) {
    result.end = ChildEnd::kCrashed;
    result.code = WTERMSIG(status);
    return result;
  }
  result.code = WEXITSTATUS(status);
  if (result.code == 127) return result;
  // What the library and the program say when an allocation fails.
  const bool memory = result.code != 0 && (result.err.find("out of memory") != std::string::npos ||
                                           result.err.find("not enough memory") != std::string::npos);
  result.end = memory ? ChildEnd::kOutOfMemory : ChildEnd::kExited;
  return result;
}

}  // namespace wend::app
