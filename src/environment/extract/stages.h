#pragma once

#include <chrono>

#include <wend/extract.h>

// The clock and the progress of an extraction.
namespace wend {

class ExtractStages {
 public:
  ExtractStages(ExtractReport& report, const Context& context) : report_(report), context_(context) {
    whole_.threads = context.threads;
  }

  // For steps that cannot be cancelled, because no later step could use a partial result. stopped() is for the time
  // between them.
  const Context& whole() const { return whole_; }
  bool stopped() const { return context_.cancelled(); }

  // Ends the current stage; false if the caller cancelled.
  bool done(const char* name, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    report_.seconds.emplace_back(name, std::chrono::duration<double>(now - start_).count());
    start_ = now;
    context_.report("extract", fraction);
    return !context_.cancelled();
  }

  static Error cancelled() { return {ErrorCode::kCancelled, "cancelled while extracting the walkable surfaces"}; }
  static Error tooTangled() {
    return {ErrorCode::kLimit,
            "the surfaces of the scene cross or cover each other too often for the exact method; use the voxel method "
            "(--method voxel), or repair the scene"};
  }
  static Error nothing(bool insides = false) {
    if (insides) {
      return {ErrorCode::kEmpty,
              "all that is walkable lies inside closed solids; keep the insides (--keep-insides) if these are rooms"};
    }
    return {ErrorCode::kEmpty,
            "nothing walkable was found; check the up axis, the unit and the winding of the triangles (two-sided "
            "extraction ignores it), the head room and the smallest area"};
  }

 private:
  ExtractReport& report_;
  const Context& context_;
  Context whole_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace wend
