//===- Frames.cpp - Python frames without what is not public --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Texts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle::anonymize;
using llvm::StringRef;

/// Files whose frames passes know (HostCauses.cpp), wherever they lie.
static constexpr llvm::StringLiteral kKnownFiles[] = {
    "torch/utils/data/dataloader.py", "torch/_dynamo/convert_frame.py",
    "torch/_inductor/compile_fx.py",  "torch/_inductor/runtime/triton_heuristics.py",
    "triton/compiler/compiler.py",    "triton/runtime/autotuner.py"};
/// And the functions in them.
static constexpr llvm::StringLiteral kKnownFunctions[] = {
    "__next__", "_compile", "compile_inner",        "transform", "autotune_to_one_config",
    "compile",  "_bench",   "benchmark_all_configs"};

/// How many bytes at the end of a path are public: from a package's folder on, or a module of
/// Python's library. Sets `open` where the functions are public too.
static size_t publicTail(StringRef path, const PublicWords &known, bool &open) {
  auto rootOf = [](StringRef rest) {
    StringRef root = rest.split('/').first;
    root.consume_back(".py");
    return root;
  };
  open = true;
  for (StringRef mark : {"/site-packages/", "/dist-packages/"})
    if (size_t i = path.rfind(mark);
        i != StringRef::npos && known.isPythonPackage(rootOf(path.drop_front(i + mark.size()))))
      return path.size() - i - mark.size();
  if (path.contains('/') && known.isPythonPackage(rootOf(path)))
    return path.size();
  if (size_t i = path.rfind("/python3."); i != StringRef::npos) {
    StringRef rest = path.drop_front(i + 9).drop_while(llvm::isDigit);
    if (rest.consume_front("/") && known.isStandardModule(rootOf(rest)))
      return rest.size();
  }
  if (StringRef name = path;
      name.consume_front("<frozen ") && name.consume_back(">") &&
      known.isStandardModule(name.rsplit('.').second.empty() ? name : name.split('.').first))
    return path.size();
  open = false;
  // A file of one's own may have such a name; what is in it is not public.
  if (!path.contains('/') && path.ends_with(".py") && known.isStandardModule(rootOf(path)))
    return path.size();
  for (StringRef file : kKnownFiles)
    if (path.ends_with(file) &&
        (path.size() == file.size() || path[path.size() - file.size() - 1] == '/'))
      return file.size();
  return 0;
}

std::string Texts::frame(StringRef text) const {
  auto [place, function] = text.split("): ");
  auto [path, line] = place.rsplit('(');
  if (place.size() == text.size() || path.size() == place.size() || line.empty() ||
      !llvm::all_of(line, llvm::isDigit))
    return words(text, Where::Python);
  bool open = false;
  size_t tail = publicTail(path, isKnown, open);
  // Frames of a file that passes know must read as before.
  bool known = llvm::any_of(kKnownFiles, [&](StringRef f) { return path.ends_with(f); }) &&
               llvm::is_contained(kKnownFunctions, function);
  bool standsFor = path == "<string>" || path == "<stdin>";
  std::string out = standsFor
                        ? path.str()
                        : words(path.drop_back(tail), Where::Path) + path.take_back(tail).str();
  return out + "(" + line.str() +
         "): " + (open || known ? function.str() : words(function, Where::Python));
}

std::string Texts::frames(StringRef text) const {
  std::string out;
  while (!text.empty()) {
    auto [one, rest] = text.split(';');
    out += frame(one);
    if (one.size() != text.size())
      out += ';';
    text = rest;
  }
  return out;
}
