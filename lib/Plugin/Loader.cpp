//===- Loader.cpp - Plugins, built in and loaded --------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Plugin/Loader.h"
#include "ElfModule.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <dlfcn.h>

using namespace llvm;

namespace heddle {

static constexpr char kEntry[] = "heddlePluginInfo";
static constexpr StringLiteral kAnchorPrefix = "heddle_abi_";

static Error refuse(StringRef id, StringRef path, const Twine &why) {
  return inputError(("module-" + id).str(), "'" + path + "' " + why);
}

/// What the name of an anchor says, for people: "LLVM 19.1 and libstdc++".
static std::string describeAnchor(StringRef name) {
  SmallVector<StringRef, 8> parts; // llvm, 19, 1, checks, 0, gnu11
  name.drop_front(kAnchorPrefix.size()).split(parts, '_');
  if (parts.size() != 6 || parts[0] != "llvm" || parts[3] != "checks")
    return ("'" + name + "'").str();
  StringRef library = parts[5] == "gnu11"      ? "libstdc++"
                      : parts[5] == "gnu98"    ? "libstdc++ with _GLIBCXX_USE_CXX11_ABI=0"
                      : parts[5] == "gnudebug" ? "libstdc++ with _GLIBCXX_DEBUG"
                      : parts[5] == "libcpp"   ? "libc++"
                                               : parts[5];
  return ("LLVM " + parts[1] + "." + parts[2] +
          (parts[4] == "0" ? "" : " with ABI-breaking checks") + " and " + library)
      .str();
}

/// A module must take LLVM from libheddle: two copies in a process are two sets of globals, and
/// objects of one break in the other.
static Error checkLLVM(StringRef path, const ElfModule &module) {
  auto links = [&](StringRef what) {
    return refuse("links-llvm", path,
                  "links LLVM itself (" + what + "); link heddle::heddle alone, which holds LLVM");
  };
  for (StringRef library : module.needed)
    if (library.starts_with("libLLVM"))
      return links(library);
  for (const ElfModule::VersionNeed &need : module.versions)
    if (need.version.starts_with("LLVM_"))
      return links(need.version);
  for (const ElfModule::Symbol &s : module.symbols)
    if (s.defined && s.isGlobal && s.isFunction &&
        (s.name.starts_with("_ZN4llvm") || s.name.starts_with("_ZNK4llvm")) &&
        dlvsym(RTLD_DEFAULT, s.name.str().c_str(), abiId().str().c_str()))
      return links("it defines '" + demangle(s.name) + "'");
  return Error::success();
}

/// Whether it was built for this libheddle. The dynamic linker would refuse it too, but in words
/// that say nothing to its author.
static Error checkAbi(StringRef path, const ElfModule &module) {
  StringRef node;
  for (const ElfModule::VersionNeed &need : module.versions)
    if (need.library.starts_with("libheddle.so"))
      node = need.version;
  if (node.empty())
    return refuse("unlinked", path,
                  "is not linked to libheddle; link it with heddle::heddle, as heddle_add_pass() "
                  "in CMake does");
  if (node != abiId())
    return refuse("stale", path,
                  "was built for another heddle: its ABI id is " + node + ", this heddle's is " +
                      abiId() + "; rebuild it against this one");
  for (const ElfModule::Symbol &s : module.symbols) {
    if (s.defined || !s.name.starts_with(kAnchorPrefix))
      continue;
    if (s.name == abiAnchorName())
      return Error::success();
    return refuse("other-headers", path,
                  "was compiled with " + describeAnchor(s.name) + ", this heddle with " +
                      describeAnchor(abiAnchorName()) + "; compile it with these");
  }
  return refuse("no-abi-id", path,
                "does not say what it was compiled with; register with "
                "HEDDLE_PLUGIN(name) { ... }");
}

/// Everything that can be known without running any of it.
static Error checkFile(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code code = sys::fs::status(path, status)) {
    if (code == std::errc::no_such_file_or_directory)
      return refuse("missing", path, "does not exist; build the module or mend its path");
    return refuse("unreadable", path, "cannot be looked at: " + code.message());
  }
  if (sys::fs::is_directory(status))
    return refuse("directory", path, "is a directory; name the .so in it");
  if (!sys::fs::is_regular_file(status))
    return refuse("no-file", path, "is not a regular file; name a .so");
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return refuse("unreadable", path, "cannot be read: " + file.getError().message());
  Expected<ElfModule> module = readElfModule((*file)->getBuffer());
  if (!module)
    return refuse("no-shared-object", path, toString(module.takeError()));
  const ElfModule::Symbol *entry = module->find(kEntry);
  if (!entry || !entry->defined || !entry->isFunction)
    return refuse("no-entry", path,
                  Twine("is no module of heddle: it has no function '") + kEntry +
                      "'; register with HEDDLE_PLUGIN(name) { ... } and build with "
                      "heddle_add_pass()");
  if (Error e = checkLLVM(path, *module))
    return e;
  return checkAbi(path, *module);
}

/// Registers a plugin; an exception of it becomes an error.
static Error runRegistration(const PluginInfo &info, Registry &registry) {
  try {
    return info.registerAll(registry);
  } catch (const std::exception &e) {
    return createStringError(inconvertibleErrorCode(), Twine("exception: ") + e.what());
  } catch (...) {
    return createStringError(inconvertibleErrorCode(), "an exception that is no std::exception");
  }
}

static bool hasImporter(const Registry &registry, StringRef name) {
  return any_of(registry.importers.all(),
                [&](const ImporterInfo *importer) { return importer->name == name; });
}

/// Moves what a module registered into the registry, if no name in it is taken.
static Error merge(StringRef path, const Registry &from, Registry &to) {
  // libheddle's own names are taken even where they are registered after the modules.
  Registry core;
  if (Error e = registerCore(core))
    return e;
  std::vector<std::string> names;
  auto claim = [&](StringRef kind, StringRef name, auto has) -> Error {
    names.push_back((kind + " " + name).str());
    if (!has(to) && !has(core))
      return Error::success();
    auto who = to.origins.find(names.back());
    bool builtin = who == to.origins.end();
    std::string owner =
        builtin ? "which is built in" : "which '" + who->second + "' has registered";
    std::string cure = !builtin ? "rename one of them, or load one only" : "rename it";
    if (builtin && kind == "pass")
      cure += (", or leave out the other: --no-builtin=" + name).str();
    return refuse("taken", path,
                  "registers the " + kind + " '" + name + "', " + owner + "; " + cure);
  };
  for (const PassInfo *pass : from.passes.all())
    if (Error e = claim("pass", pass->name,
                        [&](const Registry &r) { return r.passes.find(pass->name) != nullptr; }))
      return e;
  std::vector<StringRef> pipelines(from.passes.pipelines().keys().begin(),
                                   from.passes.pipelines().keys().end());
  llvm::sort(pipelines);
  for (StringRef name : pipelines)
    if (Error e = claim("pipeline", name,
                        [&](const Registry &r) { return r.passes.pipelines().contains(name); }))
      return e;
  for (const ImporterInfo *importer : from.importers.all())
    if (Error e = claim("importer", importer->name,
                        [&](const Registry &r) { return hasImporter(r, importer->name); }))
      return e;
  for (const EmitterInfo *emitter : from.emitters.all())
    if (Error e = claim("emitter", emitter->name, [&](const Registry &r) {
          return r.emitters.find(emitter->name) != nullptr;
        }))
      return e;
  if (names.empty())
    return refuse("empty", path,
                  "registers nothing; in HEDDLE_PLUGIN, 'return "
                  "registry.passes.add(info);'");

  for (const PassInfo *pass : from.passes.all())
    if (Error e = to.passes.add(*pass))
      return e;
  for (StringRef name : pipelines) {
    const PassRegistry::NamedPipeline &p = from.passes.pipelines().find(name)->getValue();
    if (Error e = to.passes.addPipeline(name, p.text, p.summary))
      return e;
  }
  for (const ImporterInfo *importer : from.importers.all())
    if (Error e = to.importers.add(*importer))
      return e;
  for (const EmitterInfo *emitter : from.emitters.all())
    if (Error e = to.emitters.add(*emitter))
      return e;
  for (std::string &name : names)
    to.origins[std::move(name)] = path.str();
  return Error::success();
}

Error loadPlugin(StringRef path, Registry &registry) {
  if (Error e = checkFile(path))
    return e;
  // A name without a slash would be looked up in the system's folders.
  SmallString<128> absolute = path;
  if (std::error_code code = sys::fs::make_absolute(absolute))
    return refuse("unreadable", path, "cannot be found: " + code.message());
  void *handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return refuse("unloadable", path,
                  Twine("cannot be loaded: ") + dlerror() +
                      "; link the module with all that it needs, and with -Wl,-z,defs to be told");
  auto entry = reinterpret_cast<PluginEntryFn>(dlsym(handle, kEntry));
  const PluginInfo *info = entry ? entry() : nullptr;
  if (!info || info->size < sizeof(PluginInfo) || !info->name || !info->registerAll)
    return refuse("bad-info", path,
                  "gives no complete description of itself; register with "
                  "HEDDLE_PLUGIN(name) { ... }");
  Registry own;
  if (Error e = runRegistration(*info, own))
    return refuse("registration", path, "failed to register: " + toString(std::move(e)));
  return merge(path, own, registry);
}

Error registerPlugins(const PluginChoice &choice, Registry &registry) {
  // A built-in plugin has its pass's name, with '_' for '-'.
  std::vector<std::string> names;
  for (PluginEntryFn entry : choice.builtins) {
    names.emplace_back(entry()->name);
    std::replace(names.back().begin(), names.back().end(), '_', '-');
  }
  for (const std::string &name : choice.without)
    if (!is_contained(names, name))
      return usageError("unknown-builtin", "there is no built-in pass '" + name + "' to leave out" +
                                               didYouMean(name, SmallVector<StringRef, 32>(
                                                                    names.begin(), names.end())));
  for (size_t i = 0; i != names.size(); ++i)
    if (!is_contained(choice.without, names[i]))
      if (Error e = runRegistration(*choice.builtins[i](), registry))
        return e;
  for (const std::string &path : choice.modules)
    if (Error e = loadPlugin(path, registry))
      return e;
  return registerCore(registry);
}

} // namespace heddle
