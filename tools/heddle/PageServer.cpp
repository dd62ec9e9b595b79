//===- PageServer.cpp - One page and one file, on this machine ------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "PageServer.h"
#include "heddle/Support/Diagnostics.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace heddle {

/// Beyond these nobody who means well goes.
static constexpr size_t kMaxRequest = size_t{16} << 10;
static constexpr unsigned kMaxConnections = 32;
static constexpr int kPatienceSeconds = 10;

static std::string makeSecret() {
  std::random_device source;
  std::string secret;
  for (int i = 0; i != 4; ++i)
    secret += utohexstr(source(), /*LowerCase=*/true, /*Width=*/8);
  return secret;
}

PageServer::~PageServer() {
  if (listener >= 0)
    close(listener);
}

Error PageServer::listen(unsigned port) {
  auto fail = [&](StringRef what) {
    return inputError("no-port", "cannot listen on port " + Twine(port) +
                                     " of this machine: " + what + ": " + sys::StrError());
  };
  if (port > 65535)
    return usageError("bad-port", "--port=" + Twine(port) + ": a port is at most 65535");
  token = makeSecret();
  listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0)
    return fail("socket");
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr *>(&at), sizeof at) != 0)
    return fail("bind");
  if (::listen(listener, 16) != 0)
    return fail("listen");
  socklen_t size = sizeof at;
  getsockname(listener, reinterpret_cast<sockaddr *>(&at), &size);
  portNumber = ntohs(at.sin_port);
  return Error::success();
}

std::string PageServer::address() const {
  return "http://127.0.0.1:" + std::to_string(portNumber) + "/" + token + "/";
}

void PageServer::serve(function_ref<bool()> stop) {
  while (!stop()) {
    pollfd p{listener, POLLIN, 0};
    if (poll(&p, 1, 200) <= 0)
      continue;
    int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0)
      continue;
    if (busy >= kMaxConnections) {
      close(connection);
      continue;
    }
    ++busy;
    // Browsers open connections ahead and let them wait: each has a thread, which gives up soon.
    std::thread([this, connection] {
      answer(connection);
      close(connection);
      --busy;
    }).detach();
  }
  ending = true;
  while (busy != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

static bool sendAll(int connection, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t n = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0)
      return false;
    bytes = bytes.drop_front(static_cast<size_t>(n));
  }
  return true;
}

static bool sendHead(int connection, StringRef status, StringRef type, uint64_t length) {
  return sendAll(connection, ("HTTP/1.1 " + status + "\r\nContent-Type: " + type +
                              "\r\nContent-Length: " + Twine(length) +
                              "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff"
                              "\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n")
                                 .str());
}

/// The value of a header field, or "".
static StringRef field(StringRef request, StringRef name) {
  SmallVector<StringRef, 16> lines;
  request.split(lines, "\r\n");
  for (StringRef line : lines) {
    auto [key, value] = line.split(':');
    if (key.equals_insensitive(name))
      return value.trim();
  }
  return "";
}

/// A name under which browsers reach this machine itself, at any port: a tunnel may have its own.
static bool isLoopback(StringRef host) {
  if (host.consume_front("[::1]"))
    return host.empty() || host.starts_with(":");
  StringRef name = host.split(':').first;
  return name.equals_insensitive("localhost") || name == "127.0.0.1";
}

void PageServer::sendFile(int connection, bool head) {
  auto handle = sys::fs::openNativeFileForRead(file);
  if (!handle) {
    consumeError(handle.takeError());
    sendHead(connection, "404 Not Found", "text/plain", 0);
    return;
  }
  auto closeFile = make_scope_exit([&] { (void)sys::fs::closeFile(*handle); });
  uint64_t size = 0;
  (void)sys::fs::file_size(file, size); // 0 gives an empty answer
  if (!sendHead(connection, "200 OK", "application/json", size) || head)
    return;
  std::vector<char> block(size_t{1} << 18);
  while (!ending) {
    auto n = sys::fs::readNativeFile(*handle, block);
    if (!n) {
      consumeError(n.takeError());
      return;
    }
    if (*n == 0 || !sendAll(connection, StringRef(block.data(), *n)))
      return;
  }
}

void PageServer::answer(int connection) {
  timeval patience{kPatienceSeconds, 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kPatienceSeconds);
  std::string text;
  char block[4096];
  while (!StringRef(text).contains("\r\n\r\n")) {
    if (ending || std::chrono::steady_clock::now() > end) // a byte now and then is no request
      return;
    ssize_t n = recv(connection, block, sizeof block, 0);
    if (n <= 0)
      return;
    text.append(block, static_cast<size_t>(n));
    if (text.size() > kMaxRequest) {
      sendHead(connection, "431 Request Header Fields Too Large", "text/plain", 0);
      return;
    }
  }
  StringRef request = text;
  auto [method, rest] = request.split(' ');
  StringRef path = rest.split(' ').first.split('?').first;
  // A page of another site that gave itself the name of this machine's address has another host.
  if (!isLoopback(field(request, "host")) || !path.consume_front("/" + token + "/")) {
    sendHead(connection, "404 Not Found", "text/plain", 0);
    return;
  }
  bool get = method == "GET", head = method == "HEAD";
  if (path.empty() && (get || head)) {
    if (sendHead(connection, "200 OK", "text/html; charset=utf-8", page.size()) && get)
      sendAll(connection, page);
  } else if (path == name && (get || head)) {
    sendFile(connection, head);
  } else if (path == "done" && method == "POST") {
    done = true;
    sendHead(connection, "204 No Content", "text/plain", 0);
  } else {
    sendHead(connection, get || head ? "404 Not Found" : "405 Method Not Allowed", "text/plain", 0);
  }
}

} // namespace heddle
