#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <wend/context.h>
#include <wend/result.h>

// Shows files in the browser: docs/viewer.md.
namespace wend {

struct ViewSettings {
  // Scenes, environments, worlds, scenarios, recordings, folders of `wend compare`; "make:KIND ..." too. None: the page
  // offers demo worlds.
  std::vector<std::string> files;
  uint16_t port = 0;       // of 127.0.0.1; 0: any free one
  std::string pageFolder;  // of the built page; empty: where it was installed or built
  int threads = 0;         // 0: all cores
  // Called once, with the address to open. It holds a secret: any program that knows it can use the server.
  std::function<void(const std::string& address)> onReady;
};

// Serves until `context` is cancelled. Only programs of this machine that know the address can connect. The server
// reads no files but those in `files`. Errors: a file that cannot be shown, a port that is taken, a page that is not
// built.
Status view(const ViewSettings& settings, const Context& context);

}  // namespace wend
