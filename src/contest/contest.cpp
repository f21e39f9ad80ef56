#include <algorithm>
#include <limits>

#include <wend/game/contest.h>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/random.h"
#include "contest/alteration.h"

namespace wend {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();

bool opens(ContestantType type) {
  return type == ContestantType::kBuilder || type == ContestantType::kUniversal;
}
bool closes(ContestantType type) {
  return type == ContestantType::kBlocker || type == ContestantType::kUniversal;
}

struct Character {
  uint8_t team = 0;
  bool attacks = false;
  uint32_t region = kNone;  // kNone: captured
  uint32_t back = 0;        // the turn in which it returns
  uint32_t material = 0;
  uint32_t working = kNone;  // the link it removes an obstruction from
  uint32_t turnsLeft = 0;
};

class Match {
 public:
  Match(ContestLevel level, const ContestSettings& settings, uint64_t seed)
      : level_(std::move(level)), settings_(settings), random_(seed, 0xf1a6) {
    for (uint8_t team = 0; team < 2; ++team) {
      for (uint32_t r = 0; r < level_.places.size(); ++r) {
        if (level_.half[r] == team) own_[team].push_back(r);
      }
      for (uint32_t i = 0; i < settings.members; ++i) {
        characters_.push_back({team, i < settings.attackers, ownRegion(team), 0, settings.material});
      }
    }
  }

  ContestResult play() {
    keepFrame();
    std::vector<uint32_t> order(characters_.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    while (result_.winner < 0 && result_.turns < settings_.maxTurns) {
      ++result_.turns;
      changes_.clear();
      random_.shuffle(order);  // neither team is always first
      for (const uint32_t i : order) {
        act(characters_[i]);
        if (result_.winner >= 0) break;
      }
      keepFrame();
    }
    return std::move(result_);
  }

 private:
  uint32_t ownRegion(uint8_t team) { return own_[team][random_.below(own_[team].size())]; }

  void keepFrame() {
    if (!settings_.record) return;
    ContestFrame& frame = result_.frames.emplace_back();
    for (const Character& c : characters_) frame.regions.push_back(c.region);
    frame.changes = changes_;
  }

  void change(uint32_t link, LinkState state) {
    level_.links[link].state = state;
    changes_.emplace_back(link, state);
    fields_[0].clear();
    fields_[1].clear();
    openFields_[0].clear();
    openFields_[1].clear();
  }

  // Costs to the other team's flag, as a team's characters see them. Computed anew only after a change.
  const std::vector<double>& field(uint8_t team) {
    if (fields_[team].empty()) {
      fields_[team] = costsTo(level_, level_.base[1 - team], opens(settings_.teams[team]), settings_.costs);
    }
    return fields_[team];
  }
  // Costs to a team's own flag over open links.
  const std::vector<double>& home(uint8_t team) {
    if (openFields_[team].empty()) openFields_[team] = costsTo(level_, level_.base[team], false, settings_.costs);
    return openFields_[team];
  }

  void act(Character& c) {
    if (c.region == kNone) {
      if (result_.turns < c.back) return;
      c.region = ownRegion(c.team);
      meet(c);
      return;
    }
    if (c.attacks) {
      attack(c);
    } else {
      defend(c);
    }
  }

  void attack(Character& c) {
    const bool mayOpen = opens(settings_.teams[c.team]);
    const std::vector<double>& costs = field(c.team);
    const uint32_t link = bestLink(level_, c.region, costs, mayOpen, settings_.costs);
    if (link == kNone || costs[c.region] == kNoWay) {
      wander(c, false);
      return;
    }
    if (level_.links[link].state == LinkState::kOpen) {
      c.working = kNone;
      move(c, link);
      return;
    }
    // Work takes turns; a character that changes its target begins again.
    if (c.working != link) {
      c.working = link;
      c.turnsLeft = level_.links[link].state == LinkState::kGap ? settings_.bridgeTurns : settings_.openTurns;
    }
    if (--c.turnsLeft > 0) return;
    c.working = kNone;
    ++result_.opened[c.team];
    change(link, LinkState::kOpen);
  }

  void defend(Character& c) {
    // An enemy in sight: in an adjacent region of the own half, over an open link.
    for (const uint32_t l : level_.linksOf[c.region]) {
      if (level_.links[l].state != LinkState::kOpen) continue;
      const uint32_t next = level_.links[l].across(c.region);
      if (level_.half[next] != c.team || !holdsEnemy(next, c.team)) continue;
      move(c, l);
      return;
    }
    if (closes(settings_.teams[c.team]) && c.material > 0 && barricade(c)) return;
    wander(c, true);
  }

  // Goes to the region that it is best to close and closes its link on the best way to the own flag. That takes no turn
  // of its own: a barricade is put up in passing, but removing it is work. True if the character has moved.
  bool barricade(Character& c) {
    const uint32_t target = chooseRegionToBlock(level_, level_.base[c.team], level_.base[1 - c.team], c.team, c.region);
    if (target == kNone) return false;
    if (target == c.region) {
      const uint32_t link = bestLink(level_, c.region, home(c.team), false, settings_.costs);
      if (link == kNone) return false;
      --c.material;
      ++result_.closed[c.team];
      change(link, LinkState::kBlocked);
      return false;
    }
    const std::vector<double> way = costsTo(level_, target, false, settings_.costs);
    const uint32_t link = bestLink(level_, c.region, way, false, settings_.costs);
    if (link == kNone || way[c.region] == kNoWay) return false;
    move(c, link);
    return true;
  }

  void wander(Character& c, bool stay) {
    std::vector<uint32_t> ways;
    for (const uint32_t l : level_.linksOf[c.region]) {
      const ContestLevel::Link& link = level_.links[l];
      if (link.state != LinkState::kOpen) continue;
      if (stay && level_.half[link.across(c.region)] != c.team) continue;
      ways.push_back(l);
    }
    if (!ways.empty()) move(c, ways[random_.below(ways.size())]);
  }

  bool holdsEnemy(uint32_t region, uint8_t team) const {
    return std::any_of(characters_.begin(), characters_.end(),
                       [&](const Character& c) { return c.region == region && c.team != team; });
  }

  void move(Character& c, uint32_t link) {
    c.region = level_.links[link].across(c.region);
    meet(c);
    if (c.region == level_.base[1 - c.team]) result_.winner = c.team;
  }

  // On a team's half its opponents are captured where both are.
  void meet(const Character& c) {
    const uint32_t region = c.region;
    const uint8_t owner = level_.half[region];
    const bool guarded = std::any_of(characters_.begin(), characters_.end(), [&](const Character& other) {
      return other.region == region && other.team == owner;
    });
    if (!guarded) return;
    for (Character& other : characters_) {
      if (other.region != region || other.team == owner) continue;
      other.region = kNone;
      other.working = kNone;
      other.back = result_.turns + settings_.respawnTurns;
      ++result_.captures[owner];
    }
  }

  ContestLevel level_;
  const ContestSettings& settings_;
  Random random_;
  std::vector<uint32_t> own_[2];
  std::vector<Character> characters_;
  std::vector<double> fields_[2];
  std::vector<double> openFields_[2];
  std::vector<std::pair<uint32_t, LinkState>> changes_;
  ContestResult result_;
};

std::optional<Error> checkSettings(const ContestSettings& s) {
  if (s.members < 1 || s.members > 1000 || s.attackers > s.members || s.openTurns < 1 || s.openTurns > 100 ||
      s.bridgeTurns < 1 || s.bridgeTurns > 100 || s.maxTurns < 1 || !(s.costs.open >= 0) || !(s.costs.bridge >= 0)) {
    return Error{ErrorCode::kInvalidSettings,
                 "a contest needs 1 to 1000 members per team with at most as many attackers, 1 to 100 turns to open or "
                 "bridge a link, at least one turn, and costs from 0 on"};
  }
  return std::nullopt;
}

}  // namespace

const char* contestantName(ContestantType type) {
  switch (type) {
    case ContestantType::kAdaptive:
      return "adaptive";
    case ContestantType::kBuilder:
      return "builder";
    case ContestantType::kBlocker:
      return "blocker";
    case ContestantType::kUniversal:
      return "universal";
  }
  return "unknown";
}

Result<ContestantType> contestantNamed(std::string_view name) {
  for (const ContestantType type :
       {ContestantType::kAdaptive, ContestantType::kBuilder, ContestantType::kBlocker, ContestantType::kUniversal}) {
    if (name == contestantName(type)) return type;
  }
  return Error{ErrorCode::kInvalidSettings,
               fmt::format("there is no contestant '{}'; choose adaptive, builder, blocker or universal", name)};
}

Result<ContestResult> playContest(ContestLevel level, const ContestSettings& settings, uint64_t seed) {
  if (auto error = checkSettings(settings)) return *std::move(error);
  const auto count = static_cast<uint32_t>(level.places.size());
  bool sound = level.half.size() == count && level.linksOf.size() == count && level.base[0] < count &&
               level.base[1] < count && level.half[level.base[0]] == 0 && level.half[level.base[1]] == 1;
  for (const ContestLevel::Link& link : level.links) sound = sound && link.a < count && link.b < count;
  for (const auto& links : level.linksOf) {
    for (const uint32_t l : links) sound = sound && l < level.links.size();
  }
  for (const uint8_t half : level.half) sound = sound && half < 2;
  if (!sound) return Error{ErrorCode::kInvalidGeometry, "the level is not a graph with one base in each half"};
  return Match(std::move(level), settings, seed).play();
}

Result<ContestTally> playSeries(const LevelSettings& levels, const ContestSettings& settings, uint32_t matches,
                                uint64_t seed, const Context& context) {
  if (auto error = checkSettings(settings)) return *std::move(error);
  if (matches < 1) return Error{ErrorCode::kInvalidSettings, "a series needs at least one match"};
  struct Outcome {
    int winner = -1;
    uint32_t turns = 0;
    std::optional<Error> error;
  };
  std::vector<Outcome> outcomes(matches);
  parallelFor(matches, context, [&](size_t i) {
    const Result<ContestLevel> level = makeLevel(levels, seed + i);
    if (!level.ok()) {
      outcomes[i].error = level.error();
      return;
    }
    ContestSettings own = settings;
    own.record = false;
    const bool swapped = i >= matches / 2;
    if (swapped) std::swap(own.teams[0], own.teams[1]);
    const Result<ContestResult> result = playContest(*level, own, seed + i);
    if (!result.ok()) {
      outcomes[i].error = result.error();
      return;
    }
    outcomes[i].winner = result->winner < 0 ? -1 : swapped ? 1 - result->winner : result->winner;
    outcomes[i].turns = result->turns;
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "cancelled between matches"};
  ContestTally tally;
  for (const Outcome& outcome : outcomes) {
    if (outcome.error) return *outcome.error;
    if (outcome.winner < 0) {
      ++tally.draws;
    } else {
      ++tally.wins[outcome.winner];
    }
    tally.meanTurns += static_cast<double>(outcome.turns) / matches;
  }
  return tally;
}

}  // namespace wend
