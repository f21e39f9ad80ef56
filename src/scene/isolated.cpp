#include "scene/isolated.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wend {
namespace {

constexpr size_t kMaxMessage = 4096;
constexpr size_t kMaxLabelBytes = size_t{64} << 20;
constexpr uint8_t kScene = 1;
constexpr uint8_t kError = 2;

// --- The child's side ---

bool put(int fd, const void* data, size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool putCount(int fd, uint64_t count) {
  return put(fd, &count, sizeof count);
}

void send(int fd, const Result<Scene>& result) {
  const uint8_t kind = result.ok() ? kScene : kError;
  if (!put(fd, &kind, 1)) return;
  if (!result.ok()) {
    const std::string message = result.error().message.substr(0, kMaxMessage);
    putCount(fd, static_cast<uint64_t>(result.error().code));
    putCount(fd, message.size());
    put(fd, message.data(), message.size());
    return;
  }
  putCount(fd, result->vertices.size());
  put(fd, result->vertices.data(), result->vertices.size() * sizeof(Vec3));
  putCount(fd, result->triangles.size());
  put(fd, result->triangles.data(), result->triangles.size() * sizeof(Scene::Triangle));
  putCount(fd, result->labels.size());
  for (const std::string& label : result->labels) {
    putCount(fd, label.size());
    put(fd, label.data(), label.size());
  }
}

// The child has the parent's memory mapped already: the limit comes on top of it.
[[maybe_unused]] rlim_t mappedBytes() {
  char text[64] = {};
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return 0;
  return std::strtoull(text, nullptr, 10) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void limitChild(const SceneReadSettings& settings) {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, SIG_DFL);
  }
  if (const int nowhere = ::open("/dev/null", O_RDWR); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const rlim_t seconds = static_cast<rlim_t>(std::ceil(settings.maxSeconds)) + 1;
  const rlimit time{seconds, seconds};
  ::setrlimit(RLIMIT_CPU, &time);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Sanitizers map terabytes that they never touch.
  const rlim_t bytes = mappedBytes() + settings.maxImporterBytes;
  const rlimit memory{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &memory);
#endif
}

[[noreturn]] void runChild(int fd, const SceneReadSettings& settings, const std::function<Result<Scene>()>& import) {
  limitChild(settings);
  try {
    send(fd, import());
  } catch (const std::bad_alloc&) {
    send(fd, Error{ErrorCode::kLimit, fmt::format("reading it needs more than {} MiB; raise the limit if you trust it",
                                                  settings.maxImporterBytes >> 20)});
  } catch (const std::exception& error) {
    send(fd, Error{ErrorCode::kFormat, error.what()});
  } catch (...) {
    send(fd, Error{ErrorCode::kFormat, "the importer gave up"});
  }
  ::_exit(0);
}

// --- The parent's side ---

class Answer {
 public:
  Answer(int fd, double seconds, const Context& context)
      : fd_(fd),
        context_(context),
        end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000))) {}

  bool get(void* data, size_t size) {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
      if (context_.cancelled()) return stop(readingCancelled());
      if (std::chrono::steady_clock::now() > end_) {
        return stop({ErrorCode::kLimit, "reading it takes longer than the limit; raise the limit if you trust it"});
      }
      pollfd wait{fd_, POLLIN, 0};
      const int ready = ::poll(&wait, 1, 100);
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
      const ssize_t n = ::read(fd_, bytes, size);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0)
        return stop({ErrorCode::kFormat, "the importer crashed on it; convert it to GLB with another program"});
      bytes += n;
      size -= static_cast<size_t>(n);
    }
    return true;
  }

  template <typename T>
  bool getList(std::vector<T>& list, uint64_t most) {
    uint64_t count = 0;
    if (!get(&count, sizeof count)) return false;
    if (count > most) return stop({ErrorCode::kLimit, fmt::format("more than {} vertices or triangles", most)});
    list.resize(static_cast<size_t>(count));
    return get(list.data(), list.size() * sizeof(T));
  }
  bool getText(std::string& text, uint64_t most) {
    uint64_t size = 0;
    if (!get(&size, sizeof size)) return false;
    if (size > most) return stop({ErrorCode::kLimit, "its names are too long"});
    text.resize(static_cast<size_t>(size));
    return get(text.data(), text.size());
  }

  bool stop(Error error) {
    error_ = std::move(error);
    return false;
  }
  const Error& error() const { return error_; }

 private:
  static Error readingCancelled() { return {ErrorCode::kCancelled, "reading was cancelled"}; }

  int fd_;
  const Context& context_;
  std::chrono::steady_clock::time_point end_;
  Error error_;
};

// What a crashing child sent is no better than a file.
bool isSound(const Scene& scene) {
  for (const Vec3& p : scene.vertices) {
    if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kMaxSceneCoordinate)) return false;
  }
  return std::all_of(scene.triangles.begin(), scene.triangles.end(), [&](const Scene::Triangle& t) {
    return *std::max_element(t.vertices.begin(), t.vertices.end()) < scene.vertices.size() &&
           t.label < scene.labels.size();
  });
}

Result<Scene> receive(Answer& answer, const SceneReadSettings& settings) {
  uint8_t kind = 0;
  if (!answer.get(&kind, 1)) return answer.error();
  if (kind == kError) {
    uint64_t code = 0;
    std::string message;
    if (!answer.get(&code, sizeof code) || !answer.getText(message, kMaxMessage)) return answer.error();
    return Error{
        code <= static_cast<uint64_t>(ErrorCode::kInternal) ? static_cast<ErrorCode>(code) : ErrorCode::kFormat,
        message};
  }
  Scene scene;
  uint64_t labels = 0;
  if (!answer.getList(scene.vertices, settings.maxVertices) ||
      !answer.getList(scene.triangles, settings.maxTriangles) || !answer.get(&labels, sizeof labels)) {
    return answer.error();
  }
  size_t left = kMaxLabelBytes;
  for (uint64_t i = 0; i < labels; ++i) {
    std::string label;
    if (!answer.getText(label, left)) return answer.error();
    left -= std::min(left, label.size() + sizeof(std::string));
    scene.labels.push_back(std::move(label));
  }
  if (!isSound(scene)) return Error{ErrorCode::kFormat, "the importer gave triangles that make no sense"};
  return scene;
}

}  // namespace

Result<Scene> importIsolated(const SceneReadSettings& settings, const Context& context,
                             const std::function<Result<Scene>()>& import) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Error{ErrorCode::kInternal, fmt::format("cannot open a pipe: {}", std::strerror(errno))};
  }
  const pid_t child = ::fork();
  if (child < 0) {
    const int cause = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return Error{ErrorCode::kInternal,
                 fmt::format("cannot start a process for the importer: {}", std::strerror(cause))};
  }
  if (child == 0) {
    ::close(ends[0]);
    runChild(ends[1], settings, import);
  }
  ::close(ends[1]);
  Answer answer(ends[0], settings.maxSeconds, context);
  Result<Scene> result = [&]() -> Result<Scene> {
    try {
      return receive(answer, settings);
    } catch (const std::bad_alloc&) {
      return Error{ErrorCode::kLimit, "there is not enough memory for it"};
    }
  }();
  ::close(ends[0]);
  ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return result;
}

}  // namespace wend
