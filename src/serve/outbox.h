#pragma once

#include <string>

#include "serve/server.h"

// Where a session puts the data for the windows. From one thread.
namespace wend::serve {

class Outbox {
 public:
  virtual ~Outbox() = default;
  virtual void send(ClientId client, Packet packet) = 0;
  virtual void broadcast(Packet packet) = 0;
  // Windows can fetch it under data/NAME from now on.
  virtual void publish(const std::string& name, Content content) = 0;
  virtual void withdraw(const std::string& name) = 0;
};

// Channels of packets, of which only the newest counts.
inline constexpr int kFrameChannel = 1;
inline constexpr int kMapChannel = 2;
inline constexpr int kStatusChannel = 3;
inline constexpr int kProgressChannel = 4;
inline constexpr int kReachChannel = 5;

}  // namespace wend::serve
