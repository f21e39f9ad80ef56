#include "simulate/output_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace wend::app {
namespace {

namespace fs = std::filesystem;

// What writeText() begins with.
constexpr std::string_view kTextMark = "# framerate:";
// What a folder of writeReport() always has.
constexpr std::string_view kReportMark = "summary.json";

Error refused(std::string_view name, std::string_view what) {
  return {ErrorCode::kFileNotWritten, fmt::format("[output] of the scenario names '{}', {}", name, what)};
}

// The reader has refused absolute paths and '..'; links may still lead elsewhere.
Result<fs::path> beside(const std::string& name, const std::string& recording, const std::vector<std::string>& inputs) {
  const fs::path folder = fs::absolute(recording).parent_path();
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder, error);
  const fs::path target = error ? fs::path() : fs::weakly_canonical(folder / name, error);
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  const fs::path own = error ? fs::path() : fs::weakly_canonical(recording, error);
  bool isOwn = !error && end == root.end() && rest != target.end() && target != own;
  for (const char* journal : {"-wal", "-shm", "-journal"}) isOwn = isOwn && target != own.string() + journal;
  // A link without a target is none that an older run has left.
  isOwn = isOwn && !(fs::is_symlink(folder / name, error) && !fs::exists(folder / name, error));
  for (const std::string& input : inputs) {
    std::error_code none;
    isOwn = isOwn && (input.empty() || !fs::equivalent(target, input, none));
  }
  if (!isOwn) return refused(name, "which is not a file of its own beside the recording");
  return target;
}

bool isTrajectoryText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, kTextMark.size()> head{};
  file.read(head.data(), head.size());
  return file.gcount() == 0 || std::string_view(head.data(), static_cast<size_t>(file.gcount())) == kTextMark;
}

Status mayWriteText(const std::string& name, const fs::path& path, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Done{};
  if (!fs::is_regular_file(status)) return refused(name, "which exists and is no file");
  if (force || isTrajectoryText(path)) return Done{};
  return refused(name, "which exists and is no text of trajectories; choose another name, or replace it with --force");
}

Status mayWriteReport(const std::string& name, const fs::path& path, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Done{};
  if (!fs::is_directory(status)) return refused(name, "which exists and is no folder");
  if (!force && !fs::is_empty(path, error) && !fs::is_regular_file(path / kReportMark, error)) {
    return refused(name, "which exists and is no folder of a report; choose another name, or use --force");
  }
  // Links are not followed here, and would be when the report is written.
  fs::recursive_directory_iterator entry(path, fs::directory_options::none, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::file_type type = entry->symlink_status(error).type();
    if (type == fs::file_type::regular || type == fs::file_type::directory) continue;
    return refused(name, fmt::format("where '{}' is neither file nor folder", entry->path().filename().string()));
  }
  if (error) return refused(name, fmt::format("which cannot be read: {}", error.message()));
  return Done{};
}

}  // namespace

Result<OutputFiles> outputFiles(const ScenarioOutput& output, const std::string& recording,
                                const std::vector<std::string>& inputs, bool force) {
  OutputFiles files;
  if (!output.text.empty()) {
    const Result<fs::path> path = beside(output.text, recording, inputs);
    if (!path.ok()) return path.error();
    if (Status status = mayWriteText(output.text, *path, force); !status.ok()) return status.error();
    files.text = path->string();
  }
  if (!output.dir.empty()) {
    const Result<fs::path> path = beside(output.dir, recording, inputs);
    if (!path.ok()) return path.error();
    if (Status status = mayWriteReport(output.dir, *path, force); !status.ok()) return status.error();
    files.folder = path->string();
  }
  return files;
}

}  // namespace wend::app
