#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

// Versions of a large value that differ little from each other. Each version is a whole value, so that readers pay
// nothing for it; the memory of versions without readers is used for the next ones.
namespace wend {

// Which blocks of some arrays were written. Arrays are known by their number.
class BlockLog {
 public:
  static constexpr uint32_t kBlock = 64;  // elements

  void note(size_t array, size_t element) {
    if (array >= blocks_.size()) blocks_.resize(array + 1);
    const auto block = static_cast<uint32_t>(element / kBlock);
    if (blocks_[array].empty() || blocks_[array].back() != block) blocks_[array].push_back(block);
  }
  // Those of one array, some more than once.
  std::vector<uint32_t> blocks(size_t array) const {
    return array < blocks_.size() ? blocks_[array] : std::vector<uint32_t>();
  }
  // Those of some arrays and some logs, ascending.
  static std::vector<uint32_t> unionOf(const std::vector<std::shared_ptr<const BlockLog>>& logs,
                                       std::initializer_list<size_t> arrays) {
    std::vector<uint32_t> all;
    for (const auto& log : logs) {
      for (const size_t array : arrays) {
        const std::vector<uint32_t> some = log->blocks(array);
        all.insert(all.end(), some.begin(), some.end());
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  // Makes `to` equal to `from`, if they differ in the noted blocks and in their size only. Older or newer does not
  // matter.
  template <typename Element>
  void copy(size_t array, const std::vector<Element>& from, std::vector<Element>& to) const {
    to.resize(from.size());
    if (array >= blocks_.size()) return;
    for (const uint32_t block : blocks_[array]) {
      const size_t begin = static_cast<size_t>(block) * kBlock;
      const size_t end = begin + kBlock < from.size() ? begin + kBlock : from.size();
      for (size_t i = begin; i < end; ++i) to[i] = from[i];
    }
  }

 private:
  std::vector<std::vector<uint32_t>> blocks_;
};

// An array that notes what is written.
template <typename Element>
class LoggedArray {
 public:
  LoggedArray(std::vector<Element>& values, BlockLog& log, size_t number)
      : values_(values), log_(log), number_(number) {}
  size_t size() const { return values_.size(); }
  const Element& operator[](size_t i) const { return values_[i]; }
  void set(size_t i, const Element& value) {
    values_[i] = value;
    log_.note(number_, i);
  }
  Element& edit(size_t i) {
    log_.note(number_, i);
    return values_[i];
  }
  void resize(size_t size, const Element& value) {
    // Also what is cut off: the way back to an older version passes here too.
    for (size_t i = std::min(size, values_.size()); i < std::max(size, values_.size()); ++i) log_.note(number_, i);
    values_.resize(size, value);
  }
  void push_back(const Element& value) { resize(size() + 1, value); }

 private:
  std::vector<Element>& values_;
  BlockLog& log_;
  size_t number_;
};

// Value must have
//   uint64_t state                             0 at first, written here only
//   void copyAll(const Value& current)
//   bool follow(const Value& current, const Log&, bool forward)
// follow() leads over one step on the way to the current version, as it was made or back; false if it cannot. Any
// thread may call any function.
template <typename Value, typename Log = BlockLog>
class Versions : public std::enable_shared_from_this<Versions<Value, Log>> {
 public:
  static std::shared_ptr<Versions> make() { return std::shared_ptr<Versions>(new Versions()); }

  // A value equal to a published one, to be changed: one without readers, brought up to date, or else a copy.
  // O(what differs), or O(value) for a copy.
  std::unique_ptr<Value> draft(const Value& current) {
    std::unique_ptr<Value> value;
    std::vector<Leg> way;
    bool known = false;
    {
      const std::lock_guard lock(mutex_);
      for (size_t i = idle_.size(); i-- > 0 && !known;) {
        known = findWay(current.state, idle_[i]->state, way);
        if (known || i == 0) {
          value = std::move(idle_[i]);
          idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(i));
        }
      }
    }
    if (!value) value = std::make_unique<Value>();
    for (size_t i = 0; i < way.size() && known; ++i) known = value->follow(current, *way[i].log, way[i].forward);
    if (!known) value->copyAll(current);
    value->state = current.state;
    return value;
  }

  // The draft as the next version. `log` holds all that was written since draft().
  std::shared_ptr<const Value> publish(std::unique_ptr<Value> value, Log log) {
    const uint64_t from = value->state;
    value->state = nextState();
    {
      const std::lock_guard lock(mutex_);
      steps_.push_back({from, value->state, std::make_shared<const Log>(std::move(log))});
      if (steps_.size() > kSteps) steps_.pop_front();
    }
    Value* published = value.release();
    return {published, GiveBack{this->shared_from_this(), published}};
  }

  // What was written between two versions, whichever came first; false if too many steps lie between them.
  bool logsBetween(const Value& one, const Value& other, std::vector<std::shared_ptr<const Log>>& logs) {
    std::vector<Leg> way;
    const std::lock_guard lock(mutex_);
    if (!findWay(one.state, other.state, way)) return false;
    logs.clear();
    for (const Leg& leg : way) logs.push_back(leg.log);
    return true;
  }

  // The version that a pointer keeps alive, if publish() made it; also for pointers to parts of it.
  struct Known {
    const Value* value = nullptr;
    std::shared_ptr<Versions> versions;
  };
  template <typename Part>
  static Known find(const std::shared_ptr<Part>& pointer) {
    const GiveBack* owner = std::get_deleter<GiveBack>(pointer);
    return owner == nullptr ? Known{} : Known{owner->value, owner->home};
  }

  static uint64_t nextState() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
  }

 private:
  static constexpr size_t kIdle = 2;    // values kept for later versions
  static constexpr size_t kSteps = 64;  // steps between versions that are remembered

  struct GiveBack {
    std::shared_ptr<Versions> home;
    Value* value;
    void operator()(const Value*) const { home->giveBack(value); }
  };
  struct Step {
    uint64_t from;
    uint64_t to;
    std::shared_ptr<const Log> log;
  };
  struct Leg {
    std::shared_ptr<const Log> log;
    bool forward;
  };

  // A destructor gives values back: that must not need memory.
  Versions() { idle_.reserve(kIdle + 1); }

  void giveBack(Value* read) noexcept {
    std::unique_ptr<Value> value(read);
    std::unique_ptr<Value> dropped;  // freed after the lock
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(value));
    if (idle_.size() > kIdle) {
      dropped = std::move(idle_.front());
      idle_.erase(idle_.begin());
    }
  }

  // The steps from version `to` to version `from`, whichever came first.
  bool findWay(uint64_t from, uint64_t to, std::vector<Leg>& way) const {
    way.clear();
    std::unordered_map<uint64_t, const Step*> reached{{from, nullptr}};
    std::deque<uint64_t> open{from};
    while (!open.empty() && !reached.contains(to)) {
      const uint64_t state = open.front();
      open.pop_front();
      for (const Step& step : steps_) {
        if (step.from != state && step.to != state) continue;
        const uint64_t other = step.from == state ? step.to : step.from;
        if (reached.emplace(other, &step).second) open.push_back(other);
      }
    }
    if (!reached.contains(to)) return false;
    for (uint64_t at = to; at != from;) {
      const Step* step = reached.at(at);
      way.push_back({step->log, step->from == at});
      at = step->from == at ? step->to : step->from;
    }
    return true;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Value>> idle_;
  std::deque<Step> steps_;
};

}  // namespace wend
