#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "serve/outbox.h"
#include "serve/session.h"

// Connects a session and a server: commands wait in a queue for the thread of the engine, published data in a table.
// The server never waits for the engine, and the engine never waits for a window.
namespace wend::serve {

class Engine : public Receiver, public Outbox {
 public:
  Engine(std::vector<Document> documents, std::string folder, int threads);
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Begins to work; `server` must live until stop().
  void start(Server& server);
  void stop();

  // Receiver, on the thread of the server.
  void opened(ClientId client) override;
  void closed(ClientId client) override;
  bool received(ClientId client, std::string text) override;
  std::optional<Content> fetch(std::string_view name) override;

  // Outbox, on the thread of the engine.
  void send(ClientId client, Packet packet) override;
  void broadcast(Packet packet) override;
  void publish(const std::string& name, Content content) override;
  void withdraw(const std::string& name) override;

  static constexpr size_t kMaxWaiting = 400;  // commands of one window

 private:
  struct Task {
    ClientId client = 0;
    bool opened = false;
    std::string text;
    std::optional<Command> command;
  };
  void work();
  void push(Task task);

  Session session_;
  Server* server_ = nullptr;
  std::thread thread_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::map<ClientId, size_t> waiting_;
  bool stopping_ = false;

  std::mutex contentMutex_;
  std::map<std::string, Content, std::less<>> contents_;
};

}  // namespace wend::serve
