#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "mesh/separate_cells.h"
#include "prism/prism_commands.h"
#include "volume_commands.h"

namespace wend::app {
namespace {

struct DrawOptions {
  Run run;
  std::string file;
  std::string output;
  std::string layers = "side-by-side";
  std::string method = "best";
  std::vector<std::string> routes;
  std::vector<std::string> views;
  std::vector<std::string> sections;
  double radius = 0;
  double clearance = 0;
  std::optional<double> side;
  bool corridor = false;
  bool noCells = false;
  bool noPortals = false;
  bool noLabels = false;
  bool prisms = false;
  std::string view = "both";
  double ceiling = std::numeric_limits<double>::infinity();
  DrawSettings draw;
  ReadSettings read;
  SceneOptions scene;
};

struct Overlay {
  std::vector<Route> routes;
  std::vector<Corridor> corridors;
  std::vector<DrawnView> views;
};

Result<PathQuery> parseRoute(const DrawOptions& o, const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("'{}' is not a route; write x,y:x,y or x,y,z:x,y,z in metres", text)};
  }
  const Result<Place> from = parsePlace(std::string_view(text).substr(0, colon));
  if (!from.ok()) return from.error();
  const Result<Place> to = parsePlace(std::string_view(text).substr(colon + 1));
  if (!to.ok()) return to.error();
  PathQuery query;
  query.from = *from;
  query.to = *to;
  if (o.method == "polyanya") query.method = PathMethod::kPolyanya;
  if (o.method == "astar") query.method = PathMethod::kAStar;
  if (o.method == "graph") query.method = PathMethod::kGraph;
  if (o.method == "breadth") query.method = PathMethod::kBreadth;
  query.radius = o.radius;
  query.clearance = o.clearance;
  query.side = o.side;
  return query;
}

Status addView(const Navigator& navigator, const std::string& text, PlanScratch& scratch, Overlay& overlay) {
  const Result<Place> eye = parsePlace(text);
  if (!eye.ok()) return eye.error();
  DrawnView view;
  view.eye = {eye->x, eye->y, eye->z.value_or(0)};
  if (!navigator.visibility(*eye, 0, scratch, view.polygon)) {
    return Error{ErrorCode::kNotOnMesh, fmt::format("the viewpoint {} is not on the mesh; move it onto a cell", text)};
  }
  view.layer = navigator.mesh().layerOf(navigator.locate(*eye));
  overlay.views.push_back(std::move(view));
  return Done{};
}

// Routes, corridors and views.
Result<Overlay> ask(const DrawOptions& o, const World& world) {
  Overlay overlay;
  if (o.routes.empty() && o.views.empty()) return overlay;
  if (const Status status = checkCellsAreJoined(world.mesh(), "a route"); !status.ok()) return status.error();
  const Navigator navigator = makeNavigator(world);
  if ((o.side || o.corridor) && !navigator.hasMedialAxis()) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("--side and --corridor need a medial axis, which the mesh by '{}' has not; bake it with "
                             "--generator ecm",
                             world.mesh().info().generator)};
  }
  PlanScratch scratch;
  for (const std::string& text : o.routes) {
    const Result<PathQuery> query = parseRoute(o, text);
    if (!query.ok()) return query.error();
    const PathStatus status = navigator.plan(*query, scratch, overlay.routes.emplace_back());
    if (status != PathStatus::kFound) return noRoute(status, *query);
    if (o.corridor) navigator.corridor(*query, scratch, overlay.corridors.emplace_back());
  }
  for (const std::string& text : o.views) {
    if (const Status status = addView(navigator, text, scratch, overlay); !status.ok()) return status.error();
  }
  return overlay;
}

Result<std::string> drawSceneFile(const DrawOptions& o, const Scene& scene) {
  SceneDrawSettings settings;
  settings.width = o.draw.width;
  settings.labels = o.draw.labels;
  settings.ceiling = o.ceiling;
  settings.title = std::filesystem::path(o.file).filename().string();
  if (o.view == "plan") settings.view = SceneDrawing::kPlan;
  if (o.view == "oblique") settings.view = SceneDrawing::kOblique;
  return drawScene(scene, settings);
}

int run(DrawOptions& o, const Command& command) {
  const bool prisms = o.prisms || isFileOfPrisms(o.file);
  if (prisms || holdsVolumes(o.file)) {
    VolumeDrawOptions volumes{o.sections, o.routes, {}};
    volumes.settings.width = o.draw.width;
    volumes.settings.labels = !o.noLabels;
    volumes.settings.cellIds = o.draw.cellIds;
    return prisms ? prismDraw(o.run, o.file, o.output, volumes) : volumeDraw(o.run, o.file, o.output, volumes);
  }
  if (!o.sections.empty())
    return o.run.fail(ErrorCode::kInvalidSettings,
                      "--section is for volumes and prisms; add --prisms for those that are stored with a world");
  if (std::filesystem::path(o.output).extension() != ".svg") {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      fmt::format("'{}' names no format that wend draws in; end it with .svg", o.output));
  }
  o.draw.layers = o.layers == "stacked" ? LayerArrangement::kStacked : LayerArrangement::kSideBySide;
  o.draw.cells = !o.noCells;
  o.draw.portals = !o.noPortals;
  o.draw.labels = !o.noLabels;
  if (o.routes.empty()) o.draw.clearance = o.clearance;
  const SceneReadSettings scenes = o.scene.settings(o.read.scale);
  const Result<Input> input = readInput(o.file, o.read, o.run.context(), &scenes);
  if (!input.ok()) return o.run.fail(input.error());
  if (!input->world && !(o.routes.empty() && o.views.empty())) {
    return o.run.fail(ErrorCode::kInvalidSettings, "--route and --visible need a world; bake the environment first");
  }
  for (const char* name : {"--view", "--ceiling"}) {
    if (input->scene || !command.isGiven(name)) continue;
    return o.run.fail(ErrorCode::kInvalidSettings,
                      fmt::format("{} is for scenes, and '{}' is none; --layers stacked shows the layers of an "
                                  "environment or a mesh above each other",
                                  name, o.file));
  }
  Overlay overlay;
  if (input->world) {
    Result<Overlay> asked = ask(o, *input->world);
    if (!asked.ok()) return o.run.fail(asked.error());
    overlay = *std::move(asked);
  }
  const Result<std::string> svg =
      input->scene ? drawSceneFile(o, *input->scene)
      : input->world
          ? drawMesh(input->world->mesh(), MeshOverlay{overlay.corridors, overlay.views, overlay.routes}, o.draw)
          : drawEnvironment(*input->environment, o.draw);
  if (!svg.ok()) return o.run.fail(svg.error());
  if (const Status status = writeFile(o.output, *svg); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  o.run.say(fmt::format("{}: {:.1f} kB", o.output, static_cast<double>(svg->size()) / 1000));
  o.run.print({{"ok", true}, {"file", o.output}, {"bytes", svg->size()}, {"routes", overlay.routes.size()}});
  return kOk;
}

}  // namespace

void addDraw(Program& program) {
  auto o = std::make_shared<DrawOptions>();
  Command command = program.line.addCommand("draw", "draw a scene, an environment, a world, volumes or prisms as SVG");
  command.addOption("FILE", o->file, "scene, environment, world, volumes or prisms").required();
  command
      .addOption("-o,--output", o->output,
                 "picture to write, FILE.svg; of volumes and prisms also FILE.glb or FILE.obj")
      .required();
  command.addOption("--route", o->routes, "plan and draw a route on a mesh: x,y:x,y or x,y,z:x,y,z; may be repeated")
      .oneValueEach();
  command.addOption("--radius", o->radius, "radius of the walker of the routes, metres").check(notNegative());
  command
      .addOption(
          "--clearance", o->clearance,
          "distance of the routes from obstacles, metres; without --route: show the free width that an agent of this "
          "radius has in each portal, and where it cannot pass")
      .check(notNegative());
  command.addOption("--side", o->side, "side of the routes: left -1, middle 0, right 1 (mesh by ecm)")
      .check(range(-1.0, 1.0));
  command.addFlag("--corridor", o->corridor, "draw the corridors of the routes (mesh by ecm)");
  command.addOption("--visible", o->views, "draw what is seen from x,y or x,y,z; may be repeated").oneValueEach();
  command.addOption("--method", o->method, "method of the routes; see wend path --help")
      .check(oneOf({"best", "polyanya", "astar", "graph", "breadth"}))
      .showDefault();
  command.addOption("--layers", o->layers, "how to show several layers")
      .check(oneOf({"side-by-side", "stacked"}))
      .showDefault();
  command.addOption("--view", o->view, "of a scene: from above, obliquely, or both")
      .check(oneOf({"plan", "oblique", "both"}))
      .showDefault();
  command.addOption("--ceiling", o->ceiling,
                    "of a scene: cut off what lies above this height, metres, to look into buildings");
  command
      .addOption(
          "--section", o->sections,
          "of volumes and prisms: cut along x=METRES, y=METRES or z=METRES; may be repeated (default: one of each)")
      .oneValueEach();
  command.addFlag("--prisms", o->prisms, "draw the prisms that wend prisms has stored with the world");
  command.addOption("--width", o->draw.width, "pixels").check(range(100.0, 20000.0)).showDefault();
  command.addFlag("--no-cells", o->noCells, "do not colour cells");
  command.addFlag("--no-portals", o->noPortals, "do not draw portals");
  command.addFlag("--no-labels", o->noLabels, "no title, layer names and scale bar");
  command.addFlag("--ids", o->draw.cellIds, "write cell ids");
  command.addFlag("--axis", o->draw.axis, "draw the medial axis with its vertices and bending points (mesh by ecm)");
  command.addFlag("--annotations", o->draw.annotations,
                  "draw the lines from bending points to their nearest obstacles (mesh by ecm)");
  command.addFlag("--disks", o->draw.disks, "draw the largest free disks around the axis' vertices (mesh by ecm)");
  addReadOptions(command, o->read);
  addSceneOptions(command, o->scene);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Examples:\n  wend draw city.env -o city.svg\n  wend draw city.wend -o mesh.svg --route 5,5:495,495\n"
      "  wend draw city.wend -o route.svg --route 5,5:495,495 --radius 0.3 --clearance 1 --corridor --no-cells\n"
      "  wend draw city.wend -o view.svg --visible 250,250 --no-cells --no-portals\n"
      "  wend draw station.wend -o station.svg --layers stacked\n"
      "  wend draw house.glb -o house.svg --ceiling 1.5\n"
      "  wend draw city.wend -o axis.svg --axis --annotations --no-cells --no-portals");
  command.onRun([o, command, &program] {
    program.exitCode = o->run.guarded(o->output, {o->file}, [&] { return run(*o, command); });
  });
}

}  // namespace wend::app
