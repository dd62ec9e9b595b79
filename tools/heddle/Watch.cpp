//===- Watch.cpp - Progress and Ctrl-C ------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "Terminal.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace heddle {

/// What the signal handler stops; lock-free, as a handler must be.
static std::atomic<Progress *> watched{nullptr};
static_assert(std::atomic<Progress *>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

static void interrupt() {
  if (Progress *progress = watched)
    progress->cancelled = true;
}

Watch::Watch() {
  watched = &state;
  // LLVM's handler removes temporary files, calls this, and leaves the default behind for the next
  // signal.
  sys::SetInterruptFunction(interrupt);
  if (isTerminal(STDERR_FILENO))
    painter = std::thread([this] { show(); });
}

Watch::~Watch() {
  watched = nullptr;
  {
    std::lock_guard lock(mutex);
    stopped = true;
  }
  stop.notify_all();
  if (painter.joinable())
    painter.join();
  clear();
}

void Watch::phase(StringRef text, bool countsBytes) {
  std::lock_guard lock(mutex);
  what = escapeForTerminal(text);
  bytes = countsBytes;
  state.done = 0;
  state.total = 0;
}

void Watch::clear() {
  std::lock_guard lock(mutex);
  if (drawn)
    errs() << "\r\x1b[K";
  drawn = false;
}

void Watch::show() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex);
  if (stop.wait_for(lock, 1s, [this] { return stopped; }))
    return;
  do
    draw();
  while (!stop.wait_for(lock, 200ms, [this] { return stopped; }));
}

void Watch::draw() {
  if (what.empty())
    return;
  uint64_t done = state.done, total = state.total;
  std::string line;
  raw_string_ostream os(line);
  os << "heddle: " << what;
  if (total)
    os << format(", %u %%",
                 static_cast<unsigned>(100.0 * double(std::min(done, total)) / double(total)));
  else if (bytes)
    os << format(", %.0f MB", double(done) / 1e6);
  if (state.cancelled)
    os << ", stopping";
  // One line, whatever the terminal's width: a broken line could not be taken away.
  errs() << '\r' << StringRef(line).take_front(terminalWidth(STDERR_FILENO) - 1) << "\x1b[K";
  drawn = true;
}

} // namespace heddle
