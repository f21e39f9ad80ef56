#include "compare/compare_grids.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "pages.h"
#include "report/report_plot.h"

namespace wend::app {
namespace {

// One mesh, means over the cities.
struct GridRow {
  std::string name;
  bool isGrid = true;
  double cells = 0;
  double meanSize = 0;  // pixels
  double aspect = 0;    // mean of width / height
  double aspectFactor = 0;
  double error = 0;  // pixels^2, metric shortest
  double manhattan = 0;
  double euclid = 0;
  double missed = 0;        // share of the pixels
  double tableBytes = 0;    // all pairs
  double milliseconds = 0;  // from the picture or the polygons to the mesh
  int count = 0;

  void finish() {
    for (double* value : {&cells, &meanSize, &aspect, &aspectFactor, &error, &manhattan, &euclid, &missed, &tableBytes,
                          &milliseconds}) {
      *value /= std::max(1, count);
    }
  }
};

class GridStudy {
 public:
  GridStudy(Run& run, const GridsWork& work) : run_(run), work_(work), context_(run.context()) {}

  int go() {
    if (const Status status = makeFolder(work_.folder); !status.ok()) return run_.fail(status.error());
    for (uint32_t city = 0; city < work_.cities; ++city) {
      if (const Status status = study(city); !status.ok()) return run_.fail(status.error());
      run_.say(fmt::format("city {} of {} is measured", city + 1, work_.cities));
    }
    for (GridRow& row : rows_) row.finish();
    return write();
  }

 private:
  Status study(uint32_t number) {
    city_ = number;
    RangeCitySettings settings;
    settings.pixels = work_.pixels;
    settings.seed = work_.seed + number;
    const Result<RangeCity> city = makeRangeCity(settings, context_);
    if (!city.ok()) return city.error();
    const Result<RasterDistances> truth = RasterDistances::make(city->truth);
    if (!truth.ok()) return truth.error();
    const Result<Environment> picture = gridEnvironment(city->truth, {}, context_);
    if (!picture.ok()) return picture.error();
    const std::vector<std::pair<std::string, GridSettings>> sweep = gridSweep();
    for (size_t i = 0; i < sweep.size(); ++i) {
      context_.report("grids", (number + static_cast<double>(i) / static_cast<double>(sweep.size())) / work_.cities);
      if (context_.cancelled()) return Error{ErrorCode::kCancelled, "stopped; nothing was written"};
      if (Status status = measureGrid(sweep[i].first, sweep[i].second, city->truth, *picture, *truth); !status.ok()) {
        return status;
      }
    }
    return measureTriangles(settings, *truth);
  }

  GridRow& rowOf(const std::string& name, bool isGrid) {
    const auto [at, isNew] = index_.try_emplace(name, rows_.size());
    if (isNew) rows_.push_back({.name = name, .isGrid = isGrid});
    return rows_[at->second];
  }

  Status measureGrid(const std::string& name, const GridSettings& settings, const NavigableGrid& mask,
                     const Environment& picture, const RasterDistances& truth) {
    Stopwatch watch;
    const Result<AdaptiveGrid> grid = growGrid(mask, settings, context_);
    if (!grid.ok()) return grid.error();
    const double seconds = watch.seconds();
    MeshBuilder builder(picture);
    for (const GridCluster& box : grid->clusters) {
      const auto corner = [&](uint32_t column, uint32_t line) {
        return *picture.lattice.snap({column * mask.pixel, (mask.height - line) * mask.pixel});
      };
      const std::array<Point, 4> loop{corner(box.left, box.bottom + 1), corner(box.right + 1, box.bottom + 1),
                                      corner(box.right + 1, box.top), corner(box.left, box.top)};
      builder.addCell(0, std::span<const Point>(loop));
    }
    const Result<NavMesh> mesh = builder.build("adaptive-grid", 0, {}, context_);
    if (!mesh.ok()) return mesh.error();
    GridRow& row = rowOf(name, true);
    const GridStatistics shape = statisticsOf(*grid);
    row.meanSize += shape.meanPixels;
    row.aspect += shape.meanAspect;
    row.aspectFactor += shape.aspectFactor;
    row.milliseconds += 1000 * seconds;
    addErrors(row, *mesh, truth);
    return Done{};
  }

  void addErrors(GridRow& row, const NavMesh& mesh, const RasterDistances& truth) {
    row.cells += mesh.cellCount();
    const RasterError shortest = truth.compare(mesh, HopMetric::kShortest, false, context_);
    row.error += shortest.error;
    row.missed += static_cast<double>(shortest.missed) / static_cast<double>(truth.grid().free.size());
    row.manhattan += truth.compare(mesh, HopMetric::kManhattan, false, context_).error;
    row.euclid += truth.compare(mesh, HopMetric::kEuclid, false, context_).error;
    row.tableBytes += static_cast<double>(mesh.cellCount()) * mesh.cellCount();
    perCity_ += fmt::format("{},{},{},{:.1f}\n", city_ + 1, row.name, mesh.cellCount(), shortest.error);
    ++row.count;
  }

  // Meshes of the exact polygons: Delaunay triangles, whole and in tiles, Recast at six resolutions, and in tiles.
  Status measureTriangles(const RangeCitySettings& city, const RasterDistances& truth) {
    const Result<Environment> environment =
        makeEnvironment({"grid-city", {{"size", static_cast<double>(city.pixels)}}, city.seed, {}}, context_);
    if (!environment.ok()) return environment.error();
    struct Triangles {
      std::string name;
      GenerateSettings settings;
      uint32_t tiles = 1;
    };
    std::vector<Triangles> meshes;
    for (const uint32_t tiles : {1, 8, 16, 24, 28, 32, 36}) {
      meshes.push_back({tiles == 1 ? "delaunay" : fmt::format("delaunay {0}x{0}", tiles), {"delaunay", {}, 1}, tiles});
    }
    if (const GeneratorInfo* recast = findGenerator("recast"); recast != nullptr && recast->missing.empty()) {
      for (const char* voxel : {"0.5", "0.75", "1", "1.5", "2", "3"}) {
        meshes.push_back({fmt::format("recast {} m", voxel), {"recast", {{"voxel", voxel}, {"corners", "3"}}, 1}});
      }
      for (const char* count : {"4", "8", "12", "16", "20", "24", "32"}) {
        const std::vector<std::pair<std::string, std::string>> options{
            {"voxel", "1"}, {"corners", "3"}, {"tiles", count}};
        meshes.push_back({fmt::format("recast {0}x{0}", count), {"recast", options, 1}});
      }
    }
    for (const auto& [name, settings, tiles] : meshes) {
      const Stopwatch watch;
      const Result<NavMesh> mesh =
          tiles == 1 ? generate(*environment, settings, context_) : tiledMesh(*environment, settings, tiles, context_);
      if (!mesh.ok()) {
        run_.say(fmt::format("{}: {}", name, mesh.error().message));
        continue;
      }
      GridRow& row = rowOf(name, false);
      row.milliseconds += 1000 * watch.seconds();
      addErrors(row, *mesh, truth);
      double pixels = 0;
      for (CellId cell = 0; cell < mesh->cellCount(); ++cell) pixels += cellArea(*mesh, cell);
      row.meanSize += pixels / mesh->cellCount();
    }
    return Done{};
  }

  // How many grids have a smaller error than the triangle mesh that is nearest to them in its number of cells.
  std::pair<size_t, size_t> beating() const {
    size_t better = 0;
    size_t all = 0;
    for (const GridRow& grid : rows_) {
      const GridRow* nearest = nullptr;
      for (const GridRow& mesh : rows_) {
        if (grid.isGrid && !mesh.isGrid &&
            (nearest == nullptr || std::abs(mesh.cells - grid.cells) < std::abs(nearest->cells - grid.cells))) {
          nearest = &mesh;
        }
      }
      if (nearest == nullptr) continue;
      ++all;
      better += grid.error < nearest->error ? 1 : 0;
    }
    return {better, all};
  }

  static std::string colourOf(const GridRow& row) {
    if (!row.isGrid) return "#777777";
    if (row.name.ends_with("1d")) return "#1f77b4";
    return row.name.ends_with("2d") ? "#2ca02c" : "#ff7f0e";
  }

  std::string plot(const char* title, const char* unit, double GridRow::*value) const {
    std::vector<Bar> bars;
    for (const GridRow& row : rows_) bars.push_back({row.name, row.*value, colourOf(row)});
    return barPlot({title, "", unit}, bars);
  }

  int write() {
    std::string csv =
        "mesh,kind,cells,mean_pixels,mean_aspect,aspect_factor,mse_shortest,mse_manhattan,mse_euclid,missed_share,"
        "table_bytes,milliseconds\n";
    std::string table;
    Json json = Json::array();
    for (const GridRow& r : rows_) {
      csv += fmt::format("{},{},{:.1f},{:.2f},{:.3f},{:.3f},{:.1f},{:.1f},{:.1f},{:.5f},{:.0f},{:.3f}\n", r.name,
                         r.isGrid ? "grid" : "triangles", r.cells, r.meanSize, r.aspect, r.aspectFactor, r.error,
                         r.manhattan, r.euclid, r.missed, r.tableBytes, r.milliseconds);
      table += fmt::format(
          "<tr><td>{}</td><td>{:.0f}</td><td>{:.1f}</td><td>{:.2f}</td><td>{:.0f}</td><td>{:.0f}</td><td>{:.0f}</td>"
          "<td>{:.2f}</td><td>{:.2f}</td></tr>\n",
          r.name, r.cells, r.meanSize, r.aspect, r.error, r.manhattan, r.euclid, r.tableBytes / (1 << 20),
          r.milliseconds);
      json.push_back({{"mesh", r.name},
                      {"grid", r.isGrid},
                      {"cells", r.cells},
                      {"mean_pixels", r.meanSize},
                      {"mean_aspect", r.aspect},
                      {"mse", r.error},
                      {"mse_manhattan", r.manhattan},
                      {"mse_euclid", r.euclid},
                      {"table_bytes", r.tableBytes},
                      {"milliseconds", r.milliseconds}});
    }
    const auto [better, all] = beating();
    const std::string html = fmt::format(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Adaptive grids</title>\n"
        "<style>\n{}</style>\n"
        "<h1>Adaptive grids: {} grids on {} cities of {} x {} pixels</h1>\n"
        "<p>Blue: one side per call, depth-first; orange: with memory; green: all sides; grey: triangle meshes of the "
        "same city. {} of {} grids have a smaller error than the triangle mesh nearest in its number of cells.</p>\n"
        "{}{}{}{}{}{}\n<table><tr><th>mesh</th><th>cells</th><th>mean pixels</th><th>mean "
        "aspect</th><th>MSE</th><th>MSE "
        "Manhattan</th><th>MSE Euclid</th><th>table MiB</th><th>ms</th></tr>\n{}</table></html>\n",
        page::kGridsCss, gridSweep().size(), work_.cities, work_.pixels, work_.pixels, better, all,
        plot("Cells", "cells", &GridRow::cells), plot("Mean size", "pixels", &GridRow::meanSize),
        plot("Mean aspect ratio", "width / height", &GridRow::aspect),
        plot("Error of distances to the middle", "pixels squared", &GridRow::error),
        plot("All-pairs table", "bytes", &GridRow::tableBytes), plot("Growth", "ms", &GridRow::milliseconds), table);
    for (const auto& [name, text] : {std::pair<std::string, const std::string&>("grids.csv", csv),
                                     {"cities.csv", perCity_},
                                     {"index.html", html}}) {
      if (const Status status = writeFile(work_.folder + "/" + name, text); !status.ok())
        return run_.fail(status.error());
    }
    run_.finishProgress();
    run_.say(
        fmt::format("{0}/index.html, {0}/grids.csv: {1} meshes on {2} cities; {3} of {4} grids beat the triangle mesh "
                    "nearest in count",
                    work_.folder, rows_.size(), work_.cities, better, all));
    run_.print({{"ok", true}, {"folder", work_.folder}, {"beating", better}, {"grids", all}, {"rows", json}});
    return kOk;
  }

  Run& run_;
  const GridsWork& work_;
  const Context& context_;
  std::vector<GridRow> rows_;
  std::map<std::string, size_t> index_;
  uint32_t city_ = 0;
  std::string perCity_ = "city,mesh,cells,mse_shortest\n";
};

}  // namespace

int compareGrids(Run& run, const GridsWork& work) {
  return GridStudy(run, work).go();
}

}  // namespace wend::app
