// Sends changed files through the program, each in a process of its own with 2 GiB of address space and 30 seconds:
// bytes flipped, overwritten, cut, repeated. The same seed gives the same file. For scripts/mutate_files.sh.
//
//   wend_mutate_files SEED FROM TO                             writes one changed file
//   wend_mutate_files PROGRAM FIRST COUNT STRIDE LIST          COUNT of them from seed FIRST on, every STRIDE-th
//
// The LIST has a line per file: its path, and the words after the name of the program, where @ stands for the changed
// file. The folder must have the folders in/ and out/, empty; only what begins with in/changed. or out/ may be there
// afterwards, and neither a hidden file nor a temporary one.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<char>;

constexpr int kSeconds = 30;
constexpr rlim_t kAddressSpace = rlim_t{2} << 30;

Bytes read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool write(const std::string& path, const Bytes& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out.good();
}

Bytes changed(Bytes bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); };
  const size_t changes = 1 + below(6);
  for (size_t i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:  // an edge of whole numbers
        for (size_t k = at; k < bytes.size() && k < at + 4; ++k) bytes[k] = static_cast<char>(below(2) == 0 ? 0xff : 0);
        break;
      case 3:
        if (below(8) == 0) bytes.resize(at);
        break;
      case 4: {  // a digit, for texts
        const char digits[] = "0123456789-.e";
        bytes[at] = digits[below(sizeof digits - 1)];
        break;
      }
      default: {
        const size_t length = below(64);
        const Bytes piece(bytes.begin() + static_cast<long>(at),
                          bytes.begin() + static_cast<long>(std::min(bytes.size(), at + length)));
        bytes.insert(bytes.begin() + static_cast<long>(below(bytes.size())), piece.begin(), piece.end());
      }
    }
  }
  return bytes;
}

struct Work {
  std::string path;
  Bytes bytes;
  std::string name;  // of the changed file
  std::vector<std::string> words;
};

std::vector<Work> workOf(const std::string& list) {
  std::vector<Work> all;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line);
    Work work;
    text >> work.path;
    work.bytes = read(work.path);
    work.name = "in/changed" + fs::path(work.path).extension().string();
    for (std::string word; text >> word;) work.words.push_back(word == "@" ? work.name : word);
    all.push_back(std::move(work));
  }
  return all;
}

// The exit code, 128 and the signal, or 124 after too long a time. What it says goes to the file `said`.
int run(const std::string& program, const std::vector<std::string>& words) {
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    const int said = ::open("said", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(said, STDOUT_FILENO);
    ::dup2(said, STDERR_FILENO);
    const rlimit memory{kAddressSpace, kAddressSpace};
    const rlimit core{};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CORE, &core);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
  }
  const auto begin = std::chrono::steady_clock::now();
  int status = 0;
  for (int pause = 500; ::waitpid(child, &status, WNOHANG) == 0; pause = std::min(pause * 2, 10000)) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(kSeconds)) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return 124;
    }
    ::usleep(static_cast<useconds_t>(pause));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What is there and should not be; "" if nothing. Empties both folders.
std::string leftover() {
  std::string found;
  for (const char* folder : {"in", "out"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const bool isInput = name.starts_with("changed.") && name.find('.', 8) == std::string::npos;
      const bool isJournal = name.ends_with("-wal") || name.ends_with("-shm");
      const bool isOutput = name == "page" || name == "r.sqlite" || name == "other.wend" || name.ends_with(".csv") ||
                            name.ends_with(".json") || name.ends_with(".svg") || name.ends_with(".txt") ||
                            name.ends_with(".env");
      if (folder == std::string("in") ? !isInput && !isJournal : !isOutput && !isJournal) found = entry.path().string();
      fs::remove_all(entry.path());
    }
  }
  return found;
}

int runAll(const std::string& program, uint64_t first, uint64_t count, uint64_t stride, const std::string& list) {
  const std::vector<Work> all = workOf(list);
  uint64_t bad = 0;
  uint64_t accepted = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + i * stride;
    const Work& work = all[seed % all.size()];
    if (!write(work.name, changed(work.bytes, seed))) return 2;
    const int code = run(program, work.words);
    accepted += code == 0 ? 1 : 0;
    const Bytes told = read("said");
    const std::string said(told.begin(), told.begin() + static_cast<long>(std::min<size_t>(told.size(), 2000)));
    const std::string left = leftover();
    if (code <= 2 && left.empty() && said.find("internal error") == std::string::npos && (code == 0 || !said.empty())) {
      continue;
    }
    ++bad;
    std::string line;
    for (const std::string& word : work.words) line += " " + word;
    std::printf("%s seed %llu:%s: exit %d %s: %s\n", work.path.c_str(), static_cast<unsigned long long>(seed),
                line.c_str(), code, left.c_str(), said.substr(0, 200).c_str());
    std::fflush(stdout);
  }
  std::printf("%llu changed files, %llu taken, %llu that hurt\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(accepted), static_cast<unsigned long long>(bad));
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (argc == 4) return write(argv[3], changed(read(argv[2]), number(1))) ? 0 : 1;
  if (argc == 6) return runAll(argv[1], number(2), number(3), number(4), argv[5]);
  return 2;
}
