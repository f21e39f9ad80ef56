#include "serve/engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include <nlohmann/json.hpp>

#include "base/wall_clock.h"

namespace wend::serve {
namespace {

std::string errorText(const Error& error) {
  return nlohmann::json{{"kind", "error"}, {"code", errorName(error.code)}, {"message", error.message}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Only the newest of these matters: the others were asked while a slider or the mouse moved.
bool isReplaceable(const Command& command) {
  return std::holds_alternative<ProbeCommand>(command) || std::holds_alternative<ReachCommand>(command) ||
         std::holds_alternative<BakeCommand>(command) || std::holds_alternative<PlanCommand>(command) ||
         std::holds_alternative<SeekCommand>(command) || std::holds_alternative<CrowdCommand>(command);
}

}  // namespace

Engine::Engine(std::vector<Document> documents, std::string folder, int threads)
    : session_(std::move(documents), std::move(folder), threads, *this) {}

Engine::~Engine() {
  stop();
}

void Engine::start(Server& server) {
  server_ = &server;
  thread_ = std::thread([this] { work(); });
}

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  session_.cancel();
  if (thread_.joinable()) thread_.join();
}

void Engine::push(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (task.command && isReplaceable(*task.command)) {
      for (Task& other : tasks_) {
        if (other.client != task.client || !other.command || other.command->index() != task.command->index()) continue;
        other = std::move(task);
        return;
      }
    }
    ++waiting_[task.client];
    tasks_.push_back(std::move(task));
  }
  wake_.notify_all();
}

void Engine::opened(ClientId client) {
  push({client, true, {}, {}});
}

void Engine::closed(ClientId client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(tasks_, [&](const Task& task) { return task.client == client; });
  waiting_.erase(client);
}

bool Engine::received(ClientId client, std::string text) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(client);
    if (found != waiting_.end() && found->second > kMaxWaiting) return false;
  }
  Result<Command> command = parseCommand(text);
  if (!command.ok()) {
    server_->send(client, {std::make_shared<const std::string>(errorText(command.error())), false, 0});
    return true;
  }
  // Whatever is made just now is not wanted any more.
  if (std::holds_alternative<CancelCommand>(*command) || std::holds_alternative<BakeCommand>(*command) ||
      std::holds_alternative<OpenCommand>(*command)) {
    session_.cancel();
  }
  push({client, false, {}, *std::move(command)});
  return true;
}

std::optional<Content> Engine::fetch(std::string_view name) {
  const std::lock_guard lock(contentMutex_);
  const auto found = contents_.find(name);
  if (found == contents_.end()) return {};
  return found->second;
}

void Engine::send(ClientId client, Packet packet) {
  server_->send(client, std::move(packet));
}

void Engine::broadcast(Packet packet) {
  server_->broadcast(std::move(packet));
}

void Engine::publish(const std::string& name, Content content) {
  const std::lock_guard lock(contentMutex_);
  contents_[name] = std::move(content);
}

void Engine::withdraw(const std::string& name) {
  const std::lock_guard lock(contentMutex_);
  contents_.erase(name);
}

void Engine::work() {
  const auto guarded = [&](ClientId client, const auto& action) {
    try {
      action();
    } catch (const std::bad_alloc&) {
      send(client, {std::make_shared<const std::string>(
                        errorText({ErrorCode::kLimit, "out of memory; the world is too large for this machine"})),
                    false, 0});
    } catch (const std::exception& error) {
      send(client, {std::make_shared<const std::string>(errorText(
                        {ErrorCode::kInternal, std::string("internal error: ") + error.what() + "; please report it"})),
                    false, 0});
    }
  };
  guarded(0, [&] { session_.begin(); });
  while (true) {
    std::optional<Task> task;
    {
      std::unique_lock lock(mutex_);
      const auto ready = [&] { return stopping_ || !tasks_.empty(); };
      const double pause = session_.nextTick() - wallSeconds();
      if (std::isinf(pause)) {
        wake_.wait(lock, ready);
      } else if (pause > 0) {
        wake_.wait_for(lock, std::chrono::duration<double>(std::min(pause, 1.0)), ready);
      }
      if (stopping_) return;
      if (!tasks_.empty()) {
        task = std::move(tasks_.front());
        tasks_.pop_front();
        if (const auto found = waiting_.find(task->client); found != waiting_.end() && found->second > 0) {
          --found->second;
        }
      }
    }
    if (task) {
      guarded(task->client, [&] {
        if (task->opened) session_.opened(task->client);
        if (task->command) session_.handle(task->client, *task->command);
      });
    }
    guarded(0, [&] { session_.tick(wallSeconds()); });
  }
}

}  // namespace wend::serve
