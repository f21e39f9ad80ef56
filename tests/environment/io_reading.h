#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "environment/io/formats.h"

// Readers called as parseEnvironment() calls them, up to the drawing.
namespace wend {

using Reader = Result<EnvironmentDraft> (*)(const Source&);

inline Result<EnvironmentDraft> draftOf(Reader reader, std::string_view text, const ReadSettings& settings = {},
                                        const Context& context = {}) {
  return reader({text, "folder/file.ext", settings, context});
}

// The message of a reading that must fail; empty if it succeeds.
inline std::string complaint(Reader reader, std::string_view text, const ReadSettings& settings = {}) {
  const Result<EnvironmentDraft> draft = draftOf(reader, text, settings);
  return draft.ok() ? std::string() : draft.error().message;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace wend
