#pragma once

#include <cstdint>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

// A client that speaks just enough HTTP and WebSocket to test the server, and that can also behave badly.
class SocketClient {
 public:
  explicit SocketClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    timeval limit{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~SocketClient() { ::close(socket_); }
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  bool write(const std::string& bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  // Up to n bytes; less at the end of the connection or after ten seconds.
  std::string read(size_t n) const {
    std::string out;
    while (out.size() < n) {
      char buffer[65536];
      const ssize_t got = ::recv(socket_, buffer, std::min(sizeof buffer, n - out.size()), 0);
      if (got <= 0) break;
      out.append(buffer, static_cast<size_t>(got));
    }
    return out;
  }
  std::string readHead() const {
    std::string out;
    while (out.find("\r\n\r\n") == std::string::npos) {
      const std::string one = read(1);
      if (one.empty()) break;
      out += one;
    }
    return out;
  }

  // The status line of a WebSocket handshake.
  std::string upgrade(const std::string& target, const std::string& host, const std::string& origin) const {
    write("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin +
          "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    const std::string head = readHead();
    return head.substr(0, head.find("\r\n"));
  }
  // One masked frame.
  bool say(const std::string& text, uint8_t kind = 1) const {
    std::string frame(1, static_cast<char>(0x80 | kind));
    if (text.size() < 126) {
      frame += static_cast<char>(0x80 | text.size());
    } else {
      frame += static_cast<char>(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) frame += static_cast<char>(uint64_t{text.size()} >> shift & 255);
    }
    frame += std::string(4, '\0');
    return write(frame + text);
  }
  // The payload of the next frame; nothing at the end.
  std::string hear() const {
    const std::string head = read(2);
    if (head.size() < 2) return {};
    uint64_t length = static_cast<uint8_t>(head[1]) & 127;
    const int more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (more > 0) {
      length = 0;
      for (const char c : read(static_cast<size_t>(more))) length = length << 8 | static_cast<uint8_t>(c);
    }
    return read(length);
  }
  bool isClosed() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, 0) <= 0;
  }

  bool connected = false;

 private:
  int socket_;
};
