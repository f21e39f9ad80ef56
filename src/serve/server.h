#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <wend/result.h>

// The network side of `wend view`: HTTP for the page and for large data, one WebSocket per window.
//
// Safe by default: it listens on the loopback interface only; every address begins with a secret token; Host and Origin
// must be those of this server; only files of the page and published data can be fetched, by name from a table, never
// by a path; messages, clients and the data that waits for a slow client are limited. A client that does not read, or
// that sends rubbish, is dropped; no other window waits for it.
namespace wend::serve {

using ClientId = uint32_t;

// What a fetch answers.
struct Content {
  std::shared_ptr<const std::string> bytes;
  std::string type;      // "application/octet-stream"
  std::string fileName;  // under which a browser saves it; empty: it is shown
};

struct Packet {
  std::shared_ptr<const std::string> bytes;
  bool binary = false;
  // Above 0: a newer packet of the same channel replaces this one as long as it waits. So a slow window sees fewer
  // frames, and memory stays flat.
  int channel = 0;
};

// Its functions are called from the thread of the server and must return soon.
class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual void opened(ClientId client) = 0;
  virtual void closed(ClientId client) = 0;
  // False: the client sends faster than the server can answer, and is dropped.
  virtual bool received(ClientId client, std::string text) = 0;
  // Nothing for a name that was not published.
  virtual std::optional<Content> fetch(std::string_view name) = 0;
};

struct ServerSettings {
  uint16_t port = 0;                          // 0: any free one
  std::string token;                          // letters and digits
  std::map<std::string, Content> page;        // by name; "index.html" is the page itself
  size_t maxClients = 32;                     // windows at once
  size_t maxConnections = 128;                // sockets at once
  size_t maxMessageBytes = size_t{1} << 20;   // of a message from a window
  size_t maxWaitingBytes = size_t{64} << 20;  // for one window; beyond, it is dropped
};

class Server {
 public:
  // Listens when it returns. `receiver` must outlive the server.
  static Result<std::unique_ptr<Server>> start(ServerSettings settings, Receiver& receiver);
  ~Server();  // closes all connections
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  std::string address() const;  // http://127.0.0.1:PORT/TOKEN/
  // From any thread; never waits.
  void send(ClientId client, Packet packet);
  void broadcast(Packet packet);

  struct Impl;

 private:
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// 128 random bits of the system as letters and digits.
std::string randomToken();

}  // namespace wend::serve
