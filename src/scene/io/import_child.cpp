#include "scene/io/import_child.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "scene/io/sandbox.h"

namespace wend {
namespace {

// Raised when the arguments or the answer change.
constexpr int kProtocol = 1;

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
  const uint8_t kind = result.ok() ? kSceneAnswer : kErrorAnswer;
  if (!put(fd, &kind, 1)) return;
  if (!result.ok()) {
    const std::string message = result.error().message.substr(0, kMaxErrorBytes);
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

// The program's own code and libraries are mapped already: the limit comes on top of them.
[[maybe_unused]] rlim_t mappedBytes() {
  char text[64] = {};
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return 0;
  return std::strtoull(text, nullptr, 10) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void limitProcess(const SceneReadSettings& settings) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::setrlimit(RLIMIT_FSIZE, &none);  // pipes have no size
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

// The end of the pipe for the answer. What an importer prints goes nowhere, and what the caller of wend has open is
// closed here.
int takeOutput() {
  constexpr int kAnswer = STDERR_FILENO + 1;
  constexpr long kMostFiles = 65536;
  const int answer = ::dup2(STDOUT_FILENO, kAnswer);
#ifdef SYS_close_range
  const bool areClosed = ::syscall(SYS_close_range, kAnswer + 1, ~0U, 0) == 0;
#else
  const bool areClosed = false;
#endif
  const long files = areClosed ? 0 : std::min(::sysconf(_SC_OPEN_MAX), kMostFiles);
  for (int file = kAnswer + 1; file < files; ++file) ::close(file);
  if (const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  return answer;
}

Result<Scene> import(const ImportRequest& request, const Importer& importer) {
  try {
    const Result<ByteSource> source = ByteSource::ofFile(STDIN_FILENO, request.settings.maxBytes);
    if (!source.ok()) return source.error();
    return importer(*source, request);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit,
                 fmt::format("reading it needs more than {} MiB of memory; set --import-memory if you trust it",
                             request.settings.maxImporterBytes >> 20)};
  } catch (const std::exception& error) {
    return Error{ErrorCode::kFormat, error.what()};
  } catch (...) {
    return Error{ErrorCode::kFormat, "the importer gave up"};
  }
}

// Takes numbers from a list of words.
class NumberList {
 public:
  explicit NumberList(std::span<char* const> words) : words_(words) {}

  template <typename T>
  void take(T& value) {
    if constexpr (std::is_enum_v<T>) {
      int number = 0;
      take(number);
      value = static_cast<T>(number);
    } else {
      ok_ = ok_ && !words_.empty();
      if (!ok_) return;
      const std::string_view word = words_.front();
      words_ = words_.subspan(1);
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      ok_ = error == std::errc() && end == word.data() + word.size();
    }
  }
  // Whether all words were numbers, and none is left.
  bool isComplete() const { return ok_ && words_.empty(); }

 private:
  std::span<char* const> words_;
  bool ok_ = true;
};

}  // namespace

std::vector<std::string> ImportRequest::toArguments() const {
  return {fmt::format("{}", kProtocol),
          fmt::format("{}", static_cast<int>(format)),
          fmt::format("{}", static_cast<int>(settings.up)),
          fmt::format("{}", settings.scale),
          fmt::format("{}", static_cast<int>(settings.labels)),
          fmt::format("{}", settings.maxBytes),
          fmt::format("{}", settings.maxVertices),
          fmt::format("{}", settings.maxTriangles),
          fmt::format("{}", settings.maxSeconds),
          fmt::format("{}", settings.maxImporterBytes)};
}

Result<ImportRequest> ImportRequest::fromArguments(std::span<char* const> arguments) {
  ImportRequest request;
  int protocol = 0;
  NumberList list(arguments);
  list.take(protocol);
  list.take(request.format);
  list.take(request.settings.up);
  list.take(request.settings.scale);
  list.take(request.settings.labels);
  list.take(request.settings.maxBytes);
  list.take(request.settings.maxVertices);
  list.take(request.settings.maxTriangles);
  list.take(request.settings.maxSeconds);
  list.take(request.settings.maxImporterBytes);
  if (!list.isComplete() || protocol != kProtocol) {
    return Error{ErrorCode::kUnsupported, "wend-import is of another version than wend; install both from one build"};
  }
  return request;
}

void runImportChild(std::span<char* const> arguments, const Importer& importer) {
  const int answer = takeOutput();
  const Result<ImportRequest> request = ImportRequest::fromArguments(arguments);
  if (request.ok()) {
    limitProcess(request->settings);
    enterSandbox();
    send(answer, import(*request, importer));
  } else {
    send(answer, request.error());
  }
  // Without the destructors of a library that is not ours.
  ::_exit(0);
}

}  // namespace wend
