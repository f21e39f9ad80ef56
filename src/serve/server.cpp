#include "serve/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

namespace wend::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;

constexpr auto kRequestTime = std::chrono::seconds(20);
constexpr auto kCloseTime = std::chrono::seconds(3);
constexpr auto kIdleTime = std::chrono::seconds(120);
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr size_t kMaxHeaderBytes = 16384;

// Takes the same time wherever the texts differ, so that a token cannot be guessed letter by letter.
bool equalText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

class Connection;

struct Server::Impl {
  Impl(ServerSettings given, Receiver& to) : settings(std::move(given)), receiver(to), acceptor(io), pause(io) {}

  Status listen();
  void accept();
  bool isOwnHost(std::string_view host) const;
  void join(const std::shared_ptr<Connection>& client);
  void leave(ClientId client);

  ServerSettings settings;
  Receiver& receiver;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  uint16_t port = 0;
  std::map<ClientId, std::shared_ptr<Connection>> clients;  // windows
  ClientId nextClient = 1;
  size_t connections = 0;
  std::thread thread;
};

// One socket: requests first, then perhaps a WebSocket for the rest of its life. All of it runs on the server's thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Server::Impl& server) : server_(server), stream_(std::move(socket)) {
    ++server_.connections;
  }
  ~Connection() { --server_.connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void readRequest() {
    parser_.emplace();
    parser_->header_limit(kMaxHeaderBytes);
    parser_->body_limit(0);
    stream_.expires_after(kRequestTime);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (error) return self->shut();
      self->handle(self->parser_->release());
    });
  }

  void send(Packet packet) {
    if (!socket_ || dropped_) return;
    if (packet.channel > 0) {
      // The first packet is on its way already.
      for (size_t i = 1; i < waiting_.size(); ++i) {
        if (waiting_[i].channel != packet.channel) continue;
        bytes_ -= waiting_[i].bytes->size();
        bytes_ += packet.bytes->size();
        waiting_[i] = std::move(packet);
        return;
      }
    }
    bytes_ += packet.bytes->size();
    waiting_.push_back(std::move(packet));
    if (bytes_ > server_.settings.maxWaitingBytes && waiting_.size() > 1) return drop();
    if (waiting_.size() == 1) writeNext();
  }

  void drop() {
    if (dropped_) return;
    dropped_ = true;
    beast::error_code ignored;
    auto& socket = socket_ ? beast::get_lowest_layer(*socket_).socket() : stream_.socket();
    socket.close(ignored);
    if (id_ != 0) server_.leave(id_);
  }

  void setId(ClientId id) { id_ = id; }
  ClientId id() const { return id_; }

 private:
  using Request = http::request<http::string_body>;

  void shut() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  void handle(Request request) {
    const auto text = [&](http::field field) {
      const auto value = request[field];
      return std::string_view(value.data(), value.size());
    };
    if (!server_.isOwnHost(text(http::field::host))) {
      return refuse(request, http::status::forbidden, "this server answers to 127.0.0.1 and localhost only\n");
    }
    std::string_view target(request.target().data(), request.target().size());
    target = target.substr(0, target.find('?'));
    if (!target.empty()) target.remove_prefix(1);
    const size_t slash = target.find('/');
    if (!equalText(target.substr(0, slash), server_.settings.token)) {
      return refuse(request, http::status::not_found,
                    "open the address that `wend view` prints: it holds a token that this one lacks\n");
    }
    const std::string_view name = slash == std::string_view::npos ? "" : target.substr(slash + 1);
    if (websocket::is_upgrade(request)) {
      const std::string_view origin = text(http::field::origin);
      const bool own = origin.starts_with("http://") && server_.isOwnHost(origin.substr(7));
      if (name != "live" || !own) return refuse(request, http::status::forbidden, "not from this origin\n");
      return upgrade(std::move(request));
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return refuse(request, http::status::method_not_allowed, "only GET\n");
    }
    answer(request, name);
  }

  void answer(const Request& request, std::string_view name) {
    if (name.starts_with("data/")) {
      if (const std::optional<Content> content = server_.receiver.fetch(name.substr(5))) return give(request, *content);
    } else {
      const auto found = server_.settings.page.find(name.empty() ? "index.html" : std::string(name));
      if (found != server_.settings.page.end()) return give(request, found->second);
    }
    refuse(request, http::status::not_found, "there is nothing of this name\n");
  }

  template <typename Body>
  void addHeaders(http::response<Body>& response, const Request& request) {
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("X-Frame-Options", "DENY");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Content-Security-Policy",
                 "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; style-src 'self' "
                 "'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    response.keep_alive(request.keep_alive());
  }

  void refuse(const Request& request, http::status status, std::string_view sentence) {
    auto response = std::make_shared<http::response<http::string_body>>(status, request.version());
    addHeaders(*response, request);
    response->set(http::field::content_type, "text/plain; charset=utf-8");
    response->body() = sentence;
    response->prepare_payload();
    http::async_write(stream_, *response, [self = shared_from_this(), response](beast::error_code error, size_t) {
      self->next(error, *response);
    });
  }

  void give(const Request& request, const Content& content) {
    using Body = http::span_body<const char>;
    auto response = std::make_shared<http::response<Body>>(http::status::ok, request.version());
    addHeaders(*response, request);
    response->set(http::field::content_type, content.type);
    if (!content.fileName.empty()) {
      response->set(http::field::content_disposition, "attachment; filename=\"" + content.fileName + "\"");
    }
    if (request.method() == http::verb::get) response->body() = {content.bytes->data(), content.bytes->size()};
    response->content_length(content.bytes->size());
    // A large world takes long on a slow machine.
    stream_.expires_after(kRequestTime * 6);
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response, kept = content.bytes](beast::error_code error, size_t) {
                        self->next(error, *response);
                      });
  }

  template <typename Response>
  void next(beast::error_code error, const Response& response) {
    if (error || response.need_eof()) return shut();
    readRequest();
  }

  void upgrade(Request request) {
    if (server_.clients.size() >= server_.settings.maxClients) {
      return refuse(request, http::status::service_unavailable, "too many windows are open\n");
    }
    stream_.expires_never();
    socket_.emplace(std::move(stream_));
    // A window that answers neither a closing nor a ping is gone. A frame of a crowd goes out in one piece.
    socket_->set_option(websocket::stream_base::timeout{kCloseTime, kIdleTime, true});
    socket_->auto_fragment(false);
    socket_->read_message_max(server_.settings.maxMessageBytes);
    auto kept = std::make_shared<Request>(std::move(request));
    socket_->async_accept(*kept, [self = shared_from_this(), kept](beast::error_code error) {
      if (error || self->server_.clients.size() >= self->server_.settings.maxClients) return;
      self->server_.join(self);
      self->buffer_.clear();
      self->readMessage();
    });
  }

  void readMessage() {
    socket_->async_read(buffer_, [self = shared_from_this()](beast::error_code error, size_t) {
      if (error || self->dropped_) return self->drop();
      std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (!self->socket_->got_text() || !self->server_.receiver.received(self->id_, std::move(text))) {
        return self->drop();
      }
      self->readMessage();
    });
  }

  void writeNext() {
    socket_->binary(waiting_.front().binary);
    const std::string& bytes = *waiting_.front().bytes;
    socket_->async_write(asio::buffer(bytes), [self = shared_from_this()](beast::error_code error, size_t) {
      if (error || self->dropped_) return self->drop();
      self->bytes_ -= self->waiting_.front().bytes->size();
      self->waiting_.pop_front();
      if (!self->waiting_.empty()) self->writeNext();
    });
  }

  Server::Impl& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<websocket::stream<beast::tcp_stream, false>> socket_;
  ClientId id_ = 0;
  std::deque<Packet> waiting_;
  size_t bytes_ = 0;  // of waiting_
  bool dropped_ = false;
};

Status Server::Impl::listen() {
  beast::error_code error;
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), settings.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("port {} of 127.0.0.1 cannot be used ({}); choose another one with --port, or 0 for any",
                             settings.port, error.message())};
  }
  port = acceptor.local_endpoint(error).port();
  return Done{};
}

void Server::Impl::accept() {
  acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted || !acceptor.is_open()) return;
    if (!error && connections < settings.maxConnections) {
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Connection>(std::move(socket), *this)->readRequest();
    }
    if (!error) return accept();
    // Without descriptors the next one fails at once too.
    pause.expires_after(kPause);
    pause.async_wait([this](beast::error_code stopped) {
      if (!stopped && acceptor.is_open()) accept();
    });
  });
}

// Also under another name that leads to this machine: then a foreign page would share our origin.
bool Server::Impl::isOwnHost(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

void Server::Impl::join(const std::shared_ptr<Connection>& client) {
  client->setId(nextClient++);
  clients.emplace(client->id(), client);
  receiver.opened(client->id());
}

void Server::Impl::leave(ClientId client) {
  if (clients.erase(client) > 0) receiver.closed(client);
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Server>> Server::start(ServerSettings settings, Receiver& receiver) {
  auto impl = std::make_unique<Impl>(std::move(settings), receiver);
  if (Status status = impl->listen(); !status.ok()) return status.error();
  impl->accept();
  impl->thread = std::thread([raw = impl.get()] {
    while (true) {
      try {
        raw->io.run();
        return;
      } catch (const std::exception&) {
        // One connection failed, for want of memory for example; the others go on.
      }
    }
  });
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
  asio::post(impl_->io, [this] {
    beast::error_code ignored;
    impl_->acceptor.close(ignored);
    std::vector<std::shared_ptr<Connection>> all;
    for (const auto& [id, client] : impl_->clients) all.push_back(client);
    for (const auto& client : all) client->drop();
    impl_->io.stop();
  });
  impl_->thread.join();
  impl_->clients.clear();
}

uint16_t Server::port() const {
  return impl_->port;
}

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", impl_->port, impl_->settings.token);
}

void Server::send(ClientId client, Packet packet) {
  asio::post(impl_->io, [this, client, packet = std::move(packet)]() mutable {
    const auto found = impl_->clients.find(client);
    if (found == impl_->clients.end()) return;
    const std::shared_ptr<Connection> kept = found->second;
    kept->send(std::move(packet));
  });
}

void Server::broadcast(Packet packet) {
  asio::post(impl_->io, [this, packet = std::move(packet)] {
    std::vector<std::shared_ptr<Connection>> all;
    for (const auto& [id, client] : impl_->clients) all.push_back(client);
    for (const auto& client : all) client->send(packet);
  });
}

std::string randomToken() {
  static constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuv";
  std::random_device device;
  std::string token;
  for (int i = 0; i < 26; ++i) token += kLetters[device() % kLetters.size()];
  return token;
}

}  // namespace wend::serve
