#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

// Numbers for the exact part of Boost.Polygon's sweep. Its own spend half of the construction: chunks of 32 bits,
// copied whole, and a library call for every exponent. These give the same values; only differences whose leading
// chunks vanish are more precise, because here they are always normalised.
namespace wend {

// Sign and magnitude of up to 2,048 bits, which is more than any determinant of the sweep has.
class WideInt {
 public:
  WideInt() = default;
  WideInt(int32_t value) : WideInt(int64_t{value}) {}
  WideInt(int64_t value) {
    if (value == 0) return;
    limbs_[0] = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
    count_ = value < 0 ? -1 : 1;
  }
  WideInt(const WideInt& other) { *this = other; }
  // Limb by limb, so also onto itself.
  WideInt& operator=(const WideInt& other) {  // NOLINT(bugprone-unhandled-self-assignment)
    count_ = other.count_;
    const size_t size = other.size();
    for (size_t i = 0; i < size; ++i) limbs_[i] = other.limbs_[i];  // mostly one to four: quicker than a call
    return *this;
  }

  friend WideInt operator-(WideInt a) {
    a.count_ = -a.count_;
    return a;
  }
  friend WideInt operator+(const WideInt& a, const WideInt& b) { return sum(a, b, b.count_); }
  friend WideInt operator-(const WideInt& a, const WideInt& b) { return sum(a, b, -b.count_); }
  friend WideInt operator*(const WideInt& a, const WideInt& b) {
    WideInt result;
    if (a.count_ == 0 || b.count_ == 0) return result;
    const size_t sizeA = a.size();
    const size_t sizeB = b.size();
    const size_t size = sizeA + sizeB < kLimbs ? sizeA + sizeB : kLimbs;
    result.limbs_[sizeB] = result.setRow(a.limbs_[0], b, sizeB);
    for (size_t i = 1; i < sizeA; ++i) result.addRow(a.limbs_[i], b, sizeB, i);
    result.setSize(size);
    if ((a.count_ < 0) != (b.count_ < 0)) result.count_ = -result.count_;
    return result;
  }

  // Names that Boost asks for.
  // NOLINTBEGIN(readability-identifier-naming)
  friend bool is_pos(const WideInt& a) { return a.count_ > 0; }
  friend bool is_neg(const WideInt& a) { return a.count_ < 0; }
  friend bool is_zero(const WideInt& a) { return a.count_ == 0; }
  // NOLINTEND(readability-identifier-naming)

  // Value and power of two that it is scaled by, from the three leading chunks of 32 bits as Boost takes them.
  std::pair<double, int> scaled() const {
    const size_t limbs = size();
    if (limbs == 0) return {0, 0};
    constexpr double kChunk = 4294967296.0;
    const auto chunk = [&](size_t i) {
      return static_cast<double>(static_cast<uint32_t>(limbs_[i / 2] >> (i % 2 == 0 ? 0 : 32)));
    };
    const size_t chunks = 2 * limbs - ((limbs_[limbs - 1] >> 32) == 0 ? 1 : 0);
    double value = 0;
    for (size_t i = 0; i < 3 && i < chunks; ++i) value = value * kChunk + chunk(chunks - 1 - i);
    return {count_ < 0 ? -value : value, chunks > 3 ? static_cast<int>(32 * (chunks - 3)) : 0};
  }

 private:
  __extension__ using Double = unsigned __int128;
  static constexpr size_t kLimbs = 32;

  size_t size() const { return static_cast<size_t>(count_ < 0 ? -count_ : count_); }
  void setSize(size_t size) {
    while (size > 0 && limbs_[size - 1] == 0) --size;
    count_ = static_cast<int32_t>(size);
  }

  // The first row of a product, without what it carries over.
  uint64_t setRow(uint64_t factor, const WideInt& b, size_t sizeB) {
    uint64_t carry = 0;
    for (size_t k = 0; k < sizeB; ++k) {
      const Double t = Double{factor} * b.limbs_[k] + carry;
      limbs_[k] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    return carry;
  }
  void addRow(uint64_t factor, const WideInt& b, size_t sizeB, size_t shift) {
    uint64_t carry = 0;
    const size_t end = shift + sizeB < kLimbs ? shift + sizeB : kLimbs;
    for (size_t k = shift; k < end; ++k) {
      const Double t = Double{factor} * b.limbs_[k - shift] + limbs_[k] + carry;
      limbs_[k] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    limbs_[end] = carry;
  }

  // a plus b with the sign of countB.
  static WideInt sum(const WideInt& a, const WideInt& b, int32_t countB) {
    WideInt result;
    if ((a.count_ < 0) == (countB < 0)) {
      result.addMagnitudes(a, b);
      if (countB < 0) result.count_ = -result.count_;
    } else if (const int order = compareMagnitudes(a, b); order > 0) {
      result.subtractMagnitudes(a, b);
      if (a.count_ < 0) result.count_ = -result.count_;
    } else if (order < 0) {
      result.subtractMagnitudes(b, a);
      if (countB < 0) result.count_ = -result.count_;
    }
    return result;
  }

  static int compareMagnitudes(const WideInt& a, const WideInt& b) {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    for (size_t i = a.size(); i-- > 0;) {
      if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i] ? -1 : 1;
    }
    return 0;
  }

  void addMagnitudes(const WideInt& a, const WideInt& b) {
    if (a.size() < b.size()) return addMagnitudes(b, a);
    const size_t size = a.size();
    uint64_t carry = 0;
    for (size_t i = 0; i < size; ++i) {
      const Double t = Double{a.limbs_[i]} + (i < b.size() ? b.limbs_[i] : 0) + carry;
      limbs_[i] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    count_ = static_cast<int32_t>(size);
    if (carry != 0 && size < kLimbs) limbs_[count_++] = carry;
  }

  // The larger first.
  void subtractMagnitudes(const WideInt& a, const WideInt& b) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      const Double t = Double{a.limbs_[i]} - (i < b.size() ? b.limbs_[i] : 0) - borrow;
      limbs_[i] = static_cast<uint64_t>(t);
      borrow = static_cast<uint64_t>(t >> 64) & 1;
    }
    setSize(a.size());
  }

  uint64_t limbs_[kLimbs + 1];  // only the first size() mean anything; one to spare for a carry
  int32_t count_ = 0;           // how many limbs, with the sign of the number
};

// A double with an exponent of its own: neither overflow nor underflow. Never subnormal.
class ScaledDouble {
 public:
  explicit ScaledDouble(double value, int exponent = 0) : exponent_(exponent) {
    constexpr uint64_t kExponentBits = uint64_t{0x7ff} << 52;
    const auto bits = std::bit_cast<uint64_t>(value);
    if ((bits & kExponentBits) == 0) {
      exponent_ = 0;
      return;
    }
    exponent_ += static_cast<int>((bits & kExponentBits) >> 52) - 1022;
    value_ = std::bit_cast<double>((bits & ~kExponentBits) | uint64_t{1022} << 52);
  }

  friend ScaledDouble operator+(const ScaledDouble& a, const ScaledDouble& b) { return sum(a, b.value_, b.exponent_); }
  friend ScaledDouble operator-(const ScaledDouble& a, const ScaledDouble& b) { return sum(a, -b.value_, b.exponent_); }
  friend ScaledDouble operator*(const ScaledDouble& a, const ScaledDouble& b) {
    return ScaledDouble(a.value_ * b.value_, a.exponent_ + b.exponent_);
  }
  friend ScaledDouble operator/(const ScaledDouble& a, const ScaledDouble& b) {
    return ScaledDouble(a.value_ / b.value_, a.exponent_ - b.exponent_);
  }
  // NOLINTBEGIN(readability-identifier-naming)
  friend ScaledDouble get_sqrt(const ScaledDouble& a) {
    const bool odd = a.exponent_ % 2 != 0;
    return ScaledDouble(std::sqrt(odd ? 2 * a.value_ : a.value_), (a.exponent_ - (odd ? 1 : 0)) / 2);
  }
  friend bool is_pos(const ScaledDouble& a) { return a.value_ > 0; }
  friend bool is_neg(const ScaledDouble& a) { return a.value_ < 0; }
  friend bool is_zero(const ScaledDouble& a) { return a.value_ == 0; }
  // NOLINTEND(readability-identifier-naming)

  double value() const { return std::ldexp(value_, exponent_); }

 private:
  static constexpr int kSignificant = 54;  // beyond this the smaller one does not count

  static ScaledDouble sum(const ScaledDouble& a, double value, int exponent) {
    if (a.value_ == 0 || exponent > a.exponent_ + kSignificant) return ScaledDouble(value, exponent);
    if (value == 0 || a.exponent_ > exponent + kSignificant) return a;
    const auto power = [](int e) { return std::bit_cast<double>(static_cast<uint64_t>(1023 + e) << 52); };
    if (a.exponent_ >= exponent) return ScaledDouble(a.value_ * power(a.exponent_ - exponent) + value, exponent);
    return ScaledDouble(value * power(exponent - a.exponent_) + a.value_, a.exponent_);
  }

  double value_ = 0;  // 0, or 0.5 to 1 in magnitude
  int exponent_ = 0;
};

}  // namespace wend
