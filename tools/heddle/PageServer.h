//===- PageServer.h - One page and one file, on this machine ----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Serves a page and a file to browsers of this machine, or to one that a tunnel leads here. It
/// listens on the loopback interface alone, and every address begins with a secret, so that other
/// users of the machine and pages of other sites get nothing.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_PAGESERVER_H
#define HEDDLE_TOOLS_HEDDLE_PAGESERVER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <string>

namespace heddle {

class PageServer {
public:
  /// `file` is sent as `SECRET/NAME`, `page` as `SECRET/`.
  PageServer(std::string page, std::string file, std::string name)
      : page(std::move(page)), file(std::move(file)), name(std::move(name)) {}
  ~PageServer();
  PageServer(const PageServer &) = delete;
  PageServer &operator=(const PageServer &) = delete;

  /// Begins to listen; 0 takes any free port.
  llvm::Error listen(unsigned port);
  unsigned port() const { return portNumber; }
  const std::string &secret() const { return token; }
  /// The page's address for a browser of this machine.
  std::string address() const;

  /// Answers until `stop` says so; it is asked a few times a second. What is under way then is cut.
  void serve(llvm::function_ref<bool()> stop);
  /// The page has said that the file arrived where it should.
  bool delivered() const { return done; }

private:
  void answer(int connection);
  void sendFile(int connection, bool head);

  std::string page, file, name, token;
  int listener = -1;
  unsigned portNumber = 0;
  std::atomic<bool> done = false;
  std::atomic<bool> ending = false; ///< Answers are cut short.
  std::atomic<unsigned> busy = 0;
};

} // namespace heddle

#endif
