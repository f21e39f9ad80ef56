#include "world/search_mesh.h"

#include <utility>

namespace wend {
namespace {

GenerateSettings settingsOfSearch() {
  GenerateSettings settings;
  settings.generator = "hertel-mehlhorn";
  return settings;
}

}  // namespace

SearchMesh::SearchMesh(std::shared_ptr<const Environment> environment) : environment_(std::move(environment)) {}

const NavMesh& SearchMesh::mesh() const {
  std::call_once(once_, [&] {
    if (Result<NavMesh> mesh = generate(*environment_, settingsOfSearch()); mesh.ok()) mesh_ = *std::move(mesh);
    isMade_.store(true, std::memory_order_release);
  });
  return mesh_;
}

std::shared_ptr<const SearchMesh> SearchMesh::next(std::shared_ptr<const Environment> environment,
                                                   const ChangedArea& changed, const Context& context) const {
  auto after = std::make_shared<SearchMesh>(std::move(environment));
  if (!isMade() || mesh_.empty()) return after;
  Result<MeshUpdate> update =
      updateMesh(mesh_, *environment_, *after->environment_, changed, settingsOfSearch(), context);
  if (!update.ok()) return after;
  std::call_once(after->once_, [&] {
    after->mesh_ = std::move(update->mesh);
    after->isMade_.store(true, std::memory_order_release);
  });
  return after;
}

}  // namespace wend
