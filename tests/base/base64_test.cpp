#include "base/base64.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

std::string decoded(std::string_view text) {
  const auto bytes = decodeBase64(text);
  if (!bytes) return "not base64";
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST(Base64, EncodesWithPadding) {
  EXPECT_EQ(encodeBase64(""), "");
  EXPECT_EQ(encodeBase64("f"), "Zg==");
  EXPECT_EQ(encodeBase64("fo"), "Zm8=");
  EXPECT_EQ(encodeBase64("foo"), "Zm9v");
  EXPECT_EQ(encodeBase64("foob"), "Zm9vYg==");
}

TEST(Base64, DecodesWhatItEncodes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(decoded(encodeBase64(bytes)), bytes) << i;
    bytes += static_cast<char>(37 * i);
  }
}

TEST(Base64, ReadsBothAlphabetsAndRefusesOthers) {
  EXPECT_EQ(decoded("+/+/"), decoded("-_-_"));
  EXPECT_EQ(decoded("Zg"), "f") << "padding may be missing";
  EXPECT_FALSE(decodeBase64("Zm 9v").has_value());
  EXPECT_FALSE(decodeBase64("Zm9v!").has_value());
}

}  // namespace
}  // namespace wend
