#include <cstdlib>
#include <memory>

#include <wend/view.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"

namespace wend::app {
namespace {

struct ViewOptions {
  Run run;
  ViewSettings settings;
  bool noBrowser = false;
};

// Without a shell, so that nothing in the address can be taken for a command. A browser that cannot be started is no
// error: the address is printed.
void openBrowser(const std::string& address) {
  const pid_t child = ::fork();
  if (child != 0) {
    if (child > 0) ::waitpid(child, nullptr, 0);
    return;
  }
  // A grandchild, so that no process has to wait for it.
  if (::fork() == 0) {
    ::setsid();
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(1);
    ::execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
  }
  ::_exit(0);
}

int run(ViewOptions& o) {
  o.settings.threads = o.run.threads;
  o.settings.onReady = [&](const std::string& address) {
    o.run.finishProgress();
    o.run.say(fmt::format("{}\nopen it in a browser; Ctrl-C ends wend view", address));
    o.run.print({{"ok", true}, {"address", address}});
    std::fflush(stdout);
    const bool screen = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
    if (!o.noBrowser && screen) openBrowser(address);
  };
  const Status status = view(o.settings, o.run.context());
  return status.ok() ? kOk : o.run.fail(status.error());
}

}  // namespace

void addView(Program& program) {
  auto o = std::make_shared<ViewOptions>();
  Command command = program.line.addCommand("view", "look at files and change them in the browser");
  command.addOption("FILE", o->settings.files,
                    "scenes, environments, worlds, scenarios, recordings, folders of wend compare; none: demo worlds");
  command.addOption("--port", o->settings.port, "port of 127.0.0.1; 0 = any free one")
      .check(range(0, 65535))
      .showDefault();
  command.addOption("--page", o->settings.pageFolder, "folder of the built page, if it is not where it was installed");
  command.addFlag("--no-browser", o->noBrowser, "only print the address");
  o->run.addCommonOptions(command);
  command.footer(
      "Only programs of this machine can connect, and only with the address that is printed.\n\n"
      "Examples:\n  wend view\n  wend view level.glb\n  wend view station.wend run.sqlite examples/crowd/station.toml\n"
      "  wend view comparison/ --port 8080 --no-browser");
  command.onRun([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
