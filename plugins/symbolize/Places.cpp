//===- Places.cpp - Where in the code events come from --------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Places.h"
#include <map>

using namespace heddle;
using namespace heddle::symbolize;

namespace {

/// A column that is made when it gets its first value.
struct Texts {
  DerivedColumn column;
  void set(uint32_t size, uint32_t i, StringId value) {
    if (value == StringId::None)
      return;
    if (column.strings.empty())
      column.strings.assign(size, StringId::None);
    column.strings[i] = value;
  }
};

/// The texts of places, each made once.
class PlaceTexts {
public:
  PlaceTexts(RankEditor &editor, const Code &code)
      : editor(editor), code(code), byPlace(code.stacks.places.size()),
        frames(code.stacks.nodes.size(), StringId::None), forward(editor.intern("forward")),
        argument(editor.intern("call stack")), replay(editor.intern("graph launch")) {}

  struct Row {
    StringId module = StringId::None, frame = StringId::None, via = StringId::None;
    bool known = false;
  };
  const Row &of(uint32_t place) {
    Row &row = byPlace[place];
    if (row.known)
      return row;
    row.known = true;
    const CodePlace &p = code.stacks.places[place];
    if (uint32_t m = code.modules.instanceOf(p); m != Modules::kNone)
      row.module = module(m);
    if (uint32_t n = code.frames.userOf(p); n != UserFrames::kNone) {
      const StackNode &node = code.stacks.nodes[n];
      uint32_t line = code.statements.lineOf(p);
      StringId &text =
          line ? inferred.try_emplace({node.frame, line}, StringId::None).first->second : frames[n];
      if (text == StringId::None)
        text = editor.intern(line ? describeInferred(code.stacks.frames[node.frame], line)
                                  : describeFrame(code.stacks.frames[node.frame], node.statement));
      row.frame = text;
    }
    if (p.source == StackSource::Forward)
      row.via = forward;
    else if (p.source == StackSource::Argument)
      row.via = argument;
    return row;
  }
  StringId replayText() const { return replay; }
  int64_t pathsCut = 0; ///< Paths of modules that are not written in full.

private:
  StringId module(uint32_t m) {
    if (m >= modules.size())
      modules.resize(code.modules.instances.size(), StringId::None);
    if (modules[m] == StringId::None) {
      bool cut = false;
      modules[m] = editor.intern(code.modules.instances.text(m, &cut));
      pathsCut += cut;
    }
    return modules[m];
  }
  RankEditor &editor;
  const Code &code;
  std::vector<Row> byPlace;
  std::vector<StringId> frames, modules;
  std::map<std::pair<uint32_t, uint32_t>, StringId> inferred; ///< By frame and line.
  StringId forward, argument, replay;
};

} // namespace

llvm::Expected<int64_t> symbolize::writePlaces(RankEditor &editor, const Code &code,
                                               bool withStacks) {
  PlaceTexts texts(editor, code);
  for (uint32_t t = 0; t != code.stacks.placeOf.size(); ++t) {
    const std::vector<uint32_t> &placeOf = code.stacks.placeOf[t];
    auto size = static_cast<uint32_t>(placeOf.size());
    Texts module, frame, via;
    DerivedColumn stack;
    for (uint32_t i = 0; i != size; ++i) {
      if (placeOf[i] == PythonStacks::kNone)
        continue;
      const PlaceTexts::Row &row = texts.of(placeOf[i]);
      module.set(size, i, row.module);
      frame.set(size, i, row.frame);
      const LaunchCall *launch = code.launches.launchOf({t, i});
      bool placed = row.module != StringId::None || row.frame != StringId::None;
      via.set(size, i, launch && launch->graph && placed ? texts.replayText() : row.via);
      uint32_t node = code.stacks.places[placeOf[i]].stack;
      if (!withStacks || node == PythonStacks::kNone)
        continue;
      if (stack.ints.empty())
        stack.ints.assign(size, DerivedColumn::kNullInt);
      stack.ints[i] = node;
    }
    for (auto [name, texts] : {std::pair("symbolize.module", &module),
                               {"symbolize.frame", &frame},
                               {"symbolize.via", &via}})
      if (!texts->column.strings.empty())
        if (llvm::Error e = editor.setDerived(t, name, std::move(texts->column)))
          return e;
    if (!stack.ints.empty())
      if (llvm::Error e = editor.setDerived(t, "symbolize.stack", std::move(stack)))
        return e;
  }
  return texts.pathsCut;
}
