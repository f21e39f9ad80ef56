#pragma once

#include <memory>
#include <vector>

#include "crowd/ground/ground.h"

// Makes the arrays of a Ground: from nothing, or from those of the version before.
namespace wend {

class GroundUpdate {
 public:
  // From nothing.
  explicit GroundUpdate(const NavMesh& mesh);
  // From the version before, where it differs. False from run() if it is not known where.
  GroundUpdate(const Ground& before, const NavMesh& mesh);
  bool run();

  const std::vector<uint32_t>& goneWalls() const { return gone_; }
  const std::vector<uint32_t>& newWalls() const { return made_; }
  std::shared_ptr<const GroundArrays> publish();

 private:
  const std::vector<GroundSide>& sides() const { return draft_->sides; }
  LoggedArray<GroundSide> sideArray() { return {draft_->sides, log_, 0}; }
  LoggedArray<GroundWall> wallArray() { return {draft_->walls, log_, 1}; }
  LoggedArray<uint8_t> flagArray() { return {draft_->flags, log_, 2}; }
  GroundSide sideOf(SideId s) const;
  void setSides(const std::vector<uint32_t>& blocks, std::vector<SideId>& dirty);
  void markShape(CellId cell);
  void markConnections();
  SideId nextWall(SideId s) const;
  SideId previousWall(SideId s) const;
  bool continues(SideId s, SideId n) const;
  // All chains of straight sides that one of these is in: walls are joined along them.
  void joinChains(const std::vector<SideId>& dirty);
  void joinChain(SideId start);
  uint32_t takeNumber();
  void freeWall(uint32_t wall);
  void linkTo(uint32_t wall, SideId follower);

  const Ground* before_ = nullptr;
  NavMesh mesh_;
  std::shared_ptr<Versions<GroundArrays>> versions_;
  std::unique_ptr<GroundArrays> draft_;
  BlockLog log_;
  std::vector<uint8_t> isJoined_;  // per side, of this update
  std::vector<SideId> joined_;
  std::vector<uint32_t> gone_;
  std::vector<uint32_t> made_;
};

}  // namespace wend
