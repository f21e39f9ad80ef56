#include "serve/blob.h"

#include <bit>
#include <cstring>

namespace wend::serve {

static_assert(std::endian::native == std::endian::little);

void BlobWriter::put(std::string_view name, const char* type, std::span<const std::byte> bytes, size_t count) {
  data_.resize((data_.size() + 7) / 8 * 8, '\0');
  arrays_[std::string(name)] = {{"type", type}, {"offset", data_.size()}, {"count", count}};
  data_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::shared_ptr<const std::string> BlobWriter::finish(nlohmann::json meta) {
  std::string header = nlohmann::json{{"meta", std::move(meta)}, {"arrays", std::move(arrays_)}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const auto length = static_cast<uint32_t>(header.size());
  auto out = std::make_shared<std::string>();
  out->reserve(8 + header.size() + data_.size());
  out->append("WVB1");
  out->append(reinterpret_cast<const char*>(&length), sizeof length);
  out->append(header);
  out->append(data_);
  return out;
}

}  // namespace wend::serve
