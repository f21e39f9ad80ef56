#include "options/extract_options.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wend::app {
namespace {

constexpr const char* kGroup = "Scenes";

}  // namespace

void ExtractOptions::addTo(Command& command) {
  command_ = command;
  const std::string group = kGroup;
  command.addOption("--method", method_, "how to extract: exact, or voxel (for scans and soups; as good as its pixels)")
      .check(oneOf({"exact", "voxel"}))
      .group(group)
      .showDefault();
  command.addOption("--height", settings.height, "head room that a person needs, metres").group(group).showDefault();
  command.addOption("--step", settings.step, "highest step that a person climbs, metres; below the height")
      .group(group)
      .showDefault();
  command.addOption("--slope", settings.slope, "steepest floor, degrees; 0 to 89").group(group).showDefault();
  command
      .addOption("--slope-slack", settings.slopeSlack,
                 "degrees that a floor may be steeper: above 0 faces of exactly --slope are floor, below 0 they are "
                 "not; -5 to 5")
      .group(group)
      .showDefault();
  command.addOption("--gap", settings.gap, "cracks up to this width are closed, metres; 0 to 1")
      .group(group)
      .showDefault();
  command
      .addOption("--min-area", settings.minArea,
                 "walkable components smaller than this are dropped, m2; ignored with --seed-point")
      .group(group)
      .showDefault();
  command
      .addOption("--seed-point", seedPoints_,
                 "keep only what can be reached from here, x,y,z in metres with z up; may be given several times")
      .group(group);
  command
      .addFlag("--keep-insides", settings.insides,
               "keep floors inside closed solids: in crates, furniture and walls higher than --height")
      .group(group);
  command
      .addFlag(
          "--drop-detached", [this] { settings.detached = false; },
          "keep the largest component only; changes nothing with --seed-point")
      .group(group);
  command
      .addOption("--simplify", settings.simplify,
                 "exact method: vertices within this of a straight border are left out, metres; 0 to 1")
      .group(group)
      .showDefault();
  command
      .addOption("--obstacles-as-boxes", settings.boxes,
                 "bodies that fit into a cube of this side become boxes, metres; 0 to 100, 0 changes nothing")
      .group(group)
      .showDefault();
  command.addFlag("--two-sided", settings.twoSided, "triangles count from both sides: for scenes with wrong windings")
      .group(group);
  command
      .addFlag("--strict", settings.strict,
               "low things that cannot be walked on block the floor instead of being stepped over")
      .group(group);
  command.addOption("--resolution", settings.voxel.resolution, "voxel method: side of a pixel, metres; up to 10")
      .group(group)
      .showDefault();
  command
      .addOption("--voxel-width", settings.voxel.width,
                 "voxel method: side of a voxel, metres; 1 to 64 pixels, 0 means 8 pixels")
      .group(group)
      .showDefault();
  command
      .addOption("--simplify-pixels", settings.voxel.simplify,
                 "voxel method: borders are simplified within this many pixels; 0 to 8")
      .group(group)
      .showDefault();
  command
      .addFlag("--single-layer", settings.voxel.singleLayer,
               "voxel method: only the topmost surface, as seen from above")
      .group(group);
  command
      .addOption("--turn", settings.voxel.turn,
                 "single layer: largest angle between normals of neighbouring pixels, degrees; 0 to 180")
      .group(group)
      .showDefault();
  command.addFlag("--no-regions", noRegions_, "do not turn the scene's labels into regions").group(group);
  addSceneOptions(command, scene_);
}

std::string ExtractOptions::given() const {
  return command_->firstGiven(kGroup);
}

// What would change nothing is an error.
Status ExtractOptions::checkMethod(const ExtractSettings& extract) const {
  const auto needs = [&](const char* name, const char* other) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("{} changes nothing without {}", name, other)};
  };
  const auto isGiven = [&](const char* name) { return command_->isGiven(name); };
  for (const char* name : {"--resolution", "--voxel-width", "--simplify-pixels", "--single-layer", "--turn"}) {
    if (isGiven(name) && extract.method != ExtractMethod::kVoxel) return needs(name, "--method voxel");
  }
  if (isGiven("--simplify") && extract.method != ExtractMethod::kExact) return needs("--simplify", "--method exact");
  if (isGiven("--turn") && !extract.voxel.singleLayer) return needs("--turn", "--single-layer");
  return Done{};
}

Status ExtractOptions::addTo(WorldReadSettings& reading) const {
  ExtractSettings& extract = reading.extract;
  extract = settings;
  extract.regions = !noRegions_;
  extract.method = method_ == "voxel" ? ExtractMethod::kVoxel : ExtractMethod::kExact;
  if (const Status status = checkMethod(extract); !status.ok()) return status.error();
  for (const std::string& text : seedPoints_) {
    const Result<Place> place = parsePlace(text);
    if (!place.ok()) return place.error();
    if (!place->z) {
      return Error{ErrorCode::kInvalidSettings, fmt::format("the seed point '{}' needs a height: x,y,z", text)};
    }
    extract.seedPoints.push_back({place->x, place->y, *place->z});
  }
  reading.scene = scene_.settings(scale);
  return Done{};
}

void sayLeftOut(const Run& run, const ExtractSettings& settings, const ExtractReport& report) {
  if (report.boxedBodies > 0) run.say(fmt::format("{} bodies became boxes", report.boxedBodies));
  if (report.insides > 0) {
    run.say(fmt::format("{} floors with {:.2f} m2 inside solids were left out (--keep-insides keeps them)",
                        report.insides, report.insideArea));
  }
  if (report.detached > 0) {
    run.say(fmt::format("{} components with {:.2f} m2 are detached: no way leads there from the largest{}",
                        report.detached, report.detachedArea,
                        settings.detached ? " (--drop-detached drops them)" : ", and they were dropped"));
  }
}

void sayReport(const Run& run, const ExtractReport& report) {
  constexpr size_t kShown = 10;
  for (size_t i = 0; i < std::min(kShown, report.spots.size()); ++i) {
    const ExtractSpot& spot = report.spots[i];
    run.say(fmt::format("  at ({:.3f}, {:.3f}, {:.3f}) m: {}; triangles {}", spot.place.x, spot.place.y, spot.place.z,
                        spot.reason, fmt::join(spot.triangles, ", ")));
  }
  if (report.spots.size() > kShown) {
    run.say(fmt::format("  and {} more places; --json lists all", report.spots.size() - kShown));
  }
}

Json toJson(const ExtractReport& report) {
  Json spots = Json::array();
  for (const ExtractSpot& spot : report.spots) {
    spots.push_back({{"place", {spot.place.x, spot.place.y, spot.place.z}},
                     {"reason", spot.reason},
                     {"triangles", spot.triangles}});
  }
  Json seconds = Json::object();
  for (const auto& [stage, time] : report.seconds) seconds[stage] = time;
  return {{"degenerate_triangles", report.degenerate},
          {"duplicate_triangles", report.duplicate},
          {"facets", report.facets},
          {"cut_facets", report.cutFacets},
          {"patches", report.patches},
          {"voxels", report.voxels},
          {"pixels", report.pixels},
          {"dropped_components", report.droppedComponents},
          {"dropped_area", report.droppedArea},
          {"inside_floors", report.insides},
          {"inside_area", report.insideArea},
          {"detached_components", report.detached},
          {"detached_area", report.detachedArea},
          {"boxed_bodies", report.boxedBodies},
          {"stage_seconds", seconds},
          {"given_up", spots}};
}

}  // namespace wend::app
