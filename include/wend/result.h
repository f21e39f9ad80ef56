#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

// What every verb of wend returns: a value, or an error that names the place and the remedy. No exception leaves the
// library.
namespace wend {

enum class ErrorCode : uint8_t {
  kInvalidSettings,  // a settings field is outside its range
  kFileNotFound,     // the file cannot be opened for reading
  kFileNotWritten,   // the file cannot be written: no such folder, no permission, no space
  kFormat,           // the bytes do not follow the format
  kLimit,            // a count, nesting depth or size above what wend accepts
  kOutsideLattice,   // a coordinate does not fit the lattice; choose a coarser unit
  kInvalidGeometry,  // polygons or connections that break a rule of the environment
  kEmpty,            // nothing walkable is left
  kNotOnMesh,        // a query point lies on no cell
  kNoWay,            // nothing leads from one place to the other, or nothing wide enough
  kTooNarrow,        // a disk does not fit at a place
  kUnsupported,      // known, but not possible with this input or generator
  kCancelled,        // the caller cancelled
  kInternal,         // a validator of wend found wend wrong: please report
};

// The name used in messages and JSON, for example "outside-lattice".
const char* errorName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence: what, where, and what to do about it
};

// A value or an Error. Check ok() before value(): to read the one that is not there is a programming error and throws
// std::bad_variant_access.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// The result of a verb without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace wend
