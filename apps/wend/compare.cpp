#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include <dirent.h>
#include <fmt/format.h>

#include "base/scratch_folder.h"
#include "compare/compare_grids.h"
#include "compare/compare_page.h"
#include "compare/compare_volumes.h"
#include "process/folder_lock.h"

namespace wend::app {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  Run run;
  std::vector<std::string> inputs;
  std::string output;
  std::vector<std::string> generators;
  std::vector<std::string> suite;
  bool again = false;
  size_t pictureKilobytes = 800;
  CompareWork work;
  uint32_t cities = 3;
};

// The environments of the comparative study as `wend make` draws them; the mazes' seeds give the published number of
// vertices.
const std::vector<std::pair<std::string, MakeSettings>>& studyWorlds() {
  static const std::vector<std::pair<std::string, MakeSettings>> all{{"military", {"military", {}, 1, {}}},
                                                                     {"university", {"university", {}, 1, {}}},
                                                                     {"zelda", {"zelda", {}, 1, {}}},
                                                                     {"zelda2x2", {"zelda", {{"tiles", 2}}, 1, {}}},
                                                                     {"zelda4x4", {"zelda", {{"tiles", 4}}, 1, {}}},
                                                                     {"city", {"city", {}, 1, {}}},
                                                                     {"maze8", {"maze", {{"size", 8}}, 4, {}}},
                                                                     {"maze16", {"maze", {{"size", 16}}, 2, {}}},
                                                                     {"maze32", {"maze", {{"size", 32}}, 8, {}}},
                                                                     {"maze64", {"maze", {{"size", 64}}, 17, {}}},
                                                                     {"maze128", {"maze", {{"size", 128}}, 1309, {}}},
                                                                     {"parking-lot", {"parking-lot", {}, 1, {}}},
                                                                     {"library", {"library", {}, 1, {}}},
                                                                     {"oilrig", {"oilrig", {}, 1, {}}},
                                                                     {"neogen1", {"neogen1", {}, 1, {}}},
                                                                     {"neogen2", {"neogen2", {}, 1, {}}},
                                                                     {"neogen3", {"neogen3", {}, 1, {}}},
                                                                     {"tower", {"tower", {}, 1, {}}},
                                                                     {"big-city", {"big-city", {}, 1, {}}}};
  return all;
}

// A name for files and tables: the file's, without what a file name may not hold.
std::string safeName(std::string name) {
  for (char& c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  return name.empty() || name[0] == '.' ? "_" + name : name;
}

Result<std::vector<std::string>> filesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error)) files.push_back(it->path().string());
  }
  if (error)
    return Error{ErrorCode::kFileNotFound, fmt::format("cannot read the folder '{}': {}", folder, error.message())};
  if (files.empty()) return Error{ErrorCode::kEmpty, fmt::format("the folder '{}' holds no file", folder)};
  std::sort(files.begin(), files.end());
  return files;
}

constexpr const char* kScratch = ".compare-";

class CompareRun {
 public:
  explicit CompareRun(CompareOptions& options) : o_(options), context_(options.run.context()) {}

  int run() {
    if (const Status status = makeFolder(o_.output); !status.ok()) return o_.run.fail(status.error());
    const Result<FolderLock> lock = FolderLock::take(o_.output);
    if (!lock.ok()) return o_.run.fail(lock.error());
    if (!o_.suite.empty() && o_.suite[0] == "grids") {
      const uint32_t pixels = o_.work.pixels == CompareWork{}.pixels ? 512 : static_cast<uint32_t>(o_.work.pixels);
      return compareGrids(o_.run, {o_.output, o_.cities, o_.run.seed, pixels});
    }
    if (!o_.suite.empty() && o_.suite[0] == "volumes") {
      std::vector<std::string> scenes = o_.inputs;
      scenes.insert(scenes.end(), o_.suite.begin() + 1, o_.suite.end());
      return compareVolumes(o_.run, {o_.output, scenes, o_.work.limits.seconds});
    }
    Comparison& c = comparison_;
    c.pictures = o_.output + "/pictures";
    for (const std::string& folder : {c.pictures, o_.output + "/rows", o_.output + "/meshes"}) {
      if (const Status status = makeFolder(folder); !status.ok()) return o_.run.fail(status.error());
    }
    removeOldScratch();
    const Result<ScratchFolder> scratch = ScratchFolder::make(o_.output, kScratch);
    if (!scratch.ok()) return o_.run.fail(scratch.error());
    o_.work.scratch = scratch->path();
    if (const Status status = chooseGenerators(); !status.ok()) return o_.run.fail(status.error());
    if (const Status status = collectWorlds(); !status.ok()) return o_.run.fail(status.error());
    o_.work.folder = o_.output;
    o_.work.seed = o_.run.seed;
    o_.work.threads = o_.run.threads;
    c.pictureBytes = o_.pictureKilobytes * 1000;
    c.seconds = o_.work.limits.seconds;
    c.megabytes = o_.work.limits.megabytes;
    c.repeat = o_.work.repeat;
    c.command = command();
    const size_t total = c.worlds.size() * c.generators.size();
    for (const CompareWorld& world : c.worlds) {
      for (const std::string& generator : c.generators) {
        context_.report("comparing", static_cast<double>(c.rows.size()) / static_cast<double>(total));
        CompareRow row = rowOf(world, generator);
        if (failure_) return o_.run.fail(*failure_);
        if (context_.cancelled()) {
          return o_.run.fail(
              ErrorCode::kCancelled,
              fmt::format("stopped after {} of {} rows; the same command goes on from there", c.rows.size(), total));
        }
        o_.run.say(fmt::format("[{}/{}] {} {}: {}{}{}", c.rows.size() + 1, total, world.name, generator, row.status,
                               row.message.empty() ? "" : ", ", row.message));
        std::fflush(stdout);  // one sees it in a log, too
        c.rows.push_back(std::move(row));
      }
    }
    return write();
  }

 private:
  // Of runs that were killed: no other run uses the folder.
  void removeOldScratch() const {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(o_.output.c_str()), &::closedir);
    if (folder == nullptr) return;
    std::vector<std::string> old;
    while (const dirent* entry = ::readdir(folder.get())) {
      if (std::string_view(entry->d_name).starts_with(kScratch)) old.push_back(o_.output + "/" + entry->d_name);
    }
    for (const std::string& path : old) removeTree(path.c_str());
  }

  Status chooseGenerators() {
    if (o_.generators.empty()) {
      for (const GeneratorInfo& info : generators()) comparison_.generators.push_back(info.name);
      return Done{};
    }
    for (const std::string& name : o_.generators) {
      if (findGenerator(name) == nullptr) {
        return Error{ErrorCode::kInvalidSettings, fmt::format("there is no generator '{}'; see wend generators", name)};
      }
      const auto& known = comparison_.generators;
      if (std::find(known.begin(), known.end(), name) == known.end()) comparison_.generators.push_back(name);
    }
    return Done{};
  }

  Status collectWorlds() {
    std::vector<std::string> files = o_.inputs;
    if (!o_.suite.empty()) {
      if (o_.suite[0] == "maps" && o_.suite.size() == 2) {
        Result<std::vector<std::string>> found = filesIn(o_.suite[1]);
        if (!found.ok()) return found.error();
        files.insert(files.end(), found->begin(), found->end());
      } else if (o_.suite[0] == "study") {
        files.insert(files.end(), o_.suite.begin() + 1, o_.suite.end());
        if (Status status = makeStudy(); !status.ok()) return status;
      } else {
        return Error{ErrorCode::kInvalidSettings, "--suite is 'study', 'grids', 'volumes', or 'maps' and a folder"};
      }
    }
    for (const std::string& file : files) {
      if (Status status = addFile(file); !status.ok()) return status;
    }
    if (comparison_.worlds.empty()) {
      return Error{ErrorCode::kInvalidSettings, "nothing to compare on; give environments, or --suite"};
    }
    return Done{};
  }

  Status makeStudy() {
    const std::string folder = o_.output + "/worlds";
    if (Status status = makeFolder(folder); !status.ok()) return status;
    for (const auto& [name, settings] : studyWorlds()) {
      context_.report("making worlds", static_cast<double>(comparison_.worlds.size()) / 19);
      const Result<Environment> world = makeEnvironment(settings, context_);
      if (!world.ok()) return world.error();
      const std::string path = folder + "/" + name + ".env";
      if (Status status = writeEnvironment(*world, path); !status.ok()) return status;
      addWorld(name, path, *world);
    }
    return Done{};
  }

  Status addFile(const std::string& path) {
    context_.report("reading", 0);
    const Result<Input> input = readInput(path, o_.work.read, context_);
    if (!input.ok()) return input.error();
    if (!input->environment) {
      return Error{ErrorCode::kFormat, fmt::format("'{}' is a world with a mesh; compare takes environments", path)};
    }
    const std::string base = safeName(fs::path(path).stem().string());
    std::string name = base;
    const auto taken = [&] {
      return std::any_of(comparison_.worlds.begin(), comparison_.worlds.end(),
                         [&](const CompareWorld& w) { return w.name == name; });
    };
    for (int i = 2; taken(); ++i) name = fmt::format("{}_{}", base, i);
    addWorld(name, fs::absolute(path).string(), *input->environment);
    return Done{};
  }

  void addWorld(const std::string& name, const std::string& path, const Environment& environment) {
    const Topology t = topology(environment);
    CompareWorld world{name,
                       path,
                       vertexCount(environment),
                       environment.layers.size(),
                       environment.lattice.area(t.doubledArea),
                       t,
                       hash(environment),
                       {}};
    const Box box = boundingBox(environment);
    if (!box.empty()) {
      const Vec2 low = environment.lattice.toMetres(box.min);
      const Vec2 high = environment.lattice.toMetres(box.max);
      world.size = {high.x - low.x, high.y - low.y};
    }
    comparison_.worlds.push_back(std::move(world));
  }

  // Everything a row depends on: a row of another program, world or setting is made anew.
  std::string keyOf(const CompareWorld& world) const {
    const std::string program = ownProgram();
    std::error_code ignored;
    const auto time = fs::last_write_time(program, ignored).time_since_epoch().count();
    const CompareWork& w = o_.work;
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", WEND_VERSION, time, hexHash(world.hash), w.repeat,
                       w.limits.seconds, w.limits.megabytes, w.queries, w.pixels, w.seed, w.threads, w.read.unit);
  }

  CompareRow rowOf(const CompareWorld& world, const std::string& generator) {
    const std::string path = fmt::format("{}/rows/{}--{}.json", o_.output, world.name, generator);
    const std::string key = keyOf(world);
    if (!o_.again) {
      if (const auto bytes = readFile(path); bytes.ok()) {
        const Json kept = Json::parse(reinterpret_cast<const char*>(bytes->data()),
                                      reinterpret_cast<const char*>(bytes->data()) + bytes->size(), nullptr, false);
        if (kept.is_object() && kept.contains("key") && kept["key"] == key) {
          if (std::optional<CompareRow> row = rowFromJson(kept)) return *std::move(row);
        }
      }
    }
    CompareRow row = makeRow(world, generator, o_.work, context_);
    if (context_.cancelled()) return row;
    // Not kept: the same command tries it again.
    if (row.isAccident) {
      ++accidents_;
      return row;
    }
    Json json = toJson(row);
    json["key"] = key;
    if (const Status status = writeFile(path, dump(json)); !status.ok()) failure_ = status.error();
    return row;
  }

  static std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

  std::string command() const {
    std::string text = "wend compare";
    for (const std::string& input : o_.inputs) text += " " + fs::path(input).filename().string();
    if (!o_.suite.empty()) text += " --suite " + o_.suite[0];
    if (!o_.generators.empty()) text += fmt::format(" --generators {}", fmt::join(o_.generators, ","));
    return text + fmt::format(" --repeat {} --timeout {:g} --memory {:g} -o {}", o_.work.repeat, o_.work.limits.seconds,
                              o_.work.limits.megabytes, fs::path(o_.output).filename().string());
  }

  int write() {
    const Comparison& c = comparison_;
    const Json json = comparisonJson(c);
    const std::vector<std::pair<std::string, std::string>> files{
        {"results.csv", comparisonCsv(c)}, {"results.json", dump(json)}, {"index.html", comparisonPage(c)}};
    for (const auto& [name, text] : files) {
      if (const Status status = writeFile(o_.output + "/" + name, text); !status.ok())
        return o_.run.fail(status.error());
    }
    o_.run.finishProgress();
    const auto wrong =
        std::count_if(c.rows.begin(), c.rows.end(), [](const CompareRow& r) { return r.status != "ok"; });
    o_.run.say(fmt::format("{0}/index.html, {0}/results.csv, {0}/results.json: {1} rows, {2} without a mesh", o_.output,
                           c.rows.size(), wrong));
    if (accidents_ > 0) {
      return o_.run.fail(ErrorCode::kFileNotWritten,
                         fmt::format("{} rows were ended from outside; the same command tries them again", accidents_));
    }
    o_.run.print({{"ok", true}, {"folder", o_.output}, {"rows", json["rows"]}});
    return kOk;
  }

  CompareOptions& o_;
  const Context& context_;
  Comparison comparison_;
  std::optional<Error> failure_;  // of the folder
  size_t accidents_ = 0;
};

}  // namespace

void addCompare(Program& program) {
  auto o = std::make_shared<CompareOptions>();
  Command command = program.line.addCommand("compare", "run generators on the same worlds and measure their meshes");
  command.addOption("INPUT", o->inputs, "environments, recognised by content; scenes with --suite volumes");
  command
      .addOption("-o,--output", o->output,
                 "folder to write: results.csv, results.json, index.html, meshes/ for wend view")
      .required();
  command.addOption("-g,--generators", o->generators, "methods, separated by commas; all if left out").separatedBy(',');
  command
      .addOption("--suite", o->suite,
                 "'study': the worlds of the comparative study; 'grids': the 132 adaptive grids of their source; "
                 "'volumes': the ways to fill scenes with volumes, on INPUT; 'maps FOLDER': every file of a folder")
      .values(1, 2)
      .oneValueEach();
  command.addOption("--timeout", o->work.limits.seconds, "seconds that one run may take")
      .check(range(0.01, 1e6))
      .showDefault();
  command.addOption("--memory", o->work.limits.megabytes, "MiB that one run may use")
      .check(range(16.0, 1e7))
      .showDefault();
  command.addOption("--repeat", o->work.repeat, "runs for time and memory").check(range(1, 1000)).showDefault();
  command.addOption("--queries", o->work.queries, "random pairs of places for the paths; 0: none")
      .check(range(0, 1000000))
      .showDefault();
  command.addOption("--pixels", o->work.pixels, "pixels along the longer side of the distance map; 0: none")
      .check(range(0, 2048))
      .showDefault();
  command.addOption("--picture-size", o->pictureKilobytes, "kB of a picture in the page at most")
      .check(range(0, 1000000))
      .showDefault();
  command.addOption("--cities", o->cities, "synthetic cities of --suite grids").check(range(1, 1000)).showDefault();
  command.addFlag("--again", o->again, "make rows anew that an earlier run has left in the folder");
  addReadOptions(command, o->work.read);
  o->run.addCommonOptions(command);
  command.footer(
      "Each run is a process of its own with its limits; a crash or a time-out is a row that says so. Rows are kept "
      "in\n"
      "the folder, so that a run which was stopped goes on where it was.\n\n"
      "Examples:\n  wend compare city.env plan.wkt -o comparison\n"
      "  wend compare --suite study --generators delaunay,ecm --repeat 10 -o study\n"
      "  wend compare level.glb house.obj --suite volumes -o volumes_compared\n"
      "  wend compare --suite maps maps/ --cell 0.5 --timeout 120 -o maps_compared");
  command.onRun([o, &program] { program.exitCode = CompareRun(*o).run(); });
}

}  // namespace wend::app
