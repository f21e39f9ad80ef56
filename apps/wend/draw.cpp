#include <memory>

#include <fmt/format.h>

#include "command.h"

namespace wend::app {
namespace {

struct DrawOptions {
  Run run;
  std::string file;
  std::string output;
  std::string layers = "side-by-side";
  std::string planner = "polyanya";
  std::vector<std::string> routes;
  bool noCells = false;
  bool noPortals = false;
  bool noLabels = false;
  DrawSettings draw;
  ReadSettings read;
};

Result<std::vector<Route>> planRoutes(const DrawOptions& o, const NavMesh& mesh) {
  std::vector<Route> routes;
  const Planner planner(mesh);
  PlanScratch scratch;
  for (const std::string& text : o.routes) {
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
    query.from = from->position;
    query.to = to->position;
    query.withHeights = from->hasHeight && to->hasHeight;
    query.planner = o.planner == "astar" ? PlannerKind::kAStar : PlannerKind::kPolyanya;
    Route route;
    const PathStatus status = planner.plan(query, scratch, route);
    if (status != PathStatus::kFound) return Error{ErrorCode::kNotOnMesh, explain(status, query)};
    routes.push_back(std::move(route));
  }
  return routes;
}

int run(DrawOptions& o) {
  o.draw.layers = o.layers == "stacked" ? LayerArrangement::kStacked : LayerArrangement::kSideBySide;
  o.draw.cells = !o.noCells;
  o.draw.portals = !o.noPortals;
  o.draw.labels = !o.noLabels;
  const Result<Input> input = readInput(o.file, o.read, o.run.context());
  if (!input.ok()) return o.run.fail(input.error());
  if (input->environment && !o.routes.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings, "--route needs a mesh; bake the environment first");
  }
  std::vector<Route> routes;
  if (input->mesh) {
    Result<std::vector<Route>> planned = planRoutes(o, *input->mesh);
    if (!planned.ok()) return o.run.fail(planned.error());
    routes = std::move(planned).value();
  }
  const Result<std::string> svg =
      input->mesh ? drawMesh(*input->mesh, routes, o.draw) : drawEnvironment(*input->environment, o.draw);
  if (!svg.ok()) return o.run.fail(svg.error());
  if (const Status status = writeFile(o.output, *svg); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  o.run.say(fmt::format("{}: {:.1f} kB", o.output, static_cast<double>(svg->size()) / 1000));
  o.run.print({{"ok", true}, {"file", o.output}, {"bytes", svg->size()}, {"routes", routes.size()}});
  return kOk;
}

}  // namespace

void addDraw(Program& program) {
  auto o = std::make_shared<DrawOptions>();
  CLI::App* command = program.app.add_subcommand("draw", "draw an environment or a mesh as SVG");
  command->add_option("FILE", o->file, "environment or mesh")->required();
  command->add_option("-o,--output", o->output, "picture to write, FILE.svg")->required();
  command->add_option("--route", o->routes, "plan and draw a route on a mesh: x,y:x,y or x,y,z:x,y,z; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--planner", o->planner, "planner of the routes")
      ->check(CLI::IsMember({"polyanya", "astar"}))
      ->capture_default_str();
  command->add_option("--layers", o->layers, "how to show several layers")
      ->check(CLI::IsMember({"side-by-side", "stacked"}))
      ->capture_default_str();
  command->add_option("--width", o->draw.width, "pixels")->check(CLI::Range(100.0, 20000.0))->capture_default_str();
  command->add_flag("--no-cells", o->noCells, "do not colour cells");
  command->add_flag("--no-portals", o->noPortals, "do not draw portals");
  command->add_flag("--no-labels", o->noLabels, "no title, layer names and scale bar");
  command->add_flag("--ids", o->draw.cellIds, "write cell ids");
  command->add_flag("--axis", o->draw.axis, "draw the medial axis with its vertices and bending points (mesh by ecm)");
  command->add_flag("--annotations", o->draw.annotations,
                    "draw the lines from bending points to their nearest obstacles (mesh by ecm)");
  command->add_flag("--disks", o->draw.disks, "draw the largest free disks around the axis' vertices (mesh by ecm)");
  addReadOptions(*command, o->read);
  o->run.addCommonOptions(*command);
  command->footer(
      "Examples:\n  wend draw city.env -o city.svg\n  wend draw city.wend -o mesh.svg --route 5,5:495,495\n"
      "  wend draw station.wend -o station.svg --layers stacked\n"
      "  wend draw city.wend -o axis.svg --axis --annotations --no-cells --no-portals");
  command->callback([o, &program] { program.exitCode = run(*o); });
}

}  // namespace wend::app
