// A library for LD_PRELOAD that makes one call of a program fail, as a machine without memory or disk does.
//
//   WEND_FAULT=malloc:17      the 17th allocation gives nothing; likewise write, fsync, rename, read, open
//   WEND_FAULT=work:17        the 17th allocation after the first file was opened or read: what comes before is the
//   command line WEND_FAULT_COUNT=FILE     how many calls there were goes to this file when the program ends by itself
//
// Calls count from the first call of signal() on, which is the first one in main().
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

enum Kind : int { kMalloc, kWrite, kFsync, kRename, kRead, kOpen, kWork, kKinds };
constexpr const char* kNames[kKinds] = {"malloc", "write", "fsync", "rename", "read", "open", "work"};

std::atomic<bool> counting{false};
std::atomic<long> calls[kKinds];
std::atomic<long> failAt[kKinds];  // 0: never

bool fails(Kind kind) {
  if (!counting.load(std::memory_order_relaxed)) return false;
  return ++calls[kind] == failAt[kind];
}

bool allocationFails() {
  const bool works = calls[kOpen] > 0 || calls[kRead] > 0;
  const bool ofWork = works && fails(kWork);
  return fails(kMalloc) || ofWork;
}

void begin() {
  if (counting) return;
  if (const char* wanted = std::getenv("WEND_FAULT")) {
    for (int kind = 0; kind < kKinds; ++kind) {
      const size_t length = std::strlen(kNames[kind]);
      if (std::strncmp(wanted, kNames[kind], length) != 0 || wanted[length] != ':') continue;
      failAt[kind] = std::atol(wanted + length + 1);
    }
  }
  counting = true;
}

struct AtExit {
  ~AtExit() {
    counting = false;
    const char* path = std::getenv("WEND_FAULT_COUNT");
    if (path == nullptr) return;
    char text[256];
    int length = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
      length += std::snprintf(text + length, sizeof text - static_cast<size_t>(length), "%s %ld\n", kNames[kind],
                              calls[kind].load());
    }
    const long file = ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    ::syscall(SYS_write, file, text, length);
    ::syscall(SYS_close, file);
  }
} atExit;

template <typename F>
F next(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  if (!allocationFails()) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(size_t count, size_t size) {
  if (!allocationFails()) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* old, size_t size) {
  if (!allocationFails()) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}
void* aligned_alloc(size_t alignment, size_t size) {
  if (!allocationFails()) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (allocationFails()) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

__sighandler_t signal(int number, __sighandler_t handler) noexcept {
  begin();
  static const auto real = next<__sighandler_t (*)(int, __sighandler_t)>("signal");
  return real(number, handler);
}

ssize_t write(int file, const void* data, size_t size) {
  if (fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_write, file, data, size);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  if (fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_pwrite64, file, data, size, offset);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  return pwrite64(file, data, size, offset);
}
int fsync(int file) {
  if (fails(kFsync)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}
int fdatasync(int file) {
  if (fails(kFsync)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fdatasync, file));
}
// A file takes its name by one of these.
int rename(const char* from, const char* to) noexcept {
  if (fails(kRename)) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int link(const char* from, const char* to) noexcept {
  if (fails(kRename)) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) noexcept {
  if (fails(kRename)) {
    errno = EACCES;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_linkat, fromFolder, from, toFolder, to, flags));
}
ssize_t read(int file, void* data, size_t size) {
  if (fails(kRead)) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_read, file, data, size);
}
ssize_t pread64(int file, void* data, size_t size, off64_t offset) {
  if (fails(kRead)) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pread64, file, data, size, offset);
}
ssize_t pread(int file, void* data, size_t size, off_t offset) {
  return pread64(file, data, size, offset);
}
int open64(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  if (fails(kOpen)) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return open64(path, flags, mode);
}

}  // extern "C"
