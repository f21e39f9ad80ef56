#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

// Runs the program as a user would: through the shell, in a folder of its own.
struct Outcome {
  int exit = -1;
  std::string out;
  std::string err;
};

class Workshop {
 public:
  Workshop() {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("wend_program_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  ~Workshop() { std::filesystem::remove_all(folder_); }

  Outcome wend(const std::string& arguments) const { return shell(std::string("'" WEND_PROGRAM "' ") + arguments); }
  Outcome shell(const std::string& command) const {
    const std::string line =
        "cd '" + folder_.string() + "' && { " + command + "; } >stdout.txt 2>stderr.txt </dev/null";
    const int status = std::system(line.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text("stdout.txt"),
                    text("stderr.txt")};
    std::filesystem::remove(folder_ / "stdout.txt");
    std::filesystem::remove(folder_ / "stderr.txt");
    return outcome;
  }
  void write(const std::string& name, const std::string& contents) const {
    std::ofstream(folder_ / name, std::ios::binary) << contents;
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::stringstream stream;
    stream << file.rdbuf();
    return stream.str();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};
