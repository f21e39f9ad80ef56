#include <deque>
#include <limits>
#include <numbers>
#include <unordered_map>

#include <wend/analysis.h>

#include <fmt/format.h>

#include "crowd/report/frame_window.h"
#include "crowd/report/line_watch.h"
#include "crowd/report/overlap_count.h"
#include "crowd/report/service_areas.h"
#include "crowd/report/voronoi_density.h"
#include "crowd/scenario/placed_area.h"

namespace wend {
namespace {

constexpr double kMoved = 0.2;         // m; more than passers-by push a standing person
constexpr double kStopped = 0.1;       // m/s
constexpr double kFineSquare = 0.125;  // m; squares of Voronoi cells
constexpr double kRegionSquare = 0.1;  // m
constexpr double kMaxSquares = 6e6;    // of all layers
constexpr double kMaxRegionSquares = 1e6;
// m; Voronoi cells of levels of service are cut here: a person alone has 0.08 persons per m2, far inside level A.
constexpr double kLevelCutoff = 2;
constexpr double kThin = 0.5;           // persons per m2; above it the cutoff of maps decides no level
constexpr double kStuckDistance = 0.2;  // m
constexpr double kStuckTime = 10;       // s
constexpr size_t kMaxDiagram = 20'000;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct RegionWork {
  PlacedArea area;
  std::optional<VoronoiDensity> raster;
  std::vector<uint32_t> squares;  // of the raster, inside the region
};

struct MapWork {
  std::optional<VoronoiDensity> raster;
  uint32_t fold = 1;                     // squares per cell of the map, along a side
  std::optional<VoronoiDensity> levels;  // for levels of service: cells cut at kLevelCutoff
  std::vector<float> windowSum;
  std::vector<float> speedSum;
  std::vector<float> speedCount;
  std::vector<float> freeSquares;
};

class Analyst {
 public:
  Analyst(const Recording& recording, const Scenario* scenario, const AnalysisSettings& settings,
          const Context& context)
      : recording_(recording),
        scenario_(scenario),
        settings_(settings),
        context_(context),
        service_(scenario, recording.worlds().front().environment) {}

  Result<Analysis> run() {
    if (Status status = prepare(); !status.ok()) return status.error();
    FrameWindow window(recording_.framesPerSecond());
    const auto handle = [&](FrameWindow::Frame& frame) { look(frame); };
    const Status status = recording_.forEach([&](int64_t frame, std::span<const RecordedPosition> persons) {
      if (frame % 64 == 0) {
        context_.report("analyse",
                        static_cast<double>(frame) / static_cast<double>(std::max<int64_t>(1, recording_.frames())));
      }
      window.push(frame, persons, handle);
      return !context_.cancelled();
    });
    if (!status.ok()) return status.error();
    if (context_.cancelled()) return Error{ErrorCode::kCancelled, "stopped"};
    window.finish(handle);
    finish();
    return std::move(out_);
  }

 private:
  Status prepare() {
    out_.framesPerSecond = recording_.framesPerSecond();
    out_.duration = static_cast<double>(std::max<int64_t>(0, recording_.frames() - 1)) / out_.framesPerSecond;
    for (const RecordedPerson& person : recording_.persons()) {
      PersonResult result;
      result.person = person;
      result.spawn = static_cast<double>(person.spawnFrame) / out_.framesPerSecond;
      index_[person.id] = out_.persons.size();
      out_.persons.push_back(std::move(result));
    }
    for (const RecordedPerson& person : recording_.persons()) {
      if (person.exitTime >= 0) exits_.push_back(person.exitTime);
    }
    if (scenario_ != nullptr) {
      for (const ScenarioStage& stage : scenario_->stages) {
        waits_.push_back(stage.kind == StageKind::kQueue || stage.kind == StageKind::kWaiting ? 1 : 0);
      }
    }
    std::sort(exits_.begin(), exits_.end());
    const size_t n = out_.persons.size();
    first_.resize(n);
    last_.resize(n);
    lastVelocity_.resize(n);
    seen_.assign(n, 0);
    speedSum_.assign(n, 0);
    speedCount_.assign(n, 0);
    anchor_.resize(n);
    anchorTime_.assign(n, 0);
    lastTime_.assign(n, 0);
    lastRow_.resize(n);
    watches_.assign(scenario_ == nullptr ? 0 : scenario_->lines.size(), std::vector<LineWatch>(n));
    if (scenario_ != nullptr) {
      for (const MeasuringLine& line : scenario_->lines) out_.lines.push_back({line, {}});
      for (const MeasuringRegion& region : scenario_->regions) {
        if (Status status = addRegion(region); !status.ok()) return status;
      }
      // Stairs are measured as regions are, by the levels of stairs.
      for (const ScenarioStair& stair : scenario_->stairs) {
        const auto isIt = [&](const MeasuringRegion& region) { return region.id == stair.id; };
        if (stair.kind != StairKind::kStair ||
            std::any_of(scenario_->regions.begin(), scenario_->regions.end(), isIt)) {
          continue;
        }
        if (Status status = addRegion({.id = stair.id, .area = stair.area, .los = ServiceTable::kStairs}); !status.ok())
          return status;
      }
    }
    addMaps();
    stride_ = std::max<int64_t>(1, std::llround(settings_.sampleEvery * out_.framesPerSecond));
    return Done{};
  }

  const Environment& environment() const { return recording_.worlds().front().environment; }

  Status addRegion(const MeasuringRegion& region) {
    Result<PlacedArea> area = placeArea(region.area, environment(), fmt::format("region '{}'", region.id));
    if (!area.ok()) return area.error();
    const Result<double> size = walkableArea(*area, environment());
    if (!size.ok()) return size.error();
    RegionWork work;
    const double reach = std::min(settings_.cutoff, 10.0) + 0.5;
    const Vec2 min{area->min.x - reach, area->min.y - reach};
    const Vec2 max{area->max.x + reach, area->max.y + reach};
    const double cell = std::max(kRegionSquare, std::sqrt((max.x - min.x) * (max.y - min.y) / kMaxRegionSquares));
    work.raster.emplace(environment().layers[area->layer], environment().lattice, min, max, cell);
    for (uint32_t s = 0; s < work.raster->columns() * work.raster->rows(); ++s) {
      if (work.raster->isFree(s) && area->contains(work.raster->centre(s))) work.squares.push_back(s);
    }
    work.area = std::move(area).value();
    regions_.push_back(std::move(work));
    laneSum_.push_back(0);
    laneCount_.push_back(0);
    out_.regions.push_back({region, *size, {}, 0});
    return Done{};
  }

  void addMaps() {
    const Environment& e = environment();
    std::vector<std::pair<Vec2, Vec2>> boxes;
    for (const Layer& layer : e.layers) {
      const Box box = boundingBox(layer.free);
      const Vec2 min = e.lattice.toMetres(box.min);
      const Vec2 max = e.lattice.toMetres(box.max);
      boxes.emplace_back(min, max);
    }
    // A layer has at least one square, however thin it is.
    const auto squares = [&](double side) {
      double sum = 0;
      for (size_t i = 0; i < boxes.size(); ++i) {
        if (e.layers[i].free.empty()) continue;
        const auto& [min, max] = boxes[i];
        sum += std::max(1.0, std::ceil((max.x - min.x) / side)) * std::max(1.0, std::ceil((max.y - min.y) / side));
      }
      return sum;
    };
    const double most = std::max(kMaxSquares, static_cast<double>(boxes.size()));
    double cell = settings_.grid;
    auto fold = static_cast<uint32_t>(std::max(1.0, std::round(cell / kFineSquare)));
    while (fold > 1 && squares(cell / fold) > most) --fold;
    while (squares(cell / fold) > most) cell *= 1.5;
    for (size_t i = 0; i < e.layers.size(); ++i) {
      MapWork work;
      MapResult map;
      map.layer = e.layers[i].id;
      map.cell = cell;
      if (!e.layers[i].free.empty()) {
        const auto [min, max] = boxes[i];
        map.min = min;
        map.columns = static_cast<uint32_t>(std::max(1.0, std::ceil((max.x - min.x) / cell - 1e-9)));
        map.rows = static_cast<uint32_t>(std::max(1.0, std::ceil((max.y - min.y) / cell - 1e-9)));
        const Vec2 end{min.x + map.columns * cell, min.y + map.rows * cell};
        work.raster.emplace(e.layers[i], e.lattice, min, end, cell / fold);
        work.levels.emplace(e.layers[i], e.lattice, min, end, std::max(cell / fold, 2 * kFineSquare));
        work.fold = fold;
        const size_t cells = static_cast<size_t>(map.columns) * map.rows;
        for (auto* values : {&map.meanDensity, &map.maxDensity, &map.secondsAbove2, &map.secondsAbove4, &map.meanSpeed,
                             &work.windowSum, &work.speedSum, &work.speedCount, &work.freeSquares}) {
          values->assign(cells, 0);
        }
        map.lastOccupied.assign(cells, kNaN);
        for (uint32_t s = 0; s < work.raster->columns() * work.raster->rows(); ++s) {
          if (work.raster->isFree(s)) work.freeSquares[mapCell(work, map, s)] += 1;
        }
      }
      maps_.push_back(std::move(work));
      out_.maps.push_back(std::move(map));
    }
  }

  // Rows of the map count from above, those of the raster from below.
  static size_t mapCell(const MapWork& work, const MapResult& map, uint32_t square) {
    const uint32_t column = square % work.raster->columns() / work.fold;
    const uint32_t row = square / work.raster->columns() / work.fold;
    return static_cast<size_t>(map.rows - 1 - row) * map.columns + column;
  }

  // A row after the exit: older recordings have one where several steps lie between two frames.
  bool hasLeft(const RecordedPosition& p, double time) const {
    const auto found = index_.find(p.person);
    if (found == index_.end() || p.stage < 0) return false;
    const double exit = out_.persons[found->second].person.exitTime;
    return exit >= 0 && time > exit + 1e-6;
  }

  void look(FrameWindow::Frame& frame) {
    const double time = static_cast<double>(frame.number) / out_.framesPerSecond;
    const bool sampled = frame.number % stride_ == 0;
    uint32_t stuck = 0;
    size_t kept = 0;
    uint32_t leaving = 0;
    for (size_t i = 0; i < frame.persons.size(); ++i) {
      const RecordedPosition p = frame.persons[i];
      const double speed = frame.speeds[i];
      const auto found = index_.find(p.person);
      if (found != index_.end()) stuck += follow(found->second, p, speed, time, frame.number) ? 1 : 0;
      if (hasLeft(p, time)) continue;
      if (found != index_.end() && p.stage >= 0 && out_.persons[found->second].person.exitTime >= 0 &&
          out_.persons[found->second].person.exitTime <= time + 1e-9) {
        ++leaving;
      }
      frame.persons[kept] = p;
      frame.speeds[kept++] = speed;
    }
    frame.persons.resize(kept);
    frame.speeds.resize(kept);
    out_.mostInside = std::max<uint64_t>(out_.mostInside, kept);
    lastInside_ = static_cast<uint32_t>(kept) - leaving;
    lastStuck_ = stuck;
    lastFrameTime_ = time;
    if (sampled || kept <= kEveryFrame) overlaps_.look(frame.persons, recording_.persons(), index_);
    if (!sampled) return;
    addCurvePoint(time, lastInside_, stuck);
    sampleRegions(frame, time);
    sampleMaps(frame, time);
  }

  void addCurvePoint(double time, uint32_t inside, uint32_t stuck) {
    while (nextExit_ < exits_.size() && exits_[nextExit_] <= time + 1e-9) ++nextExit_;
    out_.curve.push_back({time, inside, static_cast<uint32_t>(nextExit_), stuck});
  }

  // What one person did since the frame before; whether it is stuck.
  bool follow(size_t i, const RecordedPosition& p, double speed, double time, int64_t frame) {
    PersonResult& person = out_.persons[i];
    const Vec2 at{p.place.x, p.place.y};
    const double dt = 1 / out_.framesPerSecond;
    const bool walking = person.person.start >= 0 && time >= person.person.start - 1e-9 &&
                         (person.person.exitTime < 0 || time <= person.person.exitTime);
    if (seen_[i] == 0) {
      seen_[i] = 1;
      first_[i] = at;
      anchor_[i] = at;
      anchorTime_[i] = time;
    } else {
      const Vec2 step{at.x - last_[i].x, at.y - last_[i].y};
      const double way = std::hypot(step.x, step.y);
      // A jump over the border of a periodic world is not a walk.
      if (way < 5) {
        person.walked += way;
        const Vec2 v{step.x / dt, step.y / dt};
        const double v2 = v.x * v.x + v.y * v.y;
        if (walking) {
          person.effort += (2.23 + 1.26 * v2) * dt;
          if (seen_[i] > 1) person.acceleration += std::hypot(v.x - lastVelocity_[i].x, v.y - lastVelocity_[i].y);
          if (std::sqrt(v2) < kStopped) person.stopped += dt;
        }
        lastVelocity_[i] = v;
        seen_[i] = 2;
        crossLines(i, last_[i], at, p, time, frame, false);
      } else {
        for (std::vector<LineWatch>& line : watches_) line[i].interrupt();
      }
      if (person.moved < 0 && std::hypot(at.x - first_[i].x, at.y - first_[i].y) > kMoved) {
        person.moved = person.person.freeSpeed > 0 ? time - kMoved / person.person.freeSpeed : time;
      }
    }
    last_[i] = at;
    lastTime_[i] = time;
    lastRow_[i] = p;
    if (walking && !std::isnan(speed)) {
      speedSum_[i] += speed;
      speedCount_[i] += 1;
    }
    const bool waits =
        p.stage >= 0 && static_cast<size_t>(p.stage) < waits_.size() && waits_[static_cast<size_t>(p.stage)] != 0;
    if (!walking || p.stage < 0 || waits || std::hypot(at.x - anchor_[i].x, at.y - anchor_[i].y) >= kStuckDistance) {
      anchor_[i] = at;
      anchorTime_[i] = time;
    }
    const double still = time - anchorTime_[i];
    if (still < kStuckTime) return false;
    if (still > person.stuckFor) {
      person.stuckFor = still;
      person.stuckAt = anchor_[i];
      person.stuckLayer = p.layer;
      person.stuckFrom = anchorTime_[i];
    }
    return true;
  }

  // From its last frame to the place where it left: a line there is crossed even if no frame shows it.
  void followOut(size_t i) {
    const RecordedPerson& person = out_.persons[i].person;
    if (!person.exitPlaced || seen_[i] == 0 || person.exitTime <= lastTime_[i] + 1e-9) return;
    if (lastRow_[i].stage < 0) return;
    const double way = std::hypot(person.exitPlace.x - last_[i].x, person.exitPlace.y - last_[i].y);
    if (way >= 5) return;
    out_.persons[i].walked += way;
    const auto frame = static_cast<int64_t>(std::floor(person.exitTime * out_.framesPerSecond));
    crossLines(i, last_[i], person.exitPlace, lastRow_[i], person.exitTime, frame, true);
  }

  void crossLines(size_t i, Vec2 a, Vec2 b, const RecordedPosition& p, double time, int64_t frame, bool isLast) {
    for (size_t l = 0; l < out_.lines.size(); ++l) {
      const MeasuringLine& line = out_.lines[l].line;
      LineWatch& watch = watches_[l][i];
      if (p.layer != line.layer) {
        watch.interrupt();
      } else if (watch.crosses(line, a, b, isLast)) {
        out_.lines[l].crossings.push_back({frame, time, p.person, watch.isForward()});
      }
    }
  }

  void sampleRegions(const FrameWindow::Frame& frame, double time) {
    for (size_t r = 0; r < regions_.size(); ++r) {
      RegionWork& work = regions_[r];
      occupants_.clear();
      RegionSample sample;
      sample.time = time;
      double speed = 0;
      const int32_t layer = environment().layers[work.area.layer].id;
      std::vector<std::pair<Vec2, Vec2>> inside;
      for (size_t i = 0; i < frame.persons.size(); ++i) {
        const RecordedPosition& p = frame.persons[i];
        const Vec2 at{p.place.x, p.place.y};
        if (!work.area.everywhere && p.layer != layer) continue;
        if (work.raster->squareOf(at) == kNone) continue;
        occupants_.push_back({at});
        if (!work.area.contains(at)) continue;
        ++sample.inside;
        speed += frame.speeds[i];
        inside.emplace_back(at, p.velocity);
      }
      sample.speed = sample.inside == 0 ? std::numeric_limits<double>::quiet_NaN() : speed / sample.inside;
      if (settings_.classic) {
        sample.density = out_.regions[r].area > 0 ? sample.inside / out_.regions[r].area : 0;
      } else if (!work.squares.empty()) {
        work.raster->assign(occupants_, settings_.cutoff);
        for (const uint32_t s : work.squares) sample.density += work.raster->densityAt(s);
        sample.density /= static_cast<double>(work.squares.size());
      }
      if (time >= 0.75 * out_.duration) addLaneOrder(r, inside);
      out_.regions[r].samples.push_back(sample);
    }
  }

  // Rows of half a metre along the longer side of the region: how pure is the direction around each person?
  void addLaneOrder(size_t r, std::span<const std::pair<Vec2, Vec2>> inside) {
    const PlacedArea& area = regions_[r].area;
    const bool alongX = area.max.x - area.min.x >= area.max.y - area.min.y;
    std::map<int64_t, std::array<double, 2>> rows;
    const auto row = [&](Vec2 at) {
      return static_cast<int64_t>(std::floor((alongX ? at.y - area.min.y : at.x - area.min.x) / 0.5));
    };
    const auto forward = [&](Vec2 v) { return (alongX ? v.x : v.y) > 0 ? size_t{1} : size_t{0}; };
    for (const auto& [at, v] : inside) rows[row(at)][forward(v)] += 1;
    double sum = 0;
    for (const auto& [at, v] : inside) {
      const std::array<double, 2>& counts = rows[row(at)];
      const double order = (counts[0] - counts[1]) / (counts[0] + counts[1]);
      sum += order * order;
    }
    if (inside.empty()) return;
    laneSum_[r] += sum / static_cast<double>(inside.size());
    laneCount_[r] += 1;
  }

  void sampleMaps(const FrameWindow::Frame& frame, double time) {
    const double dt = static_cast<double>(stride_) / out_.framesPerSecond;
    for (size_t m = 0; m < maps_.size(); ++m) {
      MapWork& work = maps_[m];
      MapResult& map = out_.maps[m];
      if (!work.raster) continue;
      occupants_.clear();
      who_.clear();
      for (size_t i = 0; i < frame.persons.size(); ++i) {
        if (frame.persons[i].layer != map.layer) continue;
        occupants_.push_back({{frame.persons[i].place.x, frame.persons[i].place.y}});
        who_.push_back(i);
      }
      work.raster->assign(occupants_, settings_.cutoff);
      const bool thin = std::any_of(occupants_.begin(), occupants_.end(), [&](const VoronoiDensity::Occupant& o) {
        return work.raster->densityOf(static_cast<size_t>(&o - occupants_.data())) < kThin;
      });
      if (thin) work.levels->assign(occupants_, kLevelCutoff);
      for (const uint32_t s : work.raster->owned()) {
        const size_t cell = mapCell(work, map, s);
        if (work.freeSquares[cell] == 0) continue;
        const double density = work.raster->densityAt(s);
        const auto share = static_cast<float>(dt / work.freeSquares[cell]);
        map.meanDensity[cell] += static_cast<float>(density) * share;
        work.windowSum[cell] += static_cast<float>(density) * share;
        if (density > 2) map.secondsAbove2[cell] += share;
        if (density > 4) map.secondsAbove4[cell] += share;
      }
      for (size_t b = 0; b < who_.size(); ++b) {
        const RecordedPosition& p = frame.persons[who_[b]];
        const uint32_t square = work.raster->squareOf(occupants_[b].at);
        if (square == kNone) continue;
        const size_t cell = mapCell(work, map, square);
        const double density = work.raster->densityOf(b);
        const double speed = frame.speeds[who_[b]];
        work.speedSum[cell] += static_cast<float>(speed);
        work.speedCount[cell] += 1;
        map.lastOccupied[cell] = static_cast<float>(time);
        const double levelDensity = density < kThin ? std::min(density, work.levels->densityOf(b)) : density;
        const ServiceTable table = service_.at(occupants_[b].at, map.layer);
        out_.personMinutes[static_cast<size_t>(serviceLevel(levelDensity, table))] += dt / 60;
        const auto found = index_.find(p.person);
        if (found == index_.end()) continue;
        PersonResult& person = out_.persons[found->second];
        person.maxDensity = std::max(person.maxDensity, density);
        const bool walking = person.person.start >= 0 && time >= person.person.start + 1 && p.stage >= 0;
        if (!walking && !person.person.source.empty()) continue;
        addToDiagram({static_cast<float>(density), static_cast<float>(speed)});
      }
    }
    if (time >= windowEnd_) endWindow(time);
  }

  // Every k-th is kept; when there are too many, every second of those.
  void addToDiagram(SpeedDensity point) {
    if (diagramSeen_++ % diagramEvery_ != 0) return;
    out_.fundamentalDiagram.push_back(point);
    if (out_.fundamentalDiagram.size() < 2 * kMaxDiagram) return;
    for (size_t i = 0; i < kMaxDiagram; ++i) out_.fundamentalDiagram[i] = out_.fundamentalDiagram[2 * i];
    out_.fundamentalDiagram.resize(kMaxDiagram);
    diagramEvery_ *= 2;
  }

  void endWindow(double time) {
    const double length = time - windowStart_;
    for (size_t m = 0; m < maps_.size(); ++m) {
      for (size_t i = 0; i < maps_[m].windowSum.size() && length > 0; ++i) {
        out_.maps[m].maxDensity[i] =
            std::max(out_.maps[m].maxDensity[i], maps_[m].windowSum[i] / static_cast<float>(length));
      }
      std::fill(maps_[m].windowSum.begin(), maps_[m].windowSum.end(), 0.0F);
    }
    windowStart_ = time;
    windowEnd_ = time + settings_.window;
  }

  void finish() {
    for (size_t i = 0; i < out_.persons.size(); ++i) followOut(i);
    // The curve ends with the last person that left, wherever the last sample was.
    const double end = std::max(lastFrameTime_, exits_.empty() ? 0.0 : exits_.back());
    if (!out_.curve.empty() && out_.curve.back().time < end - 1e-9) {
      const auto later =
          static_cast<uint32_t>(exits_.end() - std::upper_bound(exits_.begin(), exits_.end(), lastFrameTime_ + 1e-9));
      addCurvePoint(end, lastInside_ - std::min(later, lastInside_), lastStuck_);
    }
    if (out_.duration > windowStart_) endWindow(out_.duration);
    double speedSum = 0;
    double speedCount = 0;
    for (size_t i = 0; i < out_.persons.size(); ++i) {
      PersonResult& p = out_.persons[i];
      if (speedCount_[i] > 0) p.meanSpeed = speedSum_[i] / speedCount_[i];
      if (speedCount_[i] > 1) p.acceleration *= out_.framesPerSecond / speedCount_[i];
      speedSum += speedSum_[i];
      speedCount += speedCount_[i];
      if (p.person.exitTime < 0 || p.person.shortest < 0) continue;
      if (p.walked > 0) p.efficiency = p.person.shortest / p.walked;
      if (p.person.freeSpeed > 0) p.delay = p.person.exitTime - p.person.start - p.person.shortest / p.person.freeSpeed;
    }
    out_.meanSpeed = speedCount > 0 ? speedSum / speedCount : 0;
    out_.collisions = overlaps_.collisions();
    out_.overlap = overlaps_.deepest();
    out_.overlapShare = overlaps_.deepestShare();
    for (size_t r = 0; r < regions_.size(); ++r) {
      out_.regions[r].laneOrder = laneCount_[r] > 0 ? laneSum_[r] / laneCount_[r] : 0;
    }
    for (LineResult& line : out_.lines) {
      std::stable_sort(line.crossings.begin(), line.crossings.end(),
                       [](const Crossing& a, const Crossing& b) { return a.time < b.time; });
    }
    for (size_t m = 0; m < maps_.size(); ++m) {
      MapResult& map = out_.maps[m];
      for (size_t i = 0; i < map.meanDensity.size(); ++i) {
        if (out_.duration > 0) map.meanDensity[i] /= static_cast<float>(out_.duration);
        map.meanSpeed[i] = maps_[m].speedCount[i] > 0 ? maps_[m].speedSum[i] / maps_[m].speedCount[i] : kNaN;
        if (maps_[m].freeSquares[i] > 0) continue;
        for (auto* values : {&map.meanDensity, &map.maxDensity, &map.secondsAbove2, &map.secondsAbove4})
          (*values)[i] = kNaN;
      }
    }
  }

  static constexpr size_t kEveryFrame = 2000;  // persons up to which overlaps are counted in every frame

  const Recording& recording_;
  const Scenario* scenario_;
  const AnalysisSettings& settings_;
  const Context& context_;
  const ServiceAreas service_;
  Analysis out_;
  std::unordered_map<uint32_t, size_t> index_;
  std::vector<Vec2> last_;
  std::vector<Vec2> lastVelocity_;
  std::vector<Vec2> first_;
  std::vector<uint8_t> seen_;
  std::vector<double> speedSum_;
  std::vector<double> speedCount_;
  std::vector<Vec2> anchor_;
  std::vector<double> anchorTime_;
  std::vector<std::vector<LineWatch>> watches_;  // per line, then per person
  std::vector<double> lastTime_;
  std::vector<RecordedPosition> lastRow_;
  std::vector<uint8_t> waits_;  // per stage: persons stand there on purpose
  uint32_t lastInside_ = 0;
  uint32_t lastStuck_ = 0;
  double lastFrameTime_ = 0;
  std::vector<double> exits_;
  size_t nextExit_ = 0;
  std::vector<RegionWork> regions_;
  std::vector<double> laneSum_;
  std::vector<double> laneCount_;
  std::vector<MapWork> maps_;
  OverlapCount overlaps_;
  std::vector<VoronoiDensity::Occupant> occupants_;
  std::vector<size_t> who_;
  int64_t stride_ = 10;
  double windowStart_ = 0;
  double windowEnd_ = 0;
  uint64_t diagramSeen_ = 0;
  uint64_t diagramEvery_ = 1;
};

}  // namespace

Result<Analysis> analyse(const Recording& recording, const Scenario* scenario, const AnalysisSettings& settings,
                         const Context& context) {
  if (!(settings.grid >= 0.05 && settings.grid <= 10) || !(settings.cutoff > 0) || !(settings.window > 0) ||
      !(settings.sampleEvery > 0)) {
    return Error{ErrorCode::kInvalidSettings, "the grid must be 0.05 to 10 m; cutoff, window and sampling above 0"};
  }
  return Analyst(recording, scenario, settings, context).run();
}

double timeOfShare(const Analysis& analysis, double share) {
  std::vector<double> times;
  for (const PersonResult& p : analysis.persons) {
    if (p.person.exitTime >= 0) times.push_back(p.person.exitTime);
  }
  const auto wanted = static_cast<size_t>(std::ceil(share * static_cast<double>(analysis.persons.size()) - 1e-9));
  if (wanted == 0) return 0;
  if (times.size() < wanted) return kForever;
  std::nth_element(times.begin(), times.begin() + static_cast<long>(wanted - 1), times.end());
  return times[wanted - 1];
}

}  // namespace wend
