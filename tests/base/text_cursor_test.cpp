#include "base/text_cursor.h"

#include <string>

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(TextCursor, Numbers) {
  TextCursor cursor(" 1.5 -2e3\t+4 .5\n7abc", "f");
  EXPECT_EQ(cursor.number(), 1.5);
  EXPECT_EQ(cursor.number(), -2000.0);
  EXPECT_EQ(cursor.number(), 4.0);
  EXPECT_EQ(cursor.number(), 0.5);
  EXPECT_EQ(cursor.integer(), 7);
  EXPECT_FALSE(cursor.number());
  EXPECT_EQ(cursor.word(), "abc");
  EXPECT_TRUE(cursor.atEnd());
}

TEST(TextCursor, NotNumbers) {
  for (const char* const text :
       {"", "nan", "inf", "-inf", "NaN", "infinity", "1e999", "-", "+", "+-1", "++1", ",", "e5"}) {
    EXPECT_FALSE(TextCursor(text, "f").number()) << text;
    EXPECT_FALSE(wholeNumber(text)) << text;
  }
  for (const char* const text : {"1 ", " 1", "1x", "0x10", "1,5"}) EXPECT_FALSE(wholeNumber(text)) << text;
  EXPECT_FALSE(wholeInteger("1.5"));
  EXPECT_FALSE(wholeInteger("99999999999999999999"));
}

TEST(TextCursor, ErrorsNameTheLineAndWhatStandsThere) {
  TextCursor cursor("a\nb\n\x01!", "plan.wkt", 10);
  cursor.word();
  cursor.word();
  EXPECT_EQ(cursor.expected("a number").message, "'plan.wkt', line 12: expected a number, but found '?!'");
  EXPECT_EQ(TextCursor("", "f").expected("x").message, "'f', line 1: expected x, but the text ends");
}

TEST(TextCursor, LinesOfBothKinds) {
  TextCursor cursor("ab\r\n\ncd", "f");
  EXPECT_EQ(cursor.line(), "ab");
  EXPECT_EQ(cursor.line(), "");
  EXPECT_EQ(cursor.line(), "cd");
  EXPECT_EQ(cursor.line(), "");
  EXPECT_TRUE(cursor.atEnd());
}

TEST(PlainText, Cases) {
  for (const char* const good : {"", "hall", "Küche", "\xe2\x82\xac", "\xf0\x9f\x9a\xb6"})
    EXPECT_TRUE(isPlainText(good));
  for (const char* const bad : {"\n", "\x7f", "\x80", "\xc3", "\xc3(", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                "\xff", "\xe2\x82", "\xef\xbf\xbf", "\xc2\x85"}) {
    EXPECT_FALSE(isPlainText(bad)) << bad;
  }
  EXPECT_TRUE(isPlainText(std::string(kMaxNameBytes, 'x')));
  EXPECT_FALSE(isPlainText(std::string(kMaxNameBytes + 1, 'x')));
}

}  // namespace
}  // namespace wend
