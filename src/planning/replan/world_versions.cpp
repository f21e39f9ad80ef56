#include "planning/replan/world_versions.h"

#include <algorithm>
#include <iterator>

namespace wend {

WorldVersions::WorldVersions(Navigator first) {
  versions_.emplace(0U, Version{std::move(first), ChangeKind::kMixed});
}

uint32_t WorldVersions::add(Navigator next, ChangeKind kind) {
  const uint32_t number = newest() + 1;
  versions_.emplace(number, Version{std::move(next), kind});
  changes_.clear();
  if (versions_.size() > kMaxVersions) versions_.erase(versions_.begin());
  return number;
}

void WorldVersions::keep(std::span<const uint32_t> inUse) {
  std::erase_if(versions_, [&](const auto& entry) {
    if (entry.first == newest()) return false;
    return std::none_of(inUse.begin(), inUse.end(), [&](uint32_t used) { return used == entry.first; });
  });
  std::erase_if(changes_, [&](const auto& entry) { return !versions_.contains(entry.first); });
}

std::vector<WorldVersions::Older> WorldVersions::older() const {
  std::vector<Older> all;
  for (auto at = versions_.begin(); std::next(at) != versions_.end(); ++at) {
    const auto after = std::next(at);
    all.push_back({at->second.navigator, after->first == at->first + 1 ? after->second.since : ChangeKind::kMixed});
  }
  return all;
}

void WorldVersions::restore(std::vector<Older> older) {
  Version last = std::move(versions_.rbegin()->second);
  versions_.clear();
  changes_.clear();
  uint32_t number = 0;
  ChangeKind since = ChangeKind::kMixed;
  for (Older& version : older) {
    versions_.emplace(number++, Version{std::move(version.navigator), since});
    since = version.until;
  }
  last.since = since;
  versions_.emplace(number, std::move(last));
}

uint32_t WorldVersions::ageOf(uint32_t version) const {
  return static_cast<uint32_t>(std::distance(versions_.find(known(version)), versions_.end())) - 1;
}

uint32_t WorldVersions::ofAge(uint32_t age) const {
  return std::next(versions_.rbegin(), age)->first;
}

uint32_t WorldVersions::known(uint32_t version) const {
  const auto at = versions_.lower_bound(version);
  return at == versions_.end() ? newest() : at->first;
}

// Versions in between may have been dropped; then it is unknown what happened.
ChangeKind WorldVersions::kindSince(uint32_t version) const {
  auto at = versions_.upper_bound(version);
  if (at == versions_.end()) return ChangeKind::kMixed;
  const ChangeKind first = at->second.since;
  uint32_t expected = version + 1;
  for (; at != versions_.end(); ++at, ++expected) {
    if (at->second.since != first || at->first != expected) return ChangeKind::kMixed;
  }
  return first;
}

void WorldVersions::prepare(uint32_t version) {
  const uint32_t from = known(version);
  if (changes_.contains(from)) return;
  changes_.emplace(from, from == newest()
                             ? WorldChange()
                             : WorldChange::between(versions_.at(from).navigator, navigator(), kindSince(from)));
}

void WorldVersions::prepareAll() {
  for (const auto& [number, version] : versions_) prepare(number);
}

const WorldChange& WorldVersions::change(uint32_t version) const {
  static const WorldChange unknown = WorldChange::all();
  const auto at = changes_.find(known(version));
  return at == changes_.end() ? unknown : at->second;
}

}  // namespace wend
