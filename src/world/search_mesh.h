#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include <wend/context.h>
#include <wend/generate.h>

// The search mesh of a world with a medial axis: another exact mesh of the same free space, of few large cells.
// Shortest routes are searched on it, five times fewer cells than the axis gives. It is made when the first query needs
// it, and follows the edits after that.
namespace wend {

class SearchMesh {
 public:
  explicit SearchMesh(std::shared_ptr<const Environment> environment);

  // By hertel-mehlhorn, made by the first call; without cells if it cannot be made. Any thread may call.
  const NavMesh& mesh() const;
  bool isMade() const { return isMade_.load(std::memory_order_acquire); }
  // Of the environment after an edit: in place if this one was made already, else when a query needs it.
  std::shared_ptr<const SearchMesh> next(std::shared_ptr<const Environment> environment, const ChangedArea& changed,
                                         const Context& context) const;

 private:
  std::shared_ptr<const Environment> environment_;
  mutable std::once_flag once_;
  mutable std::atomic<bool> isMade_{false};
  mutable NavMesh mesh_;
};

}  // namespace wend
