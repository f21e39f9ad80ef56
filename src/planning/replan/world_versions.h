#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <wend/navigator.h>

// The versions of a world that agents still know. An agent that has not seen an event plans on the version it knows;
// one that sees the place of an event learns the newest version.
namespace wend {

// At most kMaxVersions are kept; an agent that knows an older one then knows the oldest that is kept. A version is
// shared, not copied. Reading is safe from any number of threads; add(), keep() and prepare() are for one thread.
class WorldVersions {
 public:
  static constexpr size_t kMaxVersions = 64;
  // The version of an agent that learns of every change at once: always newest().
  static constexpr uint32_t kAlwaysNewest = UINT32_MAX;

  WorldVersions() : WorldVersions(Navigator()) {}
  explicit WorldVersions(Navigator first);

  // The number of the newest version; they are counted from 0 and never reused.
  uint32_t newest() const { return versions_.rbegin()->first; }
  uint32_t oldest() const { return versions_.begin()->first; }
  size_t size() const { return versions_.size(); }
  // The next version. `kind` is what happened since the last one.
  uint32_t add(Navigator next, ChangeKind kind = ChangeKind::kMixed);
  // Replaces the newest version by another world. Agents that knew the newest version know this one.
  void renew(Navigator newest) { versions_.rbegin()->second.navigator = std::move(newest); }
  // The versions before the newest, the newest of them last, each with what happened until the version after it; kMixed
  // where versions between them were dropped. `restore()` makes them the versions again, under other numbers.
  struct Older {
    Navigator navigator;
    ChangeKind until = ChangeKind::kMixed;
  };
  std::vector<Older> older() const;
  void restore(std::vector<Older> older);
  // How many kept versions lie between what an agent knows and the newest, that one included: 0 for the newest.
  uint32_t ageOf(uint32_t version) const;
  // The version of that age, which must be at most that of the oldest.
  uint32_t ofAge(uint32_t age) const;
  // Drops all but the newest version and those in `inUse`.
  void keep(std::span<const uint32_t> inUse);

  // What an agent that knew `version` knows now: that version, or the oldest kept one after it.
  uint32_t known(uint32_t version) const;
  const Navigator& navigator(uint32_t version) const { return versions_.at(known(version)).navigator; }
  const Navigator& navigator() const { return versions_.rbegin()->second.navigator; }

  // What lies between a version and the newest. prepare() makes it, once for all agents; change() reads it, and gives
  // "everything" if it was not prepared.
  void prepare(uint32_t version);
  void prepareAll();
  const WorldChange& change(uint32_t version) const;

 private:
  struct Version {
    Navigator navigator;
    ChangeKind since = ChangeKind::kMixed;  // what happened before it
  };
  ChangeKind kindSince(uint32_t version) const;

  std::map<uint32_t, Version> versions_;
  std::map<uint32_t, WorldChange> changes_;  // from a version to the newest
};

}  // namespace wend
