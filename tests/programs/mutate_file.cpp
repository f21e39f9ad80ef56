// Writes a changed copy of a file: bytes flipped, overwritten, cut, repeated. The same seed gives the same copy.
//   mutate_file SEED FROM TO
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  std::ifstream in(argv[2], std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  const auto below = [&](size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); };
  const size_t changes = 1 + below(6);
  for (size_t i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:  // an edge of whole numbers
        for (size_t k = at; k < bytes.size() && k < at + 4; ++k) bytes[k] = static_cast<char>(below(2) == 0 ? 0xff : 0);
        break;
      case 3:
        if (below(8) == 0) bytes.resize(at);
        break;
      case 4: {  // a digit, for texts
        const char digits[] = "0123456789-.e";
        bytes[at] = digits[below(sizeof digits - 1)];
        break;
      }
      default: {
        const size_t length = below(64);
        const std::vector<char> piece(bytes.begin() + static_cast<long>(at),
                                      bytes.begin() + static_cast<long>(std::min(bytes.size(), at + length)));
        bytes.insert(bytes.begin() + static_cast<long>(below(bytes.size())), piece.begin(), piece.end());
      }
    }
  }
  std::ofstream out(argv[3], std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out.good() ? 0 : 1;
}
