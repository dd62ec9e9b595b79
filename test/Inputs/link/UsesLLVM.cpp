// A shared object that needs LLVM's Support as a plugin does.
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

llvm::Expected<int> use(llvm::StringRef text) {
  llvm::StringMap<int> counts;
  ++counts[text];
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  std::string printed;
  llvm::raw_string_ostream(printed) << *value;
  if (!llvm::Regex("^[0-9]+$").match(printed))
    return llvm::createStringError("'%s' is no number", printed.c_str());
  return counts.lookup(text);
}
