//===- Watch.h - Progress and Ctrl-C ----------------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// While a Watch lives, Ctrl-C asks the work to stop (a second one ends the process), and work that
/// lasts over a second shows how far it is, in one line of stderr, if that is a terminal.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_WATCH_H
#define HEDDLE_TOOLS_HEDDLE_WATCH_H

#include "heddle/Support/Limits.h"
#include "llvm/ADT/StringRef.h"
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace heddle {

/// The exit code of a process that Ctrl-C ended.
inline constexpr int kInterrupted = 130;

class Watch {
public:
  Watch();
  ~Watch();
  Watch(const Watch &) = delete;

  /// What the work is at from now on: "reading t.json". `bytes`: progress counts bytes, not units.
  void phase(llvm::StringRef what, bool bytes = false);
  Progress &progress() { return state; }
  bool interrupted() const { return state.cancelled; }
  /// Takes the line away, so that something else can be printed.
  void clear();

private:
  void show();
  void draw();
  Progress state;
  std::mutex mutex;
  std::condition_variable stop;
  bool stopped = false, drawn = false, bytes = false;
  std::string what;
  std::thread painter;
};

} // namespace heddle

#endif
