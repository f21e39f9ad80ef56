#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

// An uncompressed TIFF file, written by hand: right or wrong as a test needs it.
namespace wend {

class TiffBytes {
 public:
  // format: 1 whole, 2 signed, 3 floating point.
  TiffBytes(uint32_t width, uint32_t height, uint16_t bits, uint16_t format)
      : width_(width), height_(height), bits_(bits), format_(format) {}

  std::vector<double> values;
  bool tiled = false;        // 16 x 16
  uint32_t tileLength = 16;  // as claimed; the pixels stay those of 16 x 16
  bool bigEndian = false;
  bool claimOnly = false;  // no pixels follow
  bool geographic = false;
  std::vector<double> pixelScale;
  std::vector<double> tiePoint;
  std::string noData;
  bool geoBytes = false;  // the tags of the georeference and of missing heights claim to be single bytes

  std::string bytes() const {
    std::string out = bigEndian ? "MM" : "II";
    add16(out, 42);
    add32(out, 0);  // the place of the directory, set below
    const auto dataAt = static_cast<uint32_t>(out.size());
    std::vector<uint32_t> tileAt;
    const uint32_t size = bits_ / 8U;
    if (!claimOnly && tiled) {
      for (uint32_t top = 0; top < height_; top += 16) {
        for (uint32_t left = 0; left < width_; left += 16) {
          tileAt.push_back(static_cast<uint32_t>(out.size()));
          for (uint32_t y = top; y < top + 16; ++y) {
            for (uint32_t x = left; x < left + 16; ++x) addSample(out, x < width_ && y < height_ ? value(x, y) : 0);
          }
        }
      }
    } else if (!claimOnly) {
      for (uint32_t y = 0; y < height_; ++y) {
        for (uint32_t x = 0; x < width_; ++x) addSample(out, value(x, y));
      }
    }
    struct Entry {
      uint16_t tag, type;
      uint32_t count;
      std::string data;
    };
    std::vector<Entry> entries;
    const auto shortEntry = [&](uint16_t tag, uint16_t v) {
      std::string data;
      add16(data, v);
      entries.push_back({tag, 3, 1, data});
    };
    const auto longs = [&](uint16_t tag, const std::vector<uint32_t>& v) {
      std::string data;
      for (const uint32_t x : v) add32(data, x);
      entries.push_back({tag, 4, static_cast<uint32_t>(v.size()), data});
    };
    const auto doubles = [&](uint16_t tag, const std::vector<double>& v) {
      std::string data;
      for (const double x : v) addDouble(data, x);
      entries.push_back({tag, 12, static_cast<uint32_t>(v.size()), data});
    };
    longs(256, {width_});
    longs(257, {height_});
    shortEntry(258, bits_);
    shortEntry(259, 1);
    shortEntry(262, 1);
    if (!tiled) longs(273, {dataAt});
    shortEntry(277, 1);
    if (!tiled) longs(278, {height_});
    const uint64_t claimed = uint64_t{width_} * height_ * size;
    if (!tiled) longs(279, {static_cast<uint32_t>(std::min<uint64_t>(claimed, 0xffffffffU))});
    if (tiled) {
      longs(322, {16});
      longs(323, {tileLength});
      longs(324, tileAt);
      longs(325, std::vector<uint32_t>(tileAt.size(), 256 * size));
    }
    shortEntry(339, format_);
    if (!pixelScale.empty()) doubles(33550, pixelScale);
    if (!tiePoint.empty()) doubles(33922, tiePoint);
    if (!pixelScale.empty()) {
      std::string keys;
      for (const int v : {1, 1, 0, 1, 1024, 0, 1, geographic ? 2 : 1}) add16(keys, static_cast<uint16_t>(v));
      entries.push_back({34735, 3, 8, keys});
    }
    if (!noData.empty()) entries.push_back({42113, 2, static_cast<uint32_t>(noData.size() + 1), noData + '\0'});
    for (Entry& entry : entries) {
      if (!geoBytes || entry.tag < 33550) continue;
      entry.type = 1;
      entry.count = static_cast<uint32_t>(entry.data.size());
    }
    // Values of more than four bytes stand before the directory.
    std::vector<uint32_t> at(entries.size(), 0);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].data.size() <= 4) continue;
      if (out.size() % 2 != 0) out.push_back('\0');
      at[i] = static_cast<uint32_t>(out.size());
      out += entries[i].data;
    }
    if (out.size() % 2 != 0) out.push_back('\0');
    std::string place;
    add32(place, static_cast<uint32_t>(out.size()));
    out.replace(4, 4, place);
    add16(out, static_cast<uint16_t>(entries.size()));
    for (size_t i = 0; i < entries.size(); ++i) {
      add16(out, entries[i].tag);
      add16(out, entries[i].type);
      add32(out, entries[i].count);
      if (at[i] != 0) {
        add32(out, at[i]);
      } else {
        std::string data = entries[i].data;
        data.resize(4, '\0');
        out += data;
      }
    }
    add32(out, 0);
    return out;
  }

 private:
  double value(uint32_t x, uint32_t y) const {
    const size_t i = static_cast<size_t>(y) * width_ + x;
    return i < values.size() ? values[i] : 0;
  }
  template <typename T>
  void add(std::string& out, T v) const {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &v, sizeof(T));
    if (bigEndian) std::reverse(raw.begin(), raw.end());
    out.append(raw.data(), raw.size());
  }
  void add16(std::string& out, uint16_t v) const { add(out, v); }
  void add32(std::string& out, uint32_t v) const { add(out, v); }
  void addDouble(std::string& out, double v) const { add(out, v); }
  void addSample(std::string& out, double v) const {
    if (format_ == 3) {
      if (bits_ == 64) {
        add(out, v);
      } else {
        add(out, static_cast<float>(v));
      }
      return;
    }
    const auto whole = static_cast<int64_t>(v);
    if (bits_ == 8) add(out, static_cast<uint8_t>(whole));
    if (bits_ == 16) add(out, static_cast<uint16_t>(whole));
    if (bits_ == 32) add(out, static_cast<uint32_t>(whole));
  }

  uint32_t width_;
  uint32_t height_;
  uint16_t bits_;
  uint16_t format_;
};

}  // namespace wend
