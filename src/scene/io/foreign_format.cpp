#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scene/io/find_import.h"
#include "scene/io/import_child.h"
#include "scene/io/scene_intake.h"

// FBX, COLLADA and IFC: starts the program wend-import, waits for its answer within the limits, and checks it.
namespace wend {
namespace {

constexpr size_t kMaxLabelBytes = size_t{64} << 20;

Error systemError(const char* what, int cause) {
  return {ErrorCode::kInternal, fmt::format("cannot {}: {}", what, std::strerror(cause))};
}

// An open file, above the three standard ones so that none of those is overwritten while they are set up in the child.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int fd) : fd_(fd) {
    if (fd < 0 || fd > STDERR_FILENO) return;
    fd_ = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int cause = errno;
    ::close(fd);
    errno = cause;
  }
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OpenFile() { close(); }

  bool isOpen() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// The bytes as a file that another process can read: the file itself, or a copy in memory.
Result<OpenFile> asFile(const ByteSource& source) {
  if (const std::optional<int> file = source.file()) {
    OpenFile copy(::fcntl(*file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!copy.isOpen()) return systemError("open the file a second time", errno);
    return copy;
  }
  OpenFile memory(::memfd_create("wend-import", MFD_CLOEXEC));
  if (!memory.isOpen()) return systemError("make a file in memory", errno);
  std::vector<std::byte> block(ByteStream::kBlock);
  for (uint64_t offset = 0; offset < source.size();) {
    const Result<size_t> got = source.readAt(offset, block);
    if (!got.ok()) return got.error();
    for (size_t done = 0; done < *got;) {
      const ssize_t n = ::write(memory.fd(), block.data() + done, *got - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return systemError("write a file in memory", errno);
      done += static_cast<size_t>(n);
    }
    offset += *got;
  }
  return memory;
}

// A running wend-import. It ends with this object.
class ImportProcess {
 public:
  // `input` becomes its standard input, `output` its standard output; signals do what they do by default.
  static Result<ImportProcess> start(const std::string& program, const ImportRequest& request, int input, int output) {
    std::vector<std::string> arguments = request.toArguments();
    std::vector<char*> pointers{const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t all;
    sigset_t none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t child = -1;
    const int failure = ::posix_spawn(&child, program.c_str(), &files, &attributes, pointers.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    if (failure != 0) {
      return Error{ErrorCode::kInternal, fmt::format("cannot start '{}': {}", program, std::strerror(failure))};
    }
    return ImportProcess(child);
  }

  ImportProcess(ImportProcess&& other) noexcept : child_(std::exchange(other.child_, -1)) {}
  ImportProcess& operator=(ImportProcess&&) = delete;
  ~ImportProcess() { end(); }

  // Ends it. Whether it had ended by itself because it could not be loaded.
  bool end() {
    if (child_ < 0) return false;
    ::kill(child_, SIGKILL);
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(child_, &status, 0)) < 0 && errno == EINTR) {
    }
    child_ = -1;
    constexpr int kNotLoaded = 127;  // a library that it needs is missing
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == kNotLoaded;
  }

 private:
  explicit ImportProcess(pid_t child) : child_(child) {}

  pid_t child_;
};

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
        return stop(
            {ErrorCode::kLimit, "reading it takes longer than the limit; set --import-seconds if you trust it"});
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
    list.reserve(static_cast<size_t>(count));
    // Memory is touched as far as the answer goes, not as far as it promises.
    constexpr size_t kBlock = size_t{1} << 16;
    while (list.size() < count) {
      const size_t known = list.size();
      list.resize(std::min(static_cast<size_t>(count), known + kBlock));
      if (!get(list.data() + known, (list.size() - known) * sizeof(T))) return false;
    }
    return true;
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
  int fd_;
  const Context& context_;
  std::chrono::steady_clock::time_point end_;
  Error error_;
};

// The answer of a program that crashes is trusted no more than a file.
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
  if (kind == kErrorAnswer) {
    uint64_t code = 0;
    std::string message;
    if (!answer.get(&code, sizeof code) || !answer.getText(message, kMaxErrorBytes)) return answer.error();
    return Error{
        code <= static_cast<uint64_t>(ErrorCode::kInternal) ? static_cast<ErrorCode>(code) : ErrorCode::kFormat,
        message};
  }
  if (kind != kSceneAnswer) return Error{ErrorCode::kFormat, "the importer gave an answer that makes no sense"};
  Scene scene;
  uint64_t labels = 0;
  if (!answer.getList(scene.vertices, settings.maxVertices) ||
      !answer.getList(scene.triangles, settings.maxTriangles) || !answer.get(&labels, sizeof labels)) {
    return answer.error();
  }
  if (labels > kMaxLabelBytes / sizeof(std::string)) return Error{ErrorCode::kLimit, "it has too many names"};
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

Result<Scene> receiveWithin(const SceneReadSettings& settings, const Context& context, int fd) {
  try {
    Answer answer(fd, settings.maxSeconds, context);
    return receive(answer, settings);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for it"};
  }
}

}  // namespace

Result<Scene> readForeign(const SceneInput& input, SceneFormat format) {
  input.context.report("reading", 0);
  const Result<std::string> program = findImportProgram();
  if (!program.ok()) return program.error();
  Result<OpenFile> file = asFile(input.source);
  if (!file.ok()) return file.error();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return systemError("open a pipe", errno);
  const OpenFile in(ends[0]);
  OpenFile out(ends[1]);
  Result<ImportProcess> process = ImportProcess::start(*program, {format, input.settings}, file->fd(), out.fd());
  if (!process.ok()) return process.error();
  out.close();
  Result<Scene> scene = receiveWithin(input.settings, input.context, in.fd());
  if (process->end()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("'{}' does not start; run it in a terminal to see which library it misses", *program)};
  }
  return scene;
}

}  // namespace wend
