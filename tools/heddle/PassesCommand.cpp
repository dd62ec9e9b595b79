//===- PassesCommand.cpp - heddle passes ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "PassDocs.h"
#include "Session.h"
#include "Verbs.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace heddle {

namespace {
struct PassesOptions : PluginOptions {
  cl::OptionCategory category{"What to print"};
  cl::list<std::string> names{cl::Positional, cl::desc("[pass or pipeline]..."), cl::cat(category)};
  cl::opt<std::string> docs{"docs",
                            cl::ValueOptional,
                            cl::Hidden,
                            cl::value_desc("passes|remarks"),
                            cl::cat(category),
                            cl::desc("Print the Markdown of docs/")};
};
} // namespace

static std::string listSuffixes(ArrayRef<StringLiteral> suffixes) {
  return suffixes.empty()
             ? ""
             : " (" + join(map_range(suffixes, [](StringRef s) { return s.str(); }), ", ") + ")";
}

static void printAll(raw_ostream &os, const Registry &registry) {
  auto line = [&](StringRef name, const Twine &text) {
    os << "  " << left_justify(name, 20) << ' ' << text << '\n';
  };
  os << "passes\n";
  for (const PassInfo *info : registry.passes.all()) {
    auto module = registry.origins.find(("pass " + info->name).str());
    std::string from = module == registry.origins.end() ? "" : ", from " + module->second;
    line(info->name, info->summary + " (" + describeKind(*info) + from + ")");
  }
  os << "\npipelines\n";
  std::vector<StringRef> names;
  for (const auto &entry : registry.passes.pipelines())
    names.push_back(entry.first());
  sort(names);
  for (StringRef name : names)
    line(name, registry.passes.pipelines().find(name)->second.text);
  os << "\ninputs, told apart by content\n";
  for (const ImporterInfo *info : registry.importers.all())
    line(info->name, info->summary);
  os << "\noutputs (--emit)\n";
  for (const EmitterInfo *info : registry.emitters.all())
    line(info->name, info->summary + listSuffixes(info->suffixes));
  os << "\n'heddle passes NAME' tells more about a pass\n";
}

static Error printNamed(raw_ostream &os, const PassRegistry &registry, StringRef name) {
  if (const PassInfo *info = registry.find(name)) {
    printPass(os, *info);
    return Error::success();
  }
  if (auto it = registry.pipelines().find(name); it != registry.pipelines().end()) {
    os << name << " (pipeline): " << it->second.summary << "\n\n  " << it->second.text << '\n';
    return Error::success();
  }
  std::vector<StringRef> names;
  for (const PassInfo *info : registry.all())
    names.push_back(info->name);
  for (const auto &entry : registry.pipelines())
    names.push_back(entry.first());
  sort(names);
  std::string hint = didYouMean(name, names);
  if (hint.empty())
    hint = "; without a name all are listed, --load-plugin=FILE.so adds those of a module";
  return usageError("unknown-pass", "there is no pass or pipeline '" + name + "'" + hint);
}

static Error print(const PassesOptions &options, raw_ostream &os) {
  Registry registry;
  if (Error e = fillRegistry(registry, options))
    return e;
  if (options.docs.getNumOccurrences()) {
    if (options.docs == "remarks")
      printRemarksMarkdown(os, registry.passes);
    else if (options.docs.empty() || options.docs == "passes")
      printPassesMarkdown(os, registry.passes);
    else
      return usageError("unknown-docs",
                        "--docs: '" + options.docs + "' is neither 'passes' nor 'remarks'");
    return Error::success();
  }
  if (options.names.empty())
    printAll(os, registry);
  for (auto [i, name] : enumerate(options.names)) {
    if (i)
      os << '\n';
    if (Error e = printNamed(os, registry.passes, name))
      return e;
  }
  return Error::success();
}

int runPasses(int argc, char **argv) {
  PassesOptions options;
  if (!parseVerb("passes", argc, argv,
                 "tell which passes, pipelines, inputs and outputs there are\n"))
    return static_cast<int>(ExitCode::Usage);
  Error error = print(options, outs());
  return error ? printErrors(std::move(error)) : 0;
}

} // namespace heddle
