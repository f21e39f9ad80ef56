#include <wend/result.h>

namespace wend {

const char* errorName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidSettings:
      return "invalid-settings";
    case ErrorCode::kFileNotFound:
      return "file-not-found";
    case ErrorCode::kFileNotWritten:
      return "file-not-written";
    case ErrorCode::kFormat:
      return "format";
    case ErrorCode::kLimit:
      return "limit";
    case ErrorCode::kOutsideLattice:
      return "outside-lattice";
    case ErrorCode::kInvalidGeometry:
      return "invalid-geometry";
    case ErrorCode::kEmpty:
      return "empty";
    case ErrorCode::kNotOnMesh:
      return "not-on-mesh";
    case ErrorCode::kNoWay:
      return "no-way";
    case ErrorCode::kTooNarrow:
      return "too-narrow";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

}  // namespace wend
