#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/scratch_folder.h"
#include "command.h"
#include "process/parts.h"
#include "process/streams.h"

namespace {

constexpr const char* kNoMemory = "wend: out of memory; the world is too large for this machine\n";

// std::filesystem reports a lack of memory as an error of the system.
void printException(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::not_enough_memory) return wend::app::printError(kNoMemory);
  wend::app::printError("wend: internal error: ");
  wend::app::printError(error.what());
  wend::app::printError("; please report it\n");
}

// Parts that are not ours end the program where they cannot throw: in a destructor that needs memory, for example. That
// is no reason to say nothing, or to leave a core file.
[[noreturn]] void onTerminate() {
  const std::exception_ptr thrown = std::current_exception();
  try {
    if (thrown) std::rethrow_exception(thrown);
    wend::app::printError("wend: internal error; please report it\n");
  } catch (const std::bad_alloc&) {
    wend::app::printError(kNoMemory);
  } catch (const std::exception& error) {
    printException(error);
  } catch (...) {
    wend::app::printError("wend: internal error; please report it\n");
  }
  wend::removeScratchFolders();
  ::_exit(wend::app::kFailed);
}

// A .wend file is read where it lies: another program that cuts it off meanwhile takes the pages away.
extern "C" void onLostPages(int) {
  constexpr char kSentence[] = "wend: a file was cut off by another program while it was read\n";
  [[maybe_unused]] const auto put = ::write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  wend::removeScratchFolders();
  ::_exit(wend::app::kFailed);
}

struct CommandMaker {
  std::string_view name;
  void (*add)(wend::app::Program& program);
};

// In the order of --help. The options of all commands together take most of the time of a short run, so only the
// command that is asked for gets them.
constexpr CommandMaker kCommands[] = {{"make", wend::app::addMake},       {"extract", wend::app::addExtract},
                                      {"bake", wend::app::addBake},       {"edit", wend::app::addEdit},
                                      {"volumes", wend::app::addVolumes}, {"prisms", wend::app::addPrisms},
                                      {"info", wend::app::addInfo},       {"check", wend::app::addCheck},
                                      {"draw", wend::app::addDraw},       {"path", wend::app::addPath},
                                      {"table", wend::app::addTable},     {"generators", wend::app::addGenerators},
                                      {"measure", wend::app::addMeasure}, {"compare", wend::app::addCompare},
                                      {"select", wend::app::addSelect},   {"simulate", wend::app::addSimulate},
                                      {"report", wend::app::addReport},   {"trajectories", wend::app::addTrajectories},
                                      {"explore", wend::app::addExplore}, {"contest", wend::app::addContest},
                                      {"view", wend::app::addView}};

const CommandMaker* findCommand(std::string_view name) {
  const auto* found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                   [&](const CommandMaker& command) { return command.name == name; });
  return found == std::end(kCommands) ? nullptr : found;
}

int runProgram(int argc, char** argv) {
  using namespace wend::app;
  Program program;
  // For --help; they are answered without a command.
  bool shown[2] = {};
  program.line.addFlag("--version", shown[0], "the version; with --json also those of the parts");
  program.line.addFlag("--json", shown[1], "with --version: one machine-readable object");
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  const bool onlyFlags =
      std::all_of(words.begin(), words.end(), [](std::string_view w) { return w == "--version" || w == "--json"; });
  if (has("--version") && onlyFlags) {
    printOut(has("--json") ? partsJson() : std::string("wend ") + WEND_VERSION + "\n");
    return kOk;
  }
  program.line.footer(
      "Lengths are metres, angles degrees, times seconds. Exit: 0 done, 1 the work failed or a check found\n"
      "something, 2 wrong usage.\n\n"
      "Example:\n"
      "  wend make city -o city.env\n"
      "  wend bake city.env -o city.wend\n"
      "  wend path city.wend --from 5,5 --to 495,495\n"
      "  wend draw city.wend -o city.svg --route 5,5:495,495");
  const CommandMaker* asked = argc > 1 ? findCommand(argv[1]) : nullptr;
  if (argc > 1 && argv[1][0] != '-' && asked == nullptr) {
    printError(fmt::format("wend: there is no command '{}'; see wend --help\n", argv[1]));
    return kUsage;
  }
  for (const CommandMaker& command : kCommands) {
    if (asked == nullptr || asked == &command) command.add(program);
  }
  std::string sentence;
  switch (program.line.run(argc, argv, sentence)) {
    case CommandLine::Outcome::kHelped:
      return kOk;
    case CommandLine::Outcome::kWrong:
      printError(fmt::format("wend: {}; see wend --help\n", sentence));
      return kUsage;
    case CommandLine::Outcome::kRan:
      break;
  }
  return program.exitCode;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace wend::app;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error, not a death
  std::signal(SIGXFSZ, SIG_IGN);  // likewise the limit of a file's size
  std::signal(SIGBUS, onLostPages);
  std::set_terminate(onTerminate);
  openStandardStreams();
  // Sentences that need no memory.
  int code = kFailed;
  try {
    code = runProgram(argc, argv);
  } catch (const std::bad_alloc&) {
    printError(kNoMemory);
  } catch (const std::exception& error) {
    printException(error);
  }
  return finishStreams(code);
}
