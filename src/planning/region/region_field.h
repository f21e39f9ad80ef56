#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

// The labelled regions of an environment as squares: which label lies under the centre of each. Kept apart from the
// mesh (van Toll 2017, chapter 10), since every agent has its own costs.
namespace wend {

class RegionField {
 public:
  // Squares of `size` metres, larger where a layer would need more than kMostSquares.
  explicit RegionField(const Environment& environment, double size = 1);

  static constexpr uint64_t kMostSquares = 1U << 24U;

  using Label = uint16_t;  // 0 is "default": places that no region covers
  const std::vector<std::string>& labels() const { return labels_; }
  // O(1).
  Label at(Vec2 metres, LayerId layer) const;
  // Calls visit(label, metres) for each piece of a straight segment. O(squares crossed).
  template <typename Visit>
  void along(LayerId layer, Vec2 a, Vec2 b, const Visit& visit) const;

 private:
  struct Raster {
    Vec2 min;  // metres, of the first square's corner
    double size = 1;
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<Label> squares;  // row by row; empty without regions
  };
  Raster rasterOf(const Lattice& lattice, const Layer& layer, double size);
  Label labelOf(const std::string& name);

  std::vector<std::string> labels_;
  std::vector<Raster> layers_;
};

// The costs of one agent.
class RegionCosts {
 public:
  // Cost per metre by label, 1 where not named. An infinite cost is a wall.
  RegionCosts(std::shared_ptr<const RegionField> field, const std::map<std::string, double>& costs);

  double of(RegionField::Label label) const { return costs_[label]; }
  double at(Vec2 metres, LayerId layer) const { return costs_[field_->at(metres, layer)]; }
  // Integral over a straight segment.
  double along(LayerId layer, Vec2 a, Vec2 b) const;
  double least() const { return least_; }
  double most() const { return most_; }
  bool uniform() const { return uniform_; }  // all places cost the same
  const RegionField& field() const { return *field_; }

 private:
  std::shared_ptr<const RegionField> field_;
  std::vector<double> costs_;
  double least_ = 1;
  double most_ = 1;
  bool uniform_ = true;
};

}  // namespace wend
