//===- Importer.cpp - Readers of foreign traces ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Import/Importer.h"
#include "Foreign.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle {

Error ImporterRegistry::add(const ImporterInfo &info) {
  for (const ImporterInfo *other : importers)
    if (other->name == info.name)
      return inputError("duplicate-importer", "two importers are called '" + info.name + "'");
  auto after =
      llvm::find_if(importers, [&](const ImporterInfo *i) { return i->priority < info.priority; });
  importers.insert(after, &info);
  return Error::success();
}

const ImporterInfo *ImporterRegistry::claim(StringRef head) const {
  for (const ImporterInfo *i : importers)
    if (i->sniff(head))
      return i;
  return nullptr;
}

Error importFile(const ImporterRegistry &importers, StringRef path, Trace &out,
                 const ImportOptions &options, Diagnostics &diagnostics) {
  auto input = Input::open(path, options.limits);
  if (!input)
    return input.takeError();
  if (options.progress)
    options.progress->total = 0;
  auto head = (*input)->head();
  if (!head)
    return head.takeError();
  if (const ImporterInfo *importer = importers.claim(*head))
    return importer->read(**input, out, options, diagnostics);
  Place place;
  place.file = (*input)->name().str();
  auto refuse = [&](const Twine &is, StringRef advice) {
    return inputError("not-a-trace", advice.empty() ? is : is + "; " + advice, place);
  };
  if (StringRef kind = describeForeign(*head); !kind.empty())
    return refuse("this is " + kind + ", not a trace that can be read",
                  chrome::knownForeign(*head).advice);
  if (auto [kind, advice] = chrome::foreignByName(path); !kind.empty())
    return refuse("by its name this is " + kind + ", not a trace that can be read", advice);
  return refuse("this is no trace that can be read: expected Chrome trace JSON, heddle text or "
                "heddle binary, plain or gzip",
                "");
}

} // namespace heddle
