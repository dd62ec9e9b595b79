//===- Names.cpp - Readable names of kernels and functions ----------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "heddle/Support/SymbolName.h"

using namespace heddle;

namespace {

/// What a name is called besides.
struct Readable {
  StringId full = StringId::None, brief = StringId::None;
  bool known = false;
};

class Reader {
public:
  explicit Reader(RankEditor &editor) : editor(editor) {}

  const Readable &of(StringId name, bool isKernel) {
    // The table grows while names are added to it; theirs come after all that are asked for.
    auto i = 2 * static_cast<size_t>(name) + isKernel;
    if (i >= cache.size())
      cache.resize(std::max(i + 1, 2 * size_t{editor.get().strings().size()}));
    if (!cache[i].known)
      cache[i] = read(name, isKernel);
    return cache[i];
  }
  symbolize::NameCounts counts;

private:
  Readable read(StringId name, bool isKernel) {
    Readable out;
    out.known = true;
    std::string text = editor.get().str(name).str();
    std::string full = text;
    if (looksMangled(text)) {
      if (std::optional<std::string> cpp = demangle(text)) {
        full = std::move(*cpp);
        out.full = editor.intern(full);
        ++counts.demangled;
      } else {
        ++counts.mangled;
        return out;
      }
    }
    if (!isKernel && out.full == StringId::None)
      return out;
    std::string brief = shortName(full);
    if (brief != text) {
      out.brief = editor.intern(brief);
      ++counts.shortened;
    }
    return out;
  }
  RankEditor &editor;
  std::vector<Readable> cache; ///< By name, twice: of other events, of kernels.
};

} // namespace

llvm::Expected<symbolize::NameCounts> symbolize::writeNames(RankEditor &editor) {
  Reader reader(editor);
  for (uint32_t t = 0; t != editor.get().tracks().size(); ++t) {
    DerivedColumn full, brief;
    uint32_t size = editor.get().track(t).size();
    for (uint32_t i = 0; i != size; ++i) {
      const Track &track = editor.get().track(t);
      Readable names = reader.of(track.names[i], track.kinds[i] == EventKind::Kernel);
      auto put = [&](DerivedColumn &column, StringId value) {
        if (value != StringId::None && column.strings.empty())
          column.strings.assign(size, StringId::None);
        if (!column.strings.empty())
          column.strings[i] = value;
      };
      put(full, names.full);
      put(brief, names.brief);
    }
    if (!full.strings.empty())
      if (llvm::Error e = editor.setDerived(t, "symbolize.name", std::move(full)))
        return e;
    if (!brief.strings.empty())
      if (llvm::Error e = editor.setDerived(t, "symbolize.short", std::move(brief)))
        return e;
  }
  return reader.counts;
}
