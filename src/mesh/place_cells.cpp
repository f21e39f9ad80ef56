#include "mesh/place_cells.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>

#include "environment/edit/live_base.h"
#include "mesh/surface_index.h"

namespace wend {

CellPlacer::CellPlacer(const JoinedPatch& patch, MeshDraft& draft) : patch_(patch), mesh_(patch.mesh), draft_(draft) {}

void CellPlacer::run() {
  planCells();
  writeBegins();
  placePieces();
  writeMoved();
  numberVertices();
}

bool CellPlacer::isRemoved(CellId cell) const {
  return std::binary_search(patch_.removed.begin(), patch_.removed.end(), cell);
}

void CellPlacer::planCells() {
  const std::vector<SidePiece>& pieces = patch_.joined.pieces;
  const auto cells = static_cast<uint32_t>(patch_.joined.layers.size());
  pieceBegin_.assign(cells + 1, 0);
  for (const SidePiece& piece : pieces) ++pieceBegin_[piece.cell + 1];
  for (uint32_t i = 0; i < cells; ++i) pieceBegin_[i + 1] += pieceBegin_[i];

  std::vector<CellId> gone(patch_.removed.begin(), patch_.removed.end());
  std::vector<uint32_t> sizes;
  for (uint32_t i = 0; i < cells; ++i) {
    const uint32_t size = pieceBegin_[i + 1] - pieceBegin_[i];
    if (i < patch_.beside.size()) {
      besideIndex_[patch_.beside[i]] = i;
      if (size == mesh_.sideCount(patch_.beside[i])) continue;
      gone.push_back(patch_.beside[i]);
    }
    items_.push_back(i);
    sizes.push_back(size);
  }
  std::sort(gone.begin(), gone.end());
  plan_ = planSlots(
      mesh_.cellCount(), [&](uint32_t cell) { return mesh_.sideCount(cell); }, gone, sizes);
  for (const SlotPlan::Move& move : plan_.moves) {
    cellNow_[move.from] = move.to;
    moved_.push_back({move.from, move.to});
  }
  for (size_t i = 0; i < items_.size(); ++i) {
    if (items_[i] >= patch_.beside.size()) {
      added_.push_back(plan_.slotOfItem[i]);
      continue;
    }
    const CellId cell = patch_.beside[items_[i]];
    cellNow_[cell] = plan_.slotOfItem[i];
    if (cell != plan_.slotOfItem[i]) moved_.push_back({cell, plan_.slotOfItem[i]});
  }
}

SideId CellPlacer::beginOf(CellId cell) const {
  return cell < plan_.firstMoved ? mesh_.firstSide(cell) : tailBegin_[cell - plan_.firstMoved];
}

// Begins of the slots that are not where they were, and the sizes of all arrays.
void CellPlacer::writeBegins() {
  const uint32_t first = std::min(plan_.firstMoved, mesh_.cellCount());
  plan_.firstMoved = first;
  std::vector<uint32_t> sizes(plan_.slots - first, 0);
  for (uint32_t slot = first; slot < std::min(plan_.slots, mesh_.cellCount()); ++slot) {
    sizes[slot - first] = mesh_.sideCount(slot);  // unless something else is there now
  }
  for (const SlotPlan::Move& move : plan_.moves) {
    if (move.to >= first) sizes[move.to - first] = mesh_.sideCount(move.from);
  }
  for (size_t i = 0; i < items_.size(); ++i) {
    if (plan_.slotOfItem[i] < first) continue;
    sizes[plan_.slotOfItem[i] - first] = pieceBegin_[items_[i] + 1] - pieceBegin_[items_[i]];
  }
  tailBegin_.assign(1, mesh_.cellCount() == 0 ? 0 : mesh_.views().cellBegin[first]);
  for (const uint32_t size : sizes) tailBegin_.push_back(tailBegin_.back() + size);
  draft_.cellBegin().resize(plan_.slots + 1, 0);
  draft_.cellLayer().resize(plan_.slots, 0);
  for (uint32_t i = 0; i < tailBegin_.size(); ++i) draft_.cellBegin().set(first + i, tailBegin_[i]);
  draft_.resizeSides(tailBegin_.back());
}

// Where a side of a cell that stays is now.
SideId CellPlacer::sideNow(SideId old) const {
  const CellId cell = mesh_.cellOf(old);
  const auto grown = sideOfGrown_.find(old);
  if (grown != sideOfGrown_.end()) return grown->second;
  const auto moved = cellNow_.find(cell);
  return beginOf(moved == cellNow_.end() ? cell : moved->second) + (old - mesh_.firstSide(cell));
}

void CellPlacer::joinTwins(SideId side, SideId twin) {
  draft_.setTwin(side, twin);
  if (twin != kNone) draft_.setTwin(twin, side);
}

// The new cells and those beside them: all their pieces.
void CellPlacer::placePieces() {
  const std::vector<SidePiece>& pieces = patch_.joined.pieces;
  sideOfPiece_.assign(pieces.size(), kNone);
  for (size_t i = 0; i < items_.size(); ++i) {
    const uint32_t item = items_[i];
    const CellId cell = plan_.slotOfItem[i];
    draft_.cellLayer().set(cell, patch_.joined.layers[item]);
    SideId side = beginOf(cell);
    for (uint32_t p = pieceBegin_[item]; p < pieceBegin_[item + 1]; ++p, ++side) {
      sideOfPiece_[p] = side;
      draft_.sideCell().set(side, cell);
      const SideId old = patch_.oldOfPiece[p];
      draft_.sideVertex().set(side, old == kNone ? kNone : mesh_.startVertex(old));
      if (old != kNone) sideOfGrown_[old] = side;
    }
  }
  for (uint32_t i = 0; i < patch_.beside.size(); ++i) {
    if (sideOfPiece_[pieceBegin_[i]] != kNone) continue;
    const SideId first = mesh_.firstSide(patch_.beside[i]);
    for (uint32_t p = pieceBegin_[i]; p < pieceBegin_[i + 1]; ++p) {
      sideOfPiece_[p] = sideNow(first + (p - pieceBegin_[i]));
    }
  }
}

// Cells that stay and have other sides, then the sides of all pieces.
void CellPlacer::writeMoved() {
  for (const SlotPlan::Move& move : plan_.moves) {
    draft_.cellLayer().set(move.to, mesh_.layerOf(move.from));
    SideId side = beginOf(move.to);
    for (SideId old = mesh_.firstSide(move.from); old < mesh_.endSide(move.from); ++old, ++side) {
      draft_.sideCell().set(side, move.to);
      draft_.sideVertex().set(side, mesh_.startVertex(old));
      draft_.vertexSide().set(mesh_.startVertex(old), side);
      const SideId twin = mesh_.twin(old);
      if (twin == kNone || isRemoved(mesh_.cellOf(twin))) {
        draft_.setTwin(side, kNone);
      } else {
        joinTwins(side, sideNow(twin));
      }
    }
  }
  for (uint32_t p = 0; p < sideOfPiece_.size(); ++p) {
    const SideId old = patch_.oldOfPiece[p];
    const uint32_t other = patch_.joined.pieces[p].twin;
    if (old != kNone) {
      const SideId twin = mesh_.twin(old);
      joinTwins(sideOfPiece_[p], twin == kNone ? kNone : sideNow(twin));
    } else {
      draft_.setTwin(sideOfPiece_[p], other == kNone ? kNone : sideOfPiece_[other]);
    }
  }
}

template <typename Visit>
void CellPlacer::walkFan(SideId first, Visit&& visit) const {
  const std::vector<SideId>& twin = draft_.arrays().sideTwin;
  SideId side = first;
  do {
    visit(side);
    side = twin[draft_.previous(side)];
  } while (side != kNone && side != first);
  if (side != kNone) return;
  for (SideId t = twin[first]; t != kNone; t = twin[draft_.next(t)]) visit(draft_.next(t));
}

// Around every corner that was joined again the fan is numbered again: with its old number, if it was there before.
// All other fans keep their vertex.
void CellPlacer::numberVertices() {
  const std::vector<VertexId>& vertexOf = draft_.arrays().sideVertex;
  std::vector<VertexId> old;
  const auto collect = [&](CellId cell) {
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) old.push_back(mesh_.startVertex(s));
  };
  for (const CellId cell : patch_.removed) collect(cell);
  for (const CellId cell : patch_.beside) collect(cell);
  std::sort(old.begin(), old.end());
  old.erase(std::unique(old.begin(), old.end()), old.end());

  // An edit is small beside a layer's surface: only what lies under it is indexed.
  Box place;
  for (const Vec2 p : patch_.joined.welding.positions) {
    place.add(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
    place.add(Point{static_cast<int32_t>(std::ceil(p.x)), static_cast<int32_t>(std::ceil(p.y))});
  }
  std::vector<std::unique_ptr<SurfaceIndex>> surfaces(patch_.after.layers.size());
  const auto heightAt = [&](LayerId layer, Vec2 p) {
    if (patch_.base != nullptr) return patch_.base->heights(layer).at(p);
    const HeightField& field = patch_.after.layers[layer].heights;
    if (field.flat()) return field.base;
    if (!surfaces[layer]) surfaces[layer] = std::make_unique<SurfaceIndex>(field, place);
    return surfaces[layer]->at(p);
  };
  std::unordered_set<SideId> seen;
  std::unordered_set<VertexId> taken;
  std::vector<Fan> loose;
  std::vector<std::pair<SideId, VertexId>> settled;
  for (uint32_t p = 0; p < sideOfPiece_.size(); ++p) {
    const SideId first = sideOfPiece_[p];
    if (seen.contains(first)) continue;
    const Vec2 at = patch_.joined.welding.positions[patch_.joined.pieces[p].a];
    VertexId before = kNone;
    walkFan(first, [&](SideId s) {
      seen.insert(s);
      before = std::min(before, vertexOf[s]);
    });
    const bool same = before != kNone && mesh_.vertex(before) == at;
    if (same && taken.insert(before).second) {
      settled.emplace_back(first, before);
      continue;
    }
    const LayerId layer = draft_.arrays().cellLayer[draft_.arrays().sideCell[first]];
    loose.push_back({first, at, same ? mesh_.views().heights[before] : heightAt(layer, at)});
  }
  std::vector<VertexId> spare;
  for (const VertexId v : old) {
    if (!taken.contains(v)) spare.push_back(v);
  }
  const auto give = [&](SideId first, VertexId vertex) {
    walkFan(first, [&](SideId s) { draft_.sideVertex().set(s, vertex); });
    draft_.vertexSide().set(vertex, first);
  };
  for (const auto& [first, vertex] : settled) give(first, vertex);
  for (size_t i = 0; i < loose.size(); ++i) {
    const VertexId vertex = i < spare.size() ? spare[i] : static_cast<VertexId>(draft_.arrays().vertices.size());
    if (i >= spare.size()) {
      draft_.vertices().push_back({});
      draft_.heights().push_back(0);
      draft_.vertexSide().push_back(kNone);
    }
    draft_.vertices().set(vertex, loose[i].p);
    draft_.heights().set(vertex, loose[i].height);
    give(loose[i].first, vertex);
  }
  if (loose.size() < spare.size()) {
    fillVertices({spare.begin() + static_cast<ptrdiff_t>(loose.size()), spare.end()});
  }
}

// The last vertices take the numbers that nothing refers to any more, lowest first.
void CellPlacer::fillVertices(const std::vector<VertexId>& spare) {
  size_t low = 0;
  size_t high = spare.size();
  auto count = static_cast<VertexId>(draft_.arrays().vertices.size());
  while (low < high) {
    --count;
    if (spare[high - 1] == count) {
      --high;
      continue;
    }
    const VertexId to = spare[low++];
    draft_.vertices().set(to, draft_.arrays().vertices[count]);
    draft_.heights().set(to, draft_.arrays().heights[count]);
    const SideId first = draft_.arrays().vertexSide[count];
    walkFan(first, [&](SideId s) { draft_.sideVertex().set(s, to); });
    draft_.vertexSide().set(to, first);
  }
  draft_.vertices().resize(count, {});
  draft_.heights().resize(count, 0);
  draft_.vertexSide().resize(count, kNone);
}

}  // namespace wend
