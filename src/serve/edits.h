#pragma once

#include <memory>
#include <string>
#include <vector>

#include <wend/edit.h>
#include <wend/environment.h>
#include <wend/world.h>

#include "serve/command.h"

// An environment with obstacles and doors that were added by hand and can be moved, removed, opened and undone.
namespace wend::serve {

struct PlacedItem {
  std::string id;
  bool isDoor = false;
  bool open = false;         // of a door
  int32_t layer = 0;         // id
  std::vector<Vec2> points;  // metres, where it is now; two for a door
  bool operator==(const PlacedItem&) const = default;
};

// The obstacles and doors of a world that can be edited here: named polygons and doors along a line. Others stay as
// they are.
std::vector<PlacedItem> itemsOf(const World& world);

class EditableEnvironment {
 public:
  EditableEnvironment() = default;
  explicit EditableEnvironment(Environment base, std::vector<PlacedItem> items = {})
      : history_{{std::make_shared<const Environment>(std::move(base)), std::move(items)}} {}

  // One step of the history. An error leaves everything as it was.
  Status apply(const EditCommand& edit);
  const Environment& base() const { return *history_[at_].base; }
  const std::vector<PlacedItem>& items() const { return history_[at_].items; }
  bool isEdited() const { return at_ > 0 || !items().empty(); }
  size_t undoSteps() const { return at_; }
  size_t redoSteps() const { return history_.empty() ? 0 : history_.size() - 1 - at_; }

  // What takes the obstacles and doors of a world on this base to those of items().
  std::vector<Edit> editsFor(const World& world) const;

  static constexpr size_t kMaxItems = 1000;
  static constexpr size_t kMaxHistory = 200;

 private:
  struct Version {
    std::shared_ptr<const Environment> base;
    std::vector<PlacedItem> items;
  };
  Status change(const EditCommand& edit, Version& next) const;
  void push(Version next);

  std::vector<Version> history_{{std::make_shared<const Environment>(), {}}};
  size_t at_ = 0;
};

}  // namespace wend::serve
