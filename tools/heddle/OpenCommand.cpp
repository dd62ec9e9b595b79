//===- OpenCommand.cpp - heddle open --------------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "OpenPage.h"
#include "Options.h"
#include "PageServer.h"
#include "Session.h"
#include "Verbs.h"
#include "heddle/Lower/ViewerNames.h"
#include "heddle/Pass/PassManager.h"
#include "heddle/Pass/Pipeline.h"
#include "heddle/Pass/Windows.h"
#include "heddle/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {
namespace {

/// The default of --max-size is what a browser can take: Perfetto's importer needs about 2.1 bytes
/// of memory for each of JSON, beside the text itself, and has 4 GiB.
struct OpenOptions : InputOptions {
  cl::OptionCategory openCategory{"Viewer"};
  cl::opt<std::string> ui{"ui", cl::value_desc("URL"), cl::init("https://ui.perfetto.dev"),
                          cl::cat(openCategory),
                          cl::desc("The viewer; default: https://ui.perfetto.dev")};
  NumberOption port{"port", cl::value_desc("N"), cl::cat(openCategory),
                    cl::desc("Serve the page on this port; default: any that is free")};
  cl::opt<bool> noBrowser{"no-browser", cl::cat(openCategory),
                          cl::desc("Print the page's address, open no browser")};
  cl::opt<bool> once{"once", cl::cat(openCategory),
                     cl::desc("End when the viewer has taken the trace")};
  NumberOption maxSize{
      "max-size", cl::value_desc("MB"), cl::init(1000), cl::cat(openCategory),
      cl::desc("The largest view to hand over; default: 1000, what Perfetto takes")};
};

class OpenRun {
public:
  OpenRun(OpenOptions &options, Watch &watch) : options(options), watch(watch) {}
  ~OpenRun() {
    if (!view.empty())
      (void)sys::fs::remove(view);
  }
  Error run();

private:
  Error pipeline(const PassRegistry &passes, Pipeline &out) const;
  Error writeView();
  Error checkSize() const;
  std::string page() const;
  void invite(const PageServer &server) const;

  OpenOptions &options;
  Watch &watch;
  std::string view, title;
  std::vector<std::string> ranks; ///< What the names of their processes begin with.
};

/// What the user selects is cut out, since it is the picture that is wanted, not a figure. Ranks
/// are one picture.
Error OpenRun::pipeline(const PassRegistry &passes, Pipeline &out) const {
  std::string text;
  auto add = [&](StringRef key, const std::string &value) {
    if (value.empty())
      return;
    text += (text.empty() ? "select<" : ",") + key.str() + "=" + value;
  };
  add("steps", options.steps);
  add("device", options.devices);
  add("window", options.window);
  if (!text.empty())
    text += ">,";
  if (passes.find("merge-ranks"))
    text = "merge-ranks," + text;
  return PipelineParser(passes).parse(text + "default", out);
}

Error OpenRun::writeView() {
  Registry registry;
  if (Error e = fillRegistry(registry, options))
    return e;
  auto selection = options.selection();
  if (!selection)
    return selection.takeError();
  Pipeline passes;
  if (Error e = pipeline(registry.passes, passes))
    return e;
  Expected<uint64_t> memory = options.memoryBytes();
  if (!memory)
    return memory.takeError();
  LoadOptions load;
  load.memory = *memory;
  load.threads = options.threadCount();
  load.strict = options.strict;
  load.selection.ranks = selection->ranks;
  load.merges = registry.passes.find("merge-ranks") != nullptr;
  auto all = loadInputs(registry.importers, valuesOf(options.files), load, watch);
  if (!all)
    return all.takeError();
  if (Error e = checkSelection(all->trace, *selection, Limits()))
    return e;
  title = sys::path::filename(all->inputs.front()).str();
  if (all->inputs.size() > 1)
    title += " and " + std::to_string(all->inputs.size() - 1) + " more";

  PassOptions pass;
  pass.threads = options.threadCount();
  pass.limits.threads = pass.threads;
  pass.progress = &watch.progress();
  watch.phase("running passes");
  if (Error e = PassManager(pass).run(passes, all->trace, all->results))
    return e;

  // Their order is asked for in the viewer's address, three commands a rank; browsers bound those.
  constexpr size_t ordered = 256;
  if (size_t count = all->trace.ranks.size(); count > 1 && count <= ordered)
    ranks = viewerTitles(all->trace, llvm::to_vector(llvm::seq<size_t>(0, count)));

  watch.phase("writing the view");
  int fd = -1;
  SmallString<128> path;
  if (std::error_code e = sys::fs::createTemporaryFile("heddle-open", "json", fd, path))
    return inputError("cannot-write", "cannot make a temporary file: " + e.message());
  view = path.str().str();
  raw_fd_ostream os(fd, /*shouldClose=*/true);
  EmitOptions emit;
  Diagnostics said;
  emit.diagnostics = &said;
  if (Error e = chromeViewerEmitter.emit(all->trace, all->results, os, emit))
    return e;
  os.flush();
  if (std::error_code e = os.error()) {
    os.clear_error();
    return inputError("cannot-write", "cannot write '" + Twine(view) + "': " + e.message());
  }
  watch.clear();
  for (const Diagnostic &d : said.all())
    printDiagnostic(d);
  return Error::success();
}

Error OpenRun::checkSize() const {
  uint64_t size = 0;
  if (std::error_code e = sys::fs::file_size(view, size))
    return inputError("cannot-write", "cannot read '" + Twine(view) + "': " + e.message());
  if (size <= uint64_t{options.maxSize} * 1'000'000)
    return Error::success();
  return inputError("too-large", "the view takes " + Twine(size / 1'000'000) +
                                     " MB, more than the " + Twine(options.maxSize) +
                                     " MB that --max-size allows: choose a part with --steps=2-4, "
                                     "--window=5ms..20ms or --rank=0");
}

static std::string scriptText(StringRef text) {
  SmallString<64> out;
  appendJsonString(out, text, BadBytes::Replace);
  std::string safe;
  for (char c : out) // no tag may end the script
    safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

static std::string htmlText(StringRef text) {
  std::string out;
  raw_string_ostream os(out);
  printHTMLEscaped(text, os);
  return out;
}

/// One pass: a name may look like a mark.
std::string OpenRun::page() const {
  std::string list;
  for (StringRef rank : ranks)
    list += (list.empty() ? "" : ", ") + scriptText(rank);
  const std::pair<StringRef, std::string> values[] = {{"@UI@", scriptText(options.ui)},
                                                      {"@FILE@", scriptText("trace.json")},
                                                      {"@TITLE@", scriptText(title)},
                                                      {"@RANKS@", "[" + list + "]"},
                                                      {"@NAME@", htmlText(title)}};
  std::string text;
  for (StringRef rest = openPage; !rest.empty();) {
    const auto *value = find_if(values, [&](const auto &v) { return rest.starts_with(v.first); });
    if (value == std::end(values)) {
      text += rest.front();
      rest = rest.drop_front();
      continue;
    }
    text += value->second;
    rest = rest.drop_front(value->first.size());
  }
  return text;
}

/// Opens a browser where one can be seen, else says how to get here from another machine.
void OpenRun::invite(const PageServer &server) const {
  outs() << server.address() << '\n';
  outs().flush();
  auto set = [](const char *name) {
    const char *value = std::getenv(name);
    return value && *value;
  };
  bool remote = set("SSH_CONNECTION");
  bool seen = set("DISPLAY") || set("WAYLAND_DISPLAY");
#ifdef __APPLE__
  seen = true;
#endif
  if (!options.noBrowser && seen && !remote)
    for (StringRef name : {"xdg-open", "open"})
      if (auto program = sys::findProgramByName(name)) {
        std::string address = server.address();
        StringRef args[] = {*program, address};
        std::optional<StringRef> quiet[] = {StringRef(), StringRef(), StringRef()};
        sys::ExecuteNoWait(*program, args, std::nullopt, quiet);
        return;
      }
  std::string port = std::to_string(server.port());
  printMessage(Severity::Note, "",
               "open this address in a browser of this machine; from another one: ssh -L " + port +
                   ":127.0.0.1:" + port +
                   " <this machine>, then open it there (the tunnel may have "
                   "any port at its other end)");
}

Error OpenRun::run() {
  StringRef ui = options.ui;
  if (!ui.starts_with("https://") && !ui.starts_with("http://"))
    return usageError("bad-url", "--ui: '" + ui +
                                     "' is no address of a viewer; wanted one such as "
                                     "https://ui.perfetto.dev");
  if (Error e = writeView())
    return e;
  if (Error e = checkSize())
    return e;
  PageServer server(page(), view, "trace.json");
  if (Error e = server.listen(options.port))
    return e;
  invite(server);
  server.serve([&] { return watch.interrupted() || (options.once && server.delivered()); });
  return Error::success();
}

} // namespace

int runOpen(int argc, char **argv) {
  OpenOptions options;
  if (!parseVerb("open", argc, argv,
                 "show the timeline in Perfetto's UI\n\n"
                 "  Serves a page on this machine alone, which hands the trace, with the findings "
                 "of a report,\n  to the viewer's window inside the browser. Nothing is uploaded. "
                 "Ends with Ctrl-C.\n"))
    return static_cast<int>(ExitCode::Usage);
  Watch watch;
  OpenRun work(options, watch);
  Error error = work.run();
  watch.clear();
  return error ? printErrors(std::move(error)) : 0;
}

} // namespace heddle
