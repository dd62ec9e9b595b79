//===- Options.cpp - Options that verbs share -----------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Messages.h"
#include "heddle/Support/Diagnostics.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace heddle {

void removeForeignOptions() {
  SmallVector<cl::Option *, 64> foreign;
  for (auto &entry : cl::getRegisteredOptions()) {
    StringRef name = entry.getKey();
    if (name != "help" && name != "help-hidden" && name != "version")
      foreign.push_back(entry.getValue());
  }
  for (cl::Option *option : foreign)
    option->removeArgument();
}

/// Finds what LLVM would report in words of its own: options that do not exist, and values that are
/// missing.
static Error checkOptions(ArrayRef<const char *> args) {
  StringMap<cl::Option *> &known = cl::getRegisteredOptions();
  for (size_t i = 0; i != args.size(); ++i) {
    StringRef arg = args[i];
    if (arg == "--")
      break;
    if (arg == "-" || !arg.starts_with("-"))
      continue;
    StringRef name = arg.ltrim('-').split('=').first;
    cl::Option *option = known.lookup(name);
    if (!option && !name.empty() && !arg.starts_with("--")) { // -j8
      option = known.lookup(name.take_front());
      if (option && option->getFormattingFlag() == cl::Prefix)
        continue;
      option = nullptr;
    }
    if (!option) {
      std::vector<StringRef> names;
      for (const auto &entry : known)
        if (entry.second->getOptionHiddenFlag() == cl::NotHidden)
          names.push_back(entry.first());
      sort(names);
      StringRef best = nearest(name, names);
      return usageError(
          "unknown-option",
          "unknown option '" + arg.split('=').first + "'" +
              (best.empty()
                   ? "; see '--help'"
                   : "; did you mean '" + Twine(best.size() == 1 ? "-" : "--") + best + "'?"));
    }
    if (option->getValueExpectedFlag() != cl::ValueRequired || arg.contains('='))
      continue;
    if (++i == args.size())
      return usageError("missing-value", "option '" + arg + "' wants a value");
  }
  return Error::success();
}

/// Puts the names of a list in place of "@list": one a line; '#' begins a comment. A name counts
/// from where heddle runs or, if nothing is there, from where the list lies. It is never an option
/// or a list.
static Error expandLists(SmallVectorImpl<const char *> &args, StringSaver &saver) {
  SmallVector<const char *, 16> out;
  for (const char *arg : args) {
    StringRef list = arg;
    if (!list.consume_front("@")) {
      out.push_back(arg);
      continue;
    }
    auto buffer = MemoryBuffer::getFile(list, /*IsText=*/true);
    if (!buffer)
      return usageError("cannot-read",
                        "cannot read the list '" + list + "': " + buffer.getError().message());
    size_t before = out.size();
    for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
      StringRef name;
      std::tie(name, rest) = rest.split('\n');
      name = name.trim(" \t\r");
      if (name.empty() || name.starts_with("#"))
        continue;
      SmallString<128> beside(sys::path::parent_path(list));
      sys::path::append(beside, name);
      if (name == "-")
        out.push_back("-");
      else if (sys::path::is_relative(name) && !sys::fs::exists(name) && sys::fs::exists(beside))
        out.push_back(saver.save(beside.str()).data());
      else if (name.starts_with("-") || name.starts_with("@"))
        out.push_back(saver.save("./" + name).data());
      else
        out.push_back(saver.save(name).data());
    }
    if (out.size() == before)
      return usageError("no-input", "the list '" + list + "' names no file");
  }
  args.assign(out.begin(), out.end());
  return Error::success();
}

bool parseVerb(StringRef verb, int argc, char **argv, StringRef overview) {
  std::string program = ("heddle " + verb).str(); // as help and errors name it
  SmallVector<const char *, 16> args = {program.c_str()};
  args.append(argv + 1, argv + argc);
  BumpPtrAllocator memory;
  StringSaver saver(memory);
  if (Error e = expandLists(args, saver)) {
    printErrors(std::move(e));
    return false;
  }
  if (Error e = checkOptions(ArrayRef<const char *>(args).drop_front())) {
    printErrors(std::move(e));
    return false;
  }
  return cl::ParseCommandLineOptions(static_cast<int>(args.size()), args.data(), overview, &errs());
}

Expected<Selection> InputOptions::selection() const {
  Selection s;
  for (auto [text, name, to] : {std::tuple{&ranks, "--rank", &s.ranks},
                                {&devices, "--device", &s.devices},
                                {&steps, "--steps", &s.steps}}) {
    if (text->getNumOccurrences() == 0)
      continue;
    auto ranges = parseRanges(*text, name);
    if (!ranges)
      return ranges.takeError();
    *to = std::move(*ranges);
  }
  if (window.getNumOccurrences() == 0)
    return s;
  if (Error e = parseWindow(window, "--window", s))
    return e;
  return s;
}

bool NumberParser::parse(cl::Option &, StringRef name, StringRef text, unsigned &value) {
  if (!text.getAsInteger(10, value))
    return false;
  printMessage(Severity::Error, "",
               (name.size() == 1 ? "-" : "--") + name + ": '" + text +
                   "' is no number; it wants one from 0 to 4294967295");
  return true;
}

/// What the control groups that we are in leave us; UINT64_MAX: all.
static uint64_t groupMemory() {
  uint64_t least = UINT64_MAX;
  auto look = [&](const Twine &file) {
    uint64_t most;
    if (auto text = MemoryBuffer::getFileAsStream(file))
      if (!(*text)->getBuffer().trim().getAsInteger(10, most))
        least = std::min(least, most);
  };
  auto groups = MemoryBuffer::getFileAsStream("/proc/self/cgroup");
  if (!groups)
    return least;
  SmallVector<StringRef> lines;
  (*groups)->getBuffer().split(lines, '\n', -1, false);
  for (StringRef line : lines) { // "0::/user.slice", or "4:memory:/user.slice"
    auto [number, rest] = line.split(':');
    auto [controllers, group] = rest.split(':');
    if (!controllers.empty() && controllers != "memory")
      continue;
    for (;; group = sys::path::parent_path(group)) {
      if (controllers.empty())
        look("/sys/fs/cgroup" + group + "/memory.max");
      else
        look("/sys/fs/cgroup/memory" + group + "/memory.limit_in_bytes");
      if (group.size() < 2)
        break;
    }
  }
  return least;
}

/// Memory of this machine, or what a control group leaves us of it.
static uint64_t machineMemory() {
  long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGE_SIZE);
  uint64_t bytes = groupMemory();
  if (pages > 0 && size > 0)
    bytes = std::min(bytes, static_cast<uint64_t>(pages) * static_cast<uint64_t>(size));
  return bytes;
}

Expected<uint64_t> InputOptions::memoryBytes() const {
  if (memory.getNumOccurrences() == 0)
    return machineMemory() / 2;
  StringRef text = memory, digits = text.take_while(isDigit);
  std::string unit = text.drop_front(digits.size()).lower();
  std::optional<unsigned> shift;
  for (auto [name, by] : {std::pair("", 0u), {"k", 10u}, {"m", 20u}, {"g", 30u}, {"t", 40u}})
    if (StringRef rest = unit;
        rest.consume_front(name) && (rest.empty() || rest == "b" || (by && rest == "ib")))
      shift = by;
  uint64_t bytes;
  if (!shift || digits.getAsInteger(10, bytes) || bytes > UINT64_MAX >> *shift)
    return usageError("bad-size", "--memory: '" + memory + "' is no size; it wants one such as 4G");
  return bytes << *shift;
}

unsigned InputOptions::threadCount() const {
  if (threads.getNumOccurrences() && threads > 0)
    return threads;
  return std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
}

} // namespace heddle
