#include "serve/server.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/random.h"
#include "serve/engine.h"
#include "tests/serve/socket_client.h"

namespace wend::serve {
namespace {

constexpr const char* kToken = "abc123";

class Echo : public Receiver {
 public:
  void opened(ClientId) override { ++windows; }
  void closed(ClientId) override { --windows; }
  bool received(ClientId client, std::string text) override {
    ++messages;
    if (text == "drop me") return false;
    server->send(client, {std::make_shared<const std::string>("heard " + text), false, 0});
    return true;
  }
  std::optional<Content> fetch(std::string_view name) override {
    if (name != "shape") return {};
    return Content{std::make_shared<const std::string>("bytes"), "application/octet-stream", ""};
  }
  Server* server = nullptr;
  std::atomic<int> windows = 0;
  std::atomic<int> messages = 0;
};

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    ServerSettings settings;
    settings.token = kToken;
    settings.page["index.html"] = {std::make_shared<const std::string>("<html>page"), "text/html", ""};
    settings.maxClients = 24;
    settings.maxMessageBytes = 4096;
    settings.maxWaitingBytes = size_t{4} << 20;
    Result<std::unique_ptr<Server>> started = Server::start(std::move(settings), echo_);
    server_ = *std::move(started);
    echo_.server = server_.get();
    host_ = "127.0.0.1:" + std::to_string(server_->port());
  }
  std::string get(const std::string& target, const std::string& host, const std::string& method = "GET") {
    const SocketClient client(server_->port());
    client.write(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    return client.read(1 << 16);
  }
  std::unique_ptr<SocketClient> window() {
    auto client = std::make_unique<SocketClient>(server_->port());
    EXPECT_NE(client->upgrade(std::string("/") + kToken + "/live", host_, "http://" + host_).find(" 101 "),
              std::string::npos);
    return client;
  }
  void waitForWindows(int n) {
    for (int i = 0; i < 500 && echo_.windows != n; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(echo_.windows, n);
  }

  Echo echo_;
  std::unique_ptr<Server> server_;
  std::string host_;
};

TEST_F(ServerTest, ServesThePageOnlyWithTheToken) {
  const std::string page = get("/abc123/", host_);
  EXPECT_NE(page.find(" 200 "), std::string::npos);
  EXPECT_NE(page.find("<html>page"), std::string::npos);
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  for (const char* target : {"/", "/index.html", "/abc124/", "/abc12/", "/abc1234/", "//", "/abc123x/index.html"}) {
    EXPECT_NE(get(target, host_).find(" 404 "), std::string::npos) << target;
  }
}

TEST_F(ServerTest, ReadsNoPaths) {
  for (const char* target : {"/abc123/../../etc/passwd", "/abc123/%2e%2e/%2e%2e/etc/passwd", "/abc123//etc/passwd",
                             "/abc123/data/../index.html", "/abc123/data/", "/abc123/data/../../../etc/passwd"}) {
    const std::string answer = get(target, host_);
    EXPECT_NE(answer.find(" 404 "), std::string::npos) << target;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << target;
  }
  EXPECT_NE(get("/abc123/data/shape", host_).find("bytes"), std::string::npos);
}

// Another name that leads to this machine is another origin: a page of somebody else must not read ours through it.
TEST_F(ServerTest, AnswersToItsOwnHostAndOriginOnly) {
  EXPECT_NE(get("/abc123/", "evil.example").find(" 403 "), std::string::npos);
  EXPECT_NE(get("/abc123/", "localhost:" + std::to_string(server_->port())).find(" 200 "), std::string::npos);
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"), std::string(),
                                    "https://" + host_, "http://" + host_ + ".evil"}) {
    const SocketClient client(server_->port());
    EXPECT_NE(client.upgrade("/abc123/live", host_, origin).find(" 403 "), std::string::npos) << origin;
  }
  const SocketClient wrongToken(server_->port());
  EXPECT_EQ(wrongToken.upgrade("/abc124/live", host_, "http://" + host_).find(" 101 "), std::string::npos);
  const SocketClient wrongPlace(server_->port());
  EXPECT_EQ(wrongPlace.upgrade("/abc123/index.html", host_, "http://" + host_).find(" 101 "), std::string::npos);
}

TEST_F(ServerTest, OtherMethodsAndBodiesAreRefused) {
  EXPECT_NE(get("/abc123/", host_, "DELETE").find(" 405 "), std::string::npos);
  const SocketClient client(server_->port());
  client.write("POST /abc123/ HTTP/1.1\r\nHost: " + host_ + "\r\nContent-Length: 100000000\r\n\r\n");
  EXPECT_TRUE(client.isClosed());
  const SocketClient longHead(server_->port());
  longHead.write("GET /abc123/ HTTP/1.1\r\nHost: " + host_ + "\r\nX: " + std::string(100000, 'x'));
  EXPECT_TRUE(longHead.isClosed());
  const SocketClient rubbish(server_->port());
  rubbish.write(std::string("\0\1\2\3 rubbish\r\n\r\n", 16));
  EXPECT_TRUE(rubbish.isClosed());
  EXPECT_NE(get("/abc123/", host_).find(" 200 "), std::string::npos);
}

TEST_F(ServerTest, TwentyWindowsTalkAndTooManyAreRefused) {
  std::vector<std::unique_ptr<SocketClient>> windows;
  for (int i = 0; i < 24; ++i) windows.push_back(window());
  waitForWindows(24);
  const SocketClient extra(server_->port());
  EXPECT_NE(extra.upgrade("/abc123/live", host_, "http://" + host_).find(" 503 "), std::string::npos);
  for (const auto& one : windows) EXPECT_TRUE(one->say("hello"));
  for (const auto& one : windows) EXPECT_EQ(one->hear(), "heard hello");
  server_->broadcast({std::make_shared<const std::string>("news"), false, 0});
  for (const auto& one : windows) EXPECT_EQ(one->hear(), "news");
  windows.clear();
  waitForWindows(0);
}

TEST_F(ServerTest, RubbishAndLongMessagesEndOnlyTheirOwnWindow) {
  const auto good = window();
  auto tooLong = window();
  const auto binary = window();
  auto broken = window();
  const auto unwanted = window();
  waitForWindows(5);
  tooLong->say(std::string(5000, 'x'));
  binary->say("bytes", 2);
  broken->write(std::string(64, '\xff'));
  unwanted->say("drop me");
  // Those that broke the protocol are told so, and are gone when they close their side.
  tooLong.reset();
  broken.reset();
  waitForWindows(1);
  EXPECT_TRUE(good->say("still here"));
  EXPECT_EQ(good->hear(), "heard still here");
}

// A window that does not read gets fewer frames, or is dropped; the others get all, and memory stays flat.
TEST_F(ServerTest, NobodyWaitsForAWindowThatDoesNotRead) {
  const auto reader = window();
  const auto sleeper = window();
  waitForWindows(2);
  const auto frame = std::make_shared<const std::string>(std::string(500000, 'f'));
  for (int i = 0; i < 100; ++i) {
    server_->broadcast({frame, true, 1});
    if (i % 10 == 9) {
      // Frames that this window has not fetched yet are replaced; it still gets the newest.
      EXPECT_EQ(reader->hear().size(), frame->size());
    }
  }
  EXPECT_EQ(echo_.windows, 2);  // 50 MB were sent and at most 4 MB may wait: the frames in between were left out
  // What must not be left out piles up until a window that does not read is given up. The other one reads all.
  std::thread reading([&] {
    for (int i = 0; i < 300 && !reader->hear().empty(); ++i) {
    }
  });
  for (int i = 0; i < 60; ++i) {
    server_->broadcast({frame, true, 0});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  waitForWindows(1);
  server_.reset();
  reading.join();
}

TEST_F(ServerTest, PortsAreFreedAndTakenPortsAreErrors) {
  ServerSettings settings;
  settings.token = kToken;
  settings.port = server_->port();
  Echo other;
  Result<std::unique_ptr<Server>> second = Server::start(settings, other);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("--port"), std::string::npos);
  server_.reset();
  second = Server::start(settings, other);
  EXPECT_TRUE(second.ok());
}

TEST_F(ServerTest, WaitsQuietlyForDescriptors) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(socket, 0);
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int next = ::dup(socket);
  ::close(next);
  const rlimit none{static_cast<rlim_t>(next), usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server_->port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const double busy = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_TRUE(connected);
  EXPECT_LT(busy, 0.02) << "seconds of processor time in half a second";
  // The one that waited is served, and so is the next.
  const std::string request = "GET / HTTP/1.1\r\nHost: " + host_ + "\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(::send(socket, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  char answer[12] = {};
  EXPECT_EQ(::recv(socket, answer, sizeof answer, MSG_WAITALL), 12);
  EXPECT_EQ(std::string_view(answer, sizeof answer), "HTTP/1.1 404");
  ::close(socket);
  EXPECT_NE(get(std::string("/") + kToken + "/", host_).find("<html>page"), std::string::npos);
}

TEST(Token, IsLongAndNeverTheSame) {
  EXPECT_EQ(randomToken().size(), 26U);
  EXPECT_NE(randomToken(), randomToken());
}

// The whole of it: a session behind the server.
TEST(Engine, AnswersAndSurvivesRubbish) {
  Engine engine({}, "/tmp", 1);
  ServerSettings settings;
  settings.token = kToken;
  Result<std::unique_ptr<Server>> server = Server::start(settings, engine);
  ASSERT_TRUE(server.ok());
  engine.start(**server);
  const std::string host = "127.0.0.1:" + std::to_string((*server)->port());
  const SocketClient client((*server)->port());
  ASSERT_NE(client.upgrade("/abc123/live", host, "http://" + host).find(" 101 "), std::string::npos);
  EXPECT_NE(client.hear().find("\"catalogue\""), std::string::npos);
  EXPECT_NE(client.hear().find("\"state\""), std::string::npos);
  client.say("rubbish");
  EXPECT_NE(client.hear().find("\"error\""), std::string::npos);
  client.say(R"({"kind":"open","demo":"maze"})");
  bool opened = false;
  for (int i = 0; i < 50 && !opened; ++i) opened = client.hear().find("\"cells\"") != std::string::npos;
  EXPECT_TRUE(opened);
  engine.stop();
  server->reset();
}

// A crowd walks on with twenty windows, one of which reads nothing and one of which sends rubbish without end.
TEST(Engine, GoesOnWithTwentyWindows) {
  Engine engine({}, "/tmp", 1);
  ServerSettings settings;
  settings.token = kToken;
  Result<std::unique_ptr<Server>> server = Server::start(settings, engine);
  ASSERT_TRUE(server.ok());
  engine.start(**server);
  const std::string host = "127.0.0.1:" + std::to_string((*server)->port());
  std::vector<std::unique_ptr<SocketClient>> windows;
  for (int i = 0; i < 20; ++i) {
    windows.push_back(std::make_unique<SocketClient>((*server)->port()));
    ASSERT_NE(windows.back()->upgrade("/abc123/live", host, "http://" + host).find(" 101 "), std::string::npos);
  }
  const SocketClient& first = *windows[0];
  first.say(R"({"kind":"open","demo":"maze"})");
  first.say(R"({"kind":"speed","factor":100})");
  first.say(R"({"kind":"run","action":"start"})");
  // windows[1] reads nothing from here on.
  std::atomic<bool> over = false;
  std::thread rubbish([&] {
    Random random(5);
    while (!over && windows[2]->say(std::string(random.below(200), static_cast<char>(32 + random.below(90))))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  // Every other window sees the crowd of the same run go on: the kind of a frame is 1, its time stands at byte 16.
  std::atomic<int> walking = 0;
  std::vector<std::thread> readers;
  for (size_t i = 3; i < windows.size(); ++i) {
    readers.emplace_back([&, i] {
      for (int heard = 0; heard < 20000 && !over; ++heard) {
        const std::string message = windows[i]->hear();
        if (message.empty()) return;
        double time = 0;
        if (message[0] != 1 || message.size() < 48) continue;
        std::memcpy(&time, message.data() + 16, sizeof time);
        if (time < 20) continue;
        ++walking;
        return;
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  over = true;
  rubbish.join();
  EXPECT_EQ(walking, 17);
  engine.stop();
  server->reset();
}

}  // namespace
}  // namespace wend::serve
