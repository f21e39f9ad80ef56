#include "generators/ecm/open_connections.h"

#include <functional>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include "generators/ecm/open_passages.h"
#include "generators/ecm/open_simple.h"
#include "generators/ecm/open_splice.h"
#include "generators/ecm/open_sweep.h"
#include "generators/ecm/open_zone.h"

namespace wend::ecm {
namespace {

class Opener {
 public:
  Opener(Diagram& diagram, const Environment& environment, const OpeningSettings& settings)
      : diagram_(diagram), environment_(environment), settings_(settings), passages_(environment.layers.size()) {
    faces_.resize(environment.connections.size());
    for (size_t c = 0; c < faces_.size(); ++c) faces_[c].resize(environment.connections[c].line.size() - 1);
    for (uint32_t s = 0; s < diagram.sites.size(); ++s) {
      const Diagram::Site& site = diagram.sites[s];
      if (site.connection == kNone || site.removed) continue;
      Faces& faces = faces_[site.connection][site.piece];
      const bool isA = site.layer == environment.connections[site.connection].layerA;
      (isA ? faces.a : faces.b) = s;
    }
    lengths_.assign(diagram.sites.size(), 0);
    for (const Diagram::HalfEdge& edge : diagram.edges) {
      if (!edge.removed) ++lengths_[edge.site];
    }
  }

  Result<OpeningStats> run(const Context& context) {
    const auto count = static_cast<uint32_t>(faces_.size());
    if (settings_.order == OpeningOrder::kEasiestFirst) {
      for (uint32_t c = 0; c < count; ++c) queue_.emplace(complexity(c), c);
    }
    std::vector<bool> done(count, false);
    for (uint32_t opened = 0; opened < count; ++opened) {
      uint32_t c = settings_.order == OpeningOrder::kReversed ? count - 1 - opened : opened;
      if (settings_.order == OpeningOrder::kEasiestFirst) c = easiest(done);
      done[c] = true;
      context.report("open connections", static_cast<double>(opened) / count);
      if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled while opening connections"};
      if (const Status status = open(c); !status.ok()) return status.error();
    }
    return stats_;
  }

 private:
  struct Faces {
    uint32_t a = kNone;
    uint32_t b = kNone;
  };

  uint64_t complexity(uint32_t connection) const {
    uint64_t sum = 0;
    for (const Faces& faces : faces_[connection]) sum += lengths_[faces.a] + lengths_[faces.b];
    return sum;
  }

  // Entries whose number of neighbours has changed since are stale: the change added a new one.
  uint32_t easiest(const std::vector<bool>& done) {
    while (true) {
      const auto [m, c] = queue_.top();
      queue_.pop();
      if (!done[c] && complexity(c) == m) return c;
    }
  }

  Status open(uint32_t connection) {
    const Connection& line = environment_.connections[connection];
    std::vector<uint32_t> bare;
    for (const Faces& faces : faces_[connection]) {
      const Zone zone = collectZone(diagram_, faces.a, faces.b);
      passages_.add(zone.a, zone.b, line.layerA, line.layerB);
      if (const Status status = fill(zone, bare); !status.ok()) {
        return Error{status.error().code, fmt::format("connection {}: {}", connection, status.error().message)};
      }
      while (!bare.empty()) {
        const uint32_t point = bare.back();
        bare.pop_back();
        const Zone around = collectZone(diagram_, point, kNone);
        ++stats_.points;
        if (const Status status = fill(around, bare); !status.ok()) {
          return Error{status.error().code, fmt::format("connection {}: {}", connection, status.error().message)};
        }
      }
    }
    return Done{};
  }

  Status fill(const Zone& zone, std::vector<uint32_t>& bare) {
    stats_.neighbours += zone.labels.size();
    std::optional<ZoneTree> tree;
    if (settings_.method != OpeningMethod::kSweep) tree = projectZone(diagram_, zone);
    if (!zone.isPoint()) ++(tree ? stats_.simple : stats_.swept);
    if (!tree) {
      if (settings_.method == OpeningMethod::kSimple) {
        return Error{ErrorCode::kUnsupported, fmt::format("the neighbours of the segment from ({}, {}) to ({}, {}) "
                                                          "overlap in top view; sweep it instead",
                                                          zone.a.x, zone.a.y, zone.b.x, zone.b.y)};
      }
      Result<ZoneTree> swept = sweepZone(diagram_, zone);
      if (!swept.ok()) return swept.error();
      tree = std::move(swept).value();
    }
    spliceZone(diagram_, zone, *tree, passages_, lengths_, bare);
    for (const uint32_t label : zone.labels) {
      const uint32_t c = diagram_.sites[label].connection;
      if (c != kNone && settings_.order == OpeningOrder::kEasiestFirst) queue_.emplace(complexity(c), c);
    }
    return Done{};
  }

  Diagram& diagram_;
  const Environment& environment_;
  const OpeningSettings& settings_;
  Passages passages_;
  std::vector<std::vector<Faces>> faces_;  // per connection, per segment of its line
  std::vector<uint32_t> lengths_;          // per site: half-edges of its chain
  std::priority_queue<std::pair<uint64_t, uint32_t>, std::vector<std::pair<uint64_t, uint32_t>>, std::greater<>> queue_;
  OpeningStats stats_;
};

}  // namespace

Result<OpeningStats> openConnections(Diagram& diagram, const Environment& environment, const OpeningSettings& settings,
                                     const Context& context) {
  return Opener(diagram, environment, settings).run(context);
}

}  // namespace wend::ecm
