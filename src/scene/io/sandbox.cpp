#include "scene/io/sandbox.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#endif

namespace wend {

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kMachine = 0;
#endif

// Memory, time, threads' locks, and files that are open already.
constexpr auto kAllowed = std::to_array<uint32_t>({
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_write,
    SYS_writev,
    SYS_lseek,
    SYS_fstat,
    SYS_close,
    SYS_brk,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_futex,
    SYS_sched_yield,
    SYS_exit,
    SYS_exit_group,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_getrandom,
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
    SYS_rt_sigaction,
    SYS_sigaltstack,
    SYS_getpid,
    SYS_gettid,
    SYS_newfstatat,
    SYS_sched_getaffinity,
    SYS_sysinfo,
    SYS_restart_syscall,
});

// No file may be opened, read or made by name, whatever system call asks for it.
void closeFileSystem() {
#if defined(LANDLOCK_ACCESS_FS_EXECUTE) && defined(SYS_landlock_create_ruleset)
  landlock_ruleset_attr all{};
  // The rights of the first version of landlock: bits 0 to 12.
  all.handled_access_fs = (uint64_t{1} << 13) - 1;
  const long rules = ::syscall(SYS_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
  if (rules < 0) return;
  ::syscall(SYS_landlock_restrict_self, static_cast<int>(rules), 0);
  ::close(static_cast<int>(rules));
#endif
}

// Any other system call fails as one without permission does.
void filterCalls() {
  if (kMachine == 0) return;
  // Calls that reach other processes of the same user, with the only first argument that they may have: this process.
  const std::array<std::pair<uint32_t, uint32_t>, 2> ownOnly{{
      {SYS_tgkill, static_cast<uint32_t>(::getpid())},  // of abort()
      {SYS_prlimit64, 0},
  }};
  constexpr size_t kCalls = kAllowed.size();
  constexpr size_t kStepsOfOwn = 5;
  std::array<sock_filter, kCalls + ownOnly.size() * kStepsOfOwn + 6> program{};
  size_t n = 0;
  program[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0);
  program[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (const auto& [call, argument] : ownOnly) {
    program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, kStepsOfOwn - 1);
    // Both are ids of processes, which have 32 bits.
    program[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args));
    program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument, 0, 1);
    program[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA));
  }
  for (size_t i = 0; i < kCalls; ++i) {
    program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kAllowed[i], static_cast<uint8_t>(kCalls - i), 0);
  }
  program[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA));
  program[n++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog filter{static_cast<unsigned short>(n), program.data()};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

}  // namespace

void enterSandbox() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  closeFileSystem();
  filterCalls();
}
#else
void enterSandbox() {}
#endif

}  // namespace wend
