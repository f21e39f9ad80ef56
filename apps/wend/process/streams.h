#pragma once

#include <string_view>

// Standard output and standard error. They may be closed, full, or a pipe without a reader: none of that ends the
// program before its work is done, and none throws.
namespace wend::app {

// Descriptors that are closed become ones that lead nowhere, so that no file of ours takes their number.
void openStandardStreams();

void printOut(std::string_view text);
void printError(std::string_view text);

// Flushes both. The exit code: `code`, or 1 with a sentence if standard output could not be written. A reader that has
// gone away (`| head -1`) has read enough.
int finishStreams(int code);

}  // namespace wend::app
