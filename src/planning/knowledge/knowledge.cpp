#include <algorithm>

#include <wend/game/knowledge.h>

namespace wend {
namespace {

// Cells in the order of their distance from one; visit(cell, portals) returns false to go no farther.
template <typename Visit>
void breadthFirst(const NavMesh& mesh, CellId from, const Visit& visit) {
  std::vector<uint8_t> isSeen(mesh.cellCount(), 0);
  std::vector<CellId> ring{from};
  isSeen[from] = 1;
  for (uint32_t portals = 0; !ring.empty(); ++portals) {
    std::vector<CellId> next;
    for (const CellId cell : ring) {
      if (!visit(cell, portals)) return;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const CellId other = mesh.neighbour(s);
        if (other == kNone || isSeen[other] != 0) continue;
        isSeen[other] = 1;
        next.push_back(other);
      }
    }
    ring = std::move(next);
  }
}

}  // namespace

Knowledge::Knowledge(NavMesh mesh) : mesh_(std::move(mesh)), cells_(mesh_.cellCount()) {}

bool Knowledge::put(const Notice& notice) {
  if (notice.cell >= mesh_.cellCount()) return false;
  remove(notice.id);
  std::vector<Notice>& list = cells_[notice.cell];
  const auto byId = [](const Notice& a, const Notice& b) { return a.id < b.id; };
  list.insert(std::upper_bound(list.begin(), list.end(), notice, byId), notice);
  const std::pair<NoticeId, CellId> place{notice.id, notice.cell};
  places_.insert(std::lower_bound(places_.begin(), places_.end(), place), place);
  if (notice.reach == Notice::kEverywhere) {
    ++everywhere_;
  } else {
    // No way is longer than there are cells.
    const size_t reach = std::min<size_t>(notice.reach, mesh_.cellCount());
    if (reaches_.size() <= reach) reaches_.resize(reach + 1, 0);
    ++reaches_[reach];
  }
  ++count_;
  return true;
}

bool Knowledge::remove(NoticeId id) {
  const auto at = std::lower_bound(places_.begin(), places_.end(), std::pair<NoticeId, CellId>(id, 0));
  if (at == places_.end() || at->first != id) return false;
  std::vector<Notice>& list = cells_[at->second];
  const auto notice = std::find_if(list.begin(), list.end(), [&](const Notice& n) { return n.id == id; });
  if (notice->reach == Notice::kEverywhere) {
    --everywhere_;
  } else {
    --reaches_[std::min<size_t>(notice->reach, mesh_.cellCount())];
    while (!reaches_.empty() && reaches_.back() == 0) reaches_.pop_back();
  }
  list.erase(notice);
  places_.erase(at);
  --count_;
  return true;
}

std::vector<NoticeId> Knowledge::noticed(CellId cell, uint32_t sensor) const {
  std::vector<NoticeId> ids;
  if (cell >= mesh_.cellCount()) return ids;
  if (everywhere_ > 0) {
    for (const auto& list : cells_) {
      for (const Notice& notice : list) {
        if (notice.reach == Notice::kEverywhere) ids.push_back(notice.id);
      }
    }
  }
  const uint64_t farthest = reaches_.empty() ? 0 : uint64_t{reaches_.size() - 1} + sensor;
  if (!reaches_.empty()) {
    breadthFirst(mesh_, cell, [&](CellId at, uint32_t portals) {
      if (portals > farthest) return false;
      for (const Notice& notice : cells_[at]) {
        if (notice.reach != Notice::kEverywhere && portals <= uint64_t{notice.reach} + sensor) ids.push_back(notice.id);
      }
      return true;
    });
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

uint32_t Knowledge::portalsBetween(CellId a, CellId b) const {
  uint32_t found = kNone;
  if (a >= mesh_.cellCount() || b >= mesh_.cellCount()) return found;
  breadthFirst(mesh_, a, [&](CellId at, uint32_t count) {
    if (at != b) return true;
    found = count;
    return false;
  });
  return found;
}

}  // namespace wend
