#pragma once

namespace wend {

// The most memory that this process has held so far, in MB.
double peakMegabytes();

}  // namespace wend
