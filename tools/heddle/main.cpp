//===- main.cpp - The heddle command --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Take away every option that parts of LLVM registered, except help and version, so that the
/// command shows our options only and ours may have any name.
static void removeForeignOptions() {
  SmallVector<cl::Option *, 64> foreign;
  for (auto &entry : cl::getRegisteredOptions()) {
    StringRef name = entry.getKey();
    if (name != "help" && name != "help-hidden" && name != "version")
      foreign.push_back(entry.getValue());
  }
  for (cl::Option *option : foreign)
    option->removeArgument();
}

int main(int argc, char **argv) {
  removeForeignOptions();
  cl::SetVersionPrinter([](raw_ostream &os) { os << "heddle " HEDDLE_VERSION "\n"; });
  if (!cl::ParseCommandLineOptions(argc, argv, "a compiler for GPU traces\n", &errs()))
    return 2;
  errs() << "heddle: no command given; see 'heddle --help'\n";
  return 2;
}
