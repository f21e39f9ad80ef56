#include <csignal>
#include <exception>

#include <fmt/format.h>

#include "command.h"

namespace {

bool isCommand(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace wend::app;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error, not a death
  Program program;
  CLI::App& app = program.app;
  app.set_version_flag("--version", std::string("wend ") + WEND_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Lengths are metres, angles degrees, times seconds. Exit: 0 done, 1 the work failed or a check found\n"
      "something, 2 wrong usage.\n\n"
      "Example:\n"
      "  wend make city -o city.env\n"
      "  wend bake city.env -o city.wend\n"
      "  wend path city.wend --from 5,5 --to 495,495\n"
      "  wend draw city.wend -o city.svg --route 5,5:495,495");
  addMake(program);
  addExtract(program);
  addBake(program);
  addEdit(program);
  addVolumes(program);
  addPrisms(program);
  addInfo(program);
  addCheck(program);
  addDraw(program);
  addPath(program);
  addTable(program);
  addGenerators(program);
  addMeasure(program);
  addCompare(program);
  addSelect(program);
  addSimulate(program);
  addReport(program);
  addTrajectories(program);
  addExplore(program);
  addContest(program);
  addView(program);
  if (argc > 1 && argv[1][0] != '-' && !isCommand(app, argv[1])) {
    fmt::print(stderr, "wend: there is no command '{}'; see wend --help\n", argv[1]);
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "wend: {}; see wend --help\n", error.what());
    return kUsage;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "wend: out of memory; the world is too large for this machine\n");
    return kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "wend: internal error: {}; please report it\n", error.what());
    return kFailed;
  }
  if (std::fflush(stdout) != 0) {
    fmt::print(stderr, "wend: cannot write to standard output\n");
    return kFailed;
  }
  return program.exitCode;
}
