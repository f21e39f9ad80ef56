#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <wend/file.h>
#include <wend/view.h>

#include <fmt/format.h>

#include "base/scratch_folder.h"
#include "serve/engine.h"
#include "serve/server.h"

namespace wend {
namespace {

namespace fs = std::filesystem;

bool isPage(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "index.html", error);
}

Result<std::string> findPage(const std::string& given) {
  std::vector<fs::path> folders;
  if (!given.empty()) {
    if (isPage(given)) return given;
    return Error{ErrorCode::kFileNotFound,
                 fmt::format("the folder '{}' has no index.html; make view builds the page", given)};
  }
  if (const char* named = std::getenv("WEND_VIEWER"); named != nullptr && *named != '\0') folders.emplace_back(named);
  std::error_code error;
  if (const fs::path self = fs::read_symlink("/proc/self/exe", error); !error) {
    folders.push_back(self.parent_path() / WEND_VIEWER_FROM_BIN);
  }
  folders.emplace_back(WEND_VIEWER_INSTALLED);
  folders.emplace_back(WEND_VIEWER_BUILT);
  for (const fs::path& folder : folders) {
    if (isPage(folder)) return folder.string();
  }
  return Error{
      ErrorCode::kFileNotFound,
      "the page of wend view is not built; run 'make view' in the folder of the sources (it needs node and npm), "
      "or set WEND_VIEWER to the folder that holds its index.html"};
}

std::string typeOf(const fs::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".html") return "text/html; charset=utf-8";
  if (ending == ".js") return "text/javascript; charset=utf-8";
  if (ending == ".css") return "text/css; charset=utf-8";
  if (ending == ".svg") return "image/svg+xml";
  if (ending == ".png") return "image/png";
  return "application/octet-stream";
}

// All of it, once: later requests name an entry of this table, never a path.
Result<std::map<std::string, serve::Content>> readPage(const std::string& folder) {
  std::map<std::string, serve::Content> page;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    const auto bytes = readFile(it->path().string(), size_t{32} << 20);
    if (!bytes.ok()) return bytes.error();
    page[it->path().filename().string()] = {
        std::make_shared<const std::string>(reinterpret_cast<const char*>(bytes->data()), bytes->size()),
        typeOf(it->path()), ""};
  }
  if (error) return Error{ErrorCode::kFileNotFound, fmt::format("cannot read '{}': {}", folder, error.message())};
  return page;
}

}  // namespace

Status view(const ViewSettings& settings, const Context& context) {
  std::vector<serve::Document> documents;
  for (const std::string& file : settings.files) {
    Result<serve::Document> document = serve::recogniseDocument(file);
    if (!document.ok()) return document.error();
    documents.push_back(*std::move(document));
  }
  const Result<std::string> folder = findPage(settings.pageFolder);
  if (!folder.ok()) return folder.error();
  Result<std::map<std::string, serve::Content>> page = readPage(*folder);
  if (!page.ok()) return page.error();
  const Result<ScratchFolder> scratch = ScratchFolder::make("", "wend-view-");
  if (!scratch.ok()) {
    return Error{ErrorCode::kFileNotWritten,
                 "no folder for recordings can be made; set TMPDIR to one that can be written"};
  }
  serve::Engine engine(std::move(documents), scratch->path(), settings.threads);
  serve::ServerSettings serving;
  serving.port = settings.port;
  serving.token = serve::randomToken();
  serving.page = *std::move(page);
  Result<std::unique_ptr<serve::Server>> server = serve::Server::start(std::move(serving), engine);
  if (!server.ok()) return server.error();
  engine.start(**server);
  if (settings.onReady) settings.onReady((*server)->address());
  while (!context.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  engine.stop();
  server->reset();
  return Done{};
}

}  // namespace wend
