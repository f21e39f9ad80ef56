#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "generators/adaptive_grid/adaptive_grid.h"
#include "generators/adaptive_grid/growth.h"
#include "generators/adaptive_grid/rasterise.h"
#include "generators/patched_update.h"
#include "mesh/mesh_patch.h"

// Pixels that change re-run the growth where they are: clusters that hold a pixel which is blocked now are removed, and
// so are those beside a pixel that became free, since a wall of theirs becomes a portal. What they leave and what
// became free is grown again.
namespace wend::adaptive_grid {
namespace {

Error unsupported(const char* why) {
  return {ErrorCode::kUnsupported, why};
}

// A pixel by the lines left of it and below it.
struct At {
  uint32_t x = 0;
  uint32_t y = 0;
  auto operator<=>(const At&) const = default;
};

// An environment with what is needed to make pixels of it.
struct Edges {
  explicit Edges(const Environment& e)
      : environment(e), boundary(e.layers, e.connections), twin(glue(boundary, e.connections)) {}
  const Environment& environment;
  Boundary boundary;
  std::vector<uint32_t> twin;
};

uint32_t nearestLine(std::span<const int32_t> lines, int32_t at) {
  const auto above = std::lower_bound(lines.begin(), lines.end(), at);
  if (above == lines.begin()) return 0;
  const auto index = static_cast<uint32_t>(above - lines.begin());
  if (above == lines.end()) return index - 1;
  return *above - at < at - *std::prev(above) ? index : index - 1;
}

class Updating {
 public:
  Updating(const NavMesh& mesh, const Environment& before, const Environment& after, const ChangedArea& changed,
           const Settings& settings, const Frame& frame, const Lines& lines, const Context& context)
      : mesh_(mesh),
        settings_(settings),
        frame_(frame),
        lines_(lines),
        context_(context),
        before_(before),
        after_(after),
        patch_(mesh, after, changed.facts.get()) {}

  Status update(LayerId layer, std::span<const Box> boxes) {
    hit_.clear();
    freed_.clear();
    std::vector<PixelWindow> windows;
    for (const Box& box : boxes) windows.push_back(windowOf(box));
    for (const PixelWindow& window : windows) {
      if (const Status status = compare(layer, window); !status.ok()) return status;
    }
    for (std::vector<At>* list : {&hit_, &freed_}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    if (hit_.empty() && freed_.empty()) return Done{};
    removeCells(layer);
    return growAgain(layer);
  }

  Result<MeshUpdate> finish() {
    if (mesh_.info().traits.exact && touched_) patch_.dropExact();
    Result<PatchedMesh> patched = patch_.build(context_);
    if (!patched.ok()) return patched.error();
    if (patched->mesh.empty()) return unsupported("no cell is left");
    return updateInPlace(std::move(*patched));
  }

 private:
  // The pixels that a box of the environment touches.
  PixelWindow windowOf(const Box& box) const {
    Box turned;
    for (const Point p : {box.min, Point{box.max.x, box.min.y}, box.max, Point{box.min.x, box.max.y}}) {
      turned.add(frame_.into(p));
    }
    const auto [firstX, lastX] = linesAround(lines_.x, turned.min.x - 1, turned.max.x + 1);
    const auto [firstY, lastY] = linesAround(lines_.y, turned.min.y - 1, turned.max.y + 1);
    return {static_cast<uint32_t>(firstX), static_cast<uint32_t>(lastX), static_cast<uint32_t>(firstY),
            static_cast<uint32_t>(lastY)};
  }

  // Finds the pixels of a window that changed.
  Status compare(LayerId layer, const PixelWindow& window) {
    const LayerRaster old = rasteriseWindow(layer, before_.boundary, before_.twin, frame_, lines_, window);
    const LayerRaster now = rasteriseWindow(layer, after_.boundary, after_.twin, frame_, lines_, window);
    if (crossings(old, before_) != crossings(now, after_)) {
      return unsupported("the change meets pixels that a connection crosses");
    }
    touched_ = touched_ || now.touched > 0;
    for (uint32_t row = 0; row < now.grid.height; ++row) {
      for (uint32_t column = 0; column < now.grid.width; ++column) {
        const bool wasFree = old.grid.isFree(row, column);
        if (wasFree == now.grid.isFree(row, column)) continue;
        (wasFree ? hit_ : freed_).push_back({now.lineLeft(column), now.lineBelow(row)});
      }
    }
    return Done{};
  }

  using Crossing = std::tuple<uint32_t, uint32_t, Point, Point>;
  static std::vector<Crossing> crossings(const LayerRaster& raster, const Edges& side) {
    std::vector<Crossing> list;
    for (const CrossedPixel& pixel : raster.crossed) {
      list.emplace_back(pixel.row, pixel.column, side.boundary.start(pixel.edge), side.boundary.end(pixel.edge));
    }
    std::sort(list.begin(), list.end());
    return list;
  }

  // The pixels of a cell; nothing for the part of a pixel that a connection crosses.
  struct Place {
    PixelWindow pixels;
    bool isRectangle = true;
  };
  Place placeOf(CellId cell) const {
    Box box;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      box.add(frame_.into(mesh_.vertex(mesh_.startVertex(s))));
    }
    Place place;
    place.pixels = {nearestLine(lines_.x, box.min.x), nearestLine(lines_.x, box.max.x),
                    nearestLine(lines_.y, box.min.y), nearestLine(lines_.y, box.max.y)};
    if (frame_.turned()) return place;  // without connections: see update() below
    int corners = 0;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const Vec2 p = mesh_.vertex(mesh_.startVertex(s));
      corners += (p.x == box.min.x || p.x == box.max.x) && (p.y == box.min.y || p.y == box.max.y) ? 1 : 0;
    }
    place.isRectangle = corners == 4 && lines_.x[place.pixels.firstX] == box.min.x &&
                        lines_.x[place.pixels.lastX] == box.max.x && lines_.y[place.pixels.firstY] == box.min.y &&
                        lines_.y[place.pixels.lastY] == box.max.y;
    if (!place.isRectangle) {
      const auto [x, endX] = linesAround(lines_.x, box.min.x, box.max.x);
      const auto [y, endY] = linesAround(lines_.y, box.min.y, box.max.y);
      place.pixels = {static_cast<uint32_t>(x), static_cast<uint32_t>(endX), static_cast<uint32_t>(y),
                      static_cast<uint32_t>(endY)};
    }
    return place;
  }

  static bool holds(const PixelWindow& window, At p) {
    return p.x >= window.firstX && p.x < window.lastX && p.y >= window.firstY && p.y < window.lastY;
  }
  // Whether one of the pixels lies in the window; they are sorted by x.
  static bool holdsAny(const PixelWindow& window, const std::vector<At>& pixels) {
    for (auto at = std::lower_bound(pixels.begin(), pixels.end(), At{window.firstX, window.firstY});
         at != pixels.end() && at->x < window.lastX;) {
      if (holds(window, *at)) return true;
      // On to the window's part of this column, or of the next one.
      const At next = at->y < window.firstY ? At{at->x, window.firstY} : At{at->x + 1, window.firstY};
      at = std::lower_bound(at, pixels.end(), next);
    }
    return false;
  }

  void removeCells(LayerId layer) {
    removedPlaces_.clear();
    std::vector<At> around = freed_;  // pixels that share a side with one that became free
    for (const At p : freed_) {
      around.push_back({p.x + 1, p.y});
      around.push_back({p.x, p.y + 1});
      if (p.x > 0) around.push_back({p.x - 1, p.y});
      if (p.y > 0) around.push_back({p.x, p.y - 1});
    }
    std::sort(around.begin(), around.end());
    for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
      if (mesh_.layerOf(cell) != layer) continue;
      const Place place = placeOf(cell);
      if (!holdsAny(place.pixels, hit_) && !holdsAny(place.pixels, around)) continue;
      patch_.removeCell(cell);
      if (place.isRectangle) {
        removedPlaces_.push_back(place.pixels);
        continue;
      }
      // Part of a pixel that a connection crosses: the same again, with other neighbours.
      std::vector<Vec2> loop;
      for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
        loop.push_back(mesh_.vertex(mesh_.startVertex(s)));
      }
      patch_.addCell(layer, loop);
    }
  }

  // Where the lattice of sampled seeds of a layer begins: its leftmost line and its highest row.
  At originOf(LayerId layer) const {
    Box box;
    for (const Boundary::Ring& ring : after_.boundary.rings()) {
      if (ring.layer != layer) continue;
      for (uint32_t e = ring.begin; e < ring.end; ++e) box.add(frame_.into(after_.boundary.start(e)));
    }
    if (box.empty()) return {};
    return {static_cast<uint32_t>(linesAround(lines_.x, box.min.x, box.max.x).first),
            static_cast<uint32_t>(linesAround(lines_.y, box.min.y, box.max.y).second - 1)};
  }

  Status growAgain(LayerId layer) {
    std::optional<PixelWindow> all;
    const auto add = [&](const PixelWindow& w) {
      if (!all) all = w;
      all = {std::min(all->firstX, w.firstX), std::max(all->lastX, w.lastX), std::min(all->firstY, w.firstY),
             std::max(all->lastY, w.lastY)};
    };
    for (const PixelWindow& place : removedPlaces_) add(place);
    for (const At p : freed_) add({p.x, p.x + 1, p.y, p.y + 1});
    if (!all) return Done{};
    LayerRaster part;
    part.firstX = all->firstX;
    part.firstY = all->firstY;
    NavigableGrid& grid = part.grid;
    grid.width = all->lastX - all->firstX;
    grid.height = all->lastY - all->firstY;
    if (grid.width > kMaxGridSide || grid.height > kMaxGridSide) return unsupported("the change is too wide");
    grid.free.assign(static_cast<size_t>(grid.width) * grid.height, 0);
    const auto pixel = [&](uint32_t x, uint32_t y) -> uint8_t& {
      const uint32_t row = grid.height - 1 - (y - part.firstY);
      return grid.free[static_cast<size_t>(row) * grid.width + (x - part.firstX)];
    };
    for (const PixelWindow& place : removedPlaces_) {
      for (uint32_t y = place.firstY; y < place.lastY; ++y) {
        for (uint32_t x = place.firstX; x < place.lastX; ++x) pixel(x, y) = 1;
      }
    }
    for (const At p : hit_) {
      if (holds(*all, p)) pixel(p.x, p.y) = 0;
    }
    for (const At p : freed_) pixel(p.x, p.y) = 1;
    return addClusters(layer, part);
  }

  // With seeds where a new mesh has them, if they are sampled; else from the first pixel on.
  Status addClusters(LayerId layer, const LayerRaster& part) {
    const NavigableGrid& grid = part.grid;
    Growth growth(grid.width, grid.height, TakenBits(grid.width, grid.height, grid.free), settings_.grid, context_);
    if (settings_.grid.seeds == GridSeeds::kSampled) {
      const At origin = originOf(layer);
      for (uint32_t row = 0; row < grid.height; ++row) {
        const uint32_t y = part.lineBelow(row);
        if (y > origin.y || (origin.y - y) % settings_.grid.period != 0) continue;
        for (uint32_t column = 0; column < grid.width; ++column) {
          const uint32_t x = part.lineLeft(column);
          if (x >= origin.x && (x - origin.x) % settings_.grid.period == 0) growth.addSeed({row, column});
        }
      }
    }
    if (!growth.run() || !growth.coverRest()) {
      return Error{ErrorCode::kCancelled, "the growth of the grid was cancelled by the caller"};
    }
    std::vector<GridCluster> clusters;
    for (const Growing& cluster : growth.clusters()) clusters.push_back(cluster.box);
    if (settings_.grid.merge) {
      const std::vector<uint32_t> ids = paintIds(clusters, grid.width, grid.height, context_);
      clusters = mergeClusters(std::move(clusters), ids, grid.width, settings_.grid);
    }
    for (const GridCluster& box : clusters) {
      std::array<Vec2, 4> loop;
      const std::array<Point, 4> corners = cornersOf(part, lines_, box);
      for (size_t i = 0; i < 4; ++i) loop[i] = frame_.back(corners[i]);
      patch_.addCell(layer, loop);
    }
    return Done{};
  }

  const NavMesh& mesh_;
  const Settings& settings_;
  const Frame& frame_;
  const Lines& lines_;
  const Context& context_;
  Edges before_;
  Edges after_;
  MeshPatch patch_;
  std::vector<At> hit_;    // pixels that are blocked now, by x, then y
  std::vector<At> freed_;  // pixels that became free
  std::vector<PixelWindow> removedPlaces_;
  bool touched_ = false;  // a wall enters a pixel
};

}  // namespace

Result<MeshUpdate> update(const NavMesh& mesh, const Environment& before, const Environment& after,
                          const ChangedArea& changed, const Settings& settings, const Context& context) {
  if (!settings.grid.coverAll)
    return unsupported("pixels that no seed reaches are left out, and an edit may join them");
  Frame frame;
  if (settings.align) {
    frame.along = dominantDirection(before);
    if (frame.along != dominantDirection(after)) return unsupported("the direction of most walls has changed");
    if (frame.turned() && !after.connections.empty()) return unsupported("the raster is turned against connections");
  }
  const double pixel = settings.pixel / after.lattice.unit;
  const Result<Lines> lines = linesOver(before, frame, pixel);
  if (!lines.ok()) return lines.error();
  const Result<Lines> now = linesOver(after, frame, pixel);
  if (!now.ok()) return now.error();
  // The raster begins at the lower left corner of the world, and its lines are moved onto walls beside them.
  if (lines->x != now->x || lines->y != now->y) return unsupported("the lines between pixels have moved");
  std::map<LayerId, std::vector<Box>> boxes;
  for (const ChangedArea::Box& part : changed.boxes) {
    if (!part.box.empty()) boxes[part.layer].push_back(part.box);
  }
  Updating updating(mesh, before, after, changed, settings, frame, *lines, context);
  for (const auto& [layer, list] : boxes) {
    if (const Status status = updating.update(layer, list); !status.ok()) return status.error();
  }
  return updating.finish();
}

}  // namespace wend::adaptive_grid
