//===- Options.h - Options that verbs share ---------------------*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// The options of each verb are members of a struct that lives in the verb's function: LLVM's own
/// are removed first, so that any name is free. Only one verb's struct exists in a process.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_OPTIONS_H
#define HEDDLE_TOOLS_HEDDLE_OPTIONS_H

#include "heddle/Pass/Selection.h"
#include "llvm/Support/CommandLine.h"

namespace heddle {

namespace cl = llvm::cl;

/// Takes away every option that parts of LLVM registered, except help and version, so that the
/// command shows our options only and ours may have any name.
void removeForeignOptions();

/// Parses a verb's command line; false after a usage error, which it has printed. Help and version
/// are printed by LLVM, which then exits.
bool parseVerb(llvm::StringRef verb, int argc, char **argv, llvm::StringRef overview);

/// Reads a number and refuses all else in our words.
class NumberParser : public cl::parser<unsigned> {
public:
  using cl::parser<unsigned>::parser;
  /// Returns true on an error, as LLVM asks, and has then printed it.
  bool parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text, unsigned &value);
};
using NumberOption = cl::opt<unsigned, false, NumberParser>;

/// The values of a list option; LLVM's own conversion needs a list that is not const.
inline std::vector<std::string> valuesOf(const cl::list<std::string> &list) {
  return {list.begin(), list.end()};
}

/// Which plugins there are.
struct PluginOptions {
  cl::OptionCategory pluginCategory{"Plugins"};
  cl::list<std::string> modules{"load-plugin", cl::value_desc("file.so"), cl::cat(pluginCategory),
                                cl::desc("Load a module with passes of your own")};
  cl::list<std::string> noBuiltin{"no-builtin", cl::value_desc("pass"), cl::cat(pluginCategory),
                                  cl::desc("Leave a built-in pass out, so that its name is free")};
};

/// Where the input comes from and which part of it counts.
struct InputOptions : PluginOptions {
  cl::OptionCategory category{"Input"};
  cl::list<std::string> files{cl::Positional, cl::desc("<trace>..."), cl::cat(category)};
  cl::opt<bool> strict{"strict", cl::desc("Take a repaired input for an error (exit 1)"),
                       cl::cat(category)};
  cl::opt<std::string> ranks{"rank", cl::value_desc("0,2-4"), cl::cat(category),
                             cl::desc("Only these ranks")};
  cl::opt<std::string> devices{"device", cl::value_desc("0,2-4"), cl::cat(category),
                               cl::desc("Report only these devices")};
  cl::opt<std::string> steps{"steps", cl::value_desc("2-4"), cl::cat(category),
                             cl::desc("Report only these steps")};
  cl::opt<std::string> window{
      "window", cl::value_desc("name|begin..end"), cl::cat(category),
      cl::desc("Report only the span of an annotation, or a time such as 5ms..20ms, counted as "
               "begin_ns in tables is")};
  cl::opt<std::string> memory{
      "memory", cl::value_desc("size"), cl::cat(category),
      cl::desc(
          "How much memory the events of all ranks may take, as in 4G, beside what passes need; "
          "what is more waits on disk. Default: half of this machine's")};
  NumberOption threads{"j", cl::Prefix, cl::value_desc("N"), cl::cat(category),
                       cl::desc("Threads; default: one per core, at most 8")};

  /// The selection, or a usage error.
  llvm::Expected<Selection> selection() const;
  /// What --memory says in bytes, or a usage error.
  llvm::Expected<uint64_t> memoryBytes() const;
  unsigned threadCount() const;
};

} // namespace heddle

#endif
