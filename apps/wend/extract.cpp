#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/peak_memory.h"
#include "options/extract_options.h"
#include "options/image_options.h"

namespace wend::app {
namespace {

struct ExtractCommand {
  Run run;
  std::string input;
  std::string output;
  ExtractOptions options;
  ImageOptions image;
  double cell = 0;
};

// A picture of heights, or a scene seen from above.
int finishImage(ExtractCommand& o, const EnvironmentReading& reading) {
  const Environment& world = reading.environment;
  if (const Status status = writeEnvironment(world, o.output); !status.ok()) return o.run.fail(status.error());
  o.run.finishProgress();
  const Topology t = topology(world);
  o.run.say(fmt::format("{}: {} vertices, {:.2f} m2, {} components, {} boundaries", o.output, vertexCount(world),
                        world.lattice.area(t.doubledArea), t.components, t.boundaries));
  o.run.say(sayImage(*reading.navigable));
  Json seconds = Json::object();
  std::string times;
  for (const auto& [stage, spent] : reading.seconds) {
    seconds[stage] = spent;
    times += fmt::format("{} {:.3f} s, ", stage, spent);
  }
  o.run.say(fmt::format("{}peak memory {:.0f} MB, hash {}", times, peakMegabytes(), hexHash(hash(world))));
  Json out = {{"ok", true}, {"file", o.output}, {"vertices", vertexCount(world)}};
  out.update(toJson(t, world.lattice));
  out["image"] = toJson(*reading.navigable);
  out["seconds"] = seconds;
  out["peak_megabytes"] = peakMegabytes();
  out["hash"] = hexHash(hash(world));
  o.run.print(out);
  return kOk;
}

int run(ExtractCommand& o, const Command& command) {
  // Before the long work.
  if (const auto format = formatOfPath(o.output); !format.ok()) {
    return o.run.fail(ErrorCode::kInvalidSettings, format.error().message);
  }
  WorldReadSettings settings;
  if (const Status status = o.options.addTo(settings); !status.ok()) return o.run.fail(status.error());
  if (const Status status = o.image.addTo(settings, o.cell); !status.ok()) return o.run.fail(status.error());
  if (command.isGiven("--unit")) settings.environment.unit = o.options.settings.lattice.unit;
  const Result<EnvironmentReading> result = readAnyEnvironment(o.input, settings, o.run.context());
  if (!result.ok()) return o.run.fail(result.error());
  if (result->navigable) return finishImage(o, *result);
  if (const std::string option = o.image.given(); !option.empty()) {
    return o.run.fail(ErrorCode::kInvalidSettings,
                      fmt::format("{} is for range images and top views, which '{}' is not", option, o.input));
  }
  if (!result->extraction) {
    return o.run.fail(
        ErrorCode::kFormat,
        fmt::format("'{}' is an environment already ({}); extract takes a scene of triangles or a range image", o.input,
                    result->format.name));
  }
  const Environment& world = result->environment;
  const ExtractReport& report = *result->extraction;
  if (const Status status = writeEnvironment(world, o.output); !status.ok()) return o.run.fail(status.error());

  o.run.finishProgress();
  const Topology t = topology(world);
  o.run.say(fmt::format("{}: {} layers, {} connections, {} vertices, {:.2f} m2, {} components, {} boundaries, genus {}",
                        o.output, world.layers.size(), world.connections.size(), vertexCount(world),
                        world.lattice.area(t.doubledArea), t.components, t.boundaries, t.genus));
  if (report.droppedComponents > 0) {
    const std::string components = fmt::format("{} walkable components", report.droppedComponents);
    // With seed points, what is too far away was not even looked at.
    o.run.say(
        settings.extract.seedPoints.empty()
            ? fmt::format("{} with at most {:.2f} m2 in all were left out (smaller than --min-area)", components,
                          report.droppedArea)
            : fmt::format("{} with {:.2f} m2 in all were looked at but not reached", components, report.droppedArea));
  }
  sayLeftOut(o.run, settings.extract, report);
  if (!report.spots.empty()) {
    o.run.say(fmt::format("gave up in {} {}:", report.spots.size(), report.spots.size() == 1 ? "place" : "places"));
    sayReport(o.run, report);
  }
  o.run.say(fmt::format("{} triangles: read {:.3f} s, extract {:.3f} s, peak memory {:.0f} MB, hash {}",
                        result->triangles, result->seconds[0].second, result->seconds[1].second, peakMegabytes(),
                        hexHash(hash(world))));
  Json out = {{"ok", true},
              {"file", o.output},
              {"triangles", result->triangles},
              {"layers", world.layers.size()},
              {"connections", world.connections.size()},
              {"vertices", vertexCount(world)}};
  out.update(toJson(t, world.lattice));
  out.update(toJson(report));
  out["seconds"] = {{"read", result->seconds[0].second}, {"extract", result->seconds[1].second}};
  out["peak_megabytes"] = peakMegabytes();
  out["hash"] = hexHash(hash(world));
  o.run.print(out);
  return kOk;
}

}  // namespace

void addExtract(Program& program) {
  auto o = std::make_shared<ExtractCommand>();
  Command command = program.line.addCommand("extract", "find the walkable surfaces of a 3D scene or a range image");
  command
      .addOption(
          "SCENE", o->input,
          "triangles: .obj, .gltf, .glb, .ply, .stl, .fbx, .dae, .ifc; or heights: .png, .tif (recognised by content)")
      .required();
  command.addOption("-o,--output", o->output, "environment to write, FILE.env (or .geojson, .wkt if all is level)")
      .required();
  command
      .addOption("--unit", o->options.settings.lattice.unit,
                 "metres per lattice unit, 1e-6 to 1; chosen by the scene if not given: 1e-6 up to 268 m from the "
                 "origin, 1e-5 up to 2.6 km, else 1e-4")
      .check(range(1e-6, 1.0));
  command.addOption("--scale", o->options.scale, "metres per unit of the scene").check(range(1e-6, 1e6)).showDefault();
  o->options.addTo(command);
  command.addOption("--cell", o->cell, "metres per pixel of a range image; 0: as its georeference says, else 1")
      .check(notNegative())
      .group("Range images")
      .showDefault();
  o->image.addTo(command, true);
  o->run.addForce(command);
  o->run.addCommonOptions(command);
  command.footer(
      "Low steps, curbs and debris up to --step are walked over. Floors inside closed solids are left out\n"
      "(--keep-insides keeps them); components that no way leads to from the largest stay (--drop-detached drops "
      "them).\n\n"
      "Examples:\n  wend extract level.glb -o level.env\n  wend extract house.obj --up z --seed-point 2,3,0 -o "
      "house.env\n  wend extract city.ply --height 1.8 --step 0.3 --min-area 1 -o city.env\n  wend extract surface.tif "
      "--lidar --window "
      "101 --steps pictures -o town.env\n  wend extract city.glb --top-view --omit-smaller 3 -o city.env");
  command.onRun([o, command, &program] {
    program.exitCode = o->run.guarded(o->output, {o->input}, [&] { return run(*o, command); });
  });
}

}  // namespace wend::app
