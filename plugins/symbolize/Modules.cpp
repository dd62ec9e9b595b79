//===- Modules.cpp - Paths of nn.Modules ----------------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "Modules.h"
#include "llvm/ADT/StringExtras.h"

using namespace heddle;
using namespace heddle::symbolize;
using llvm::StringRef;

uint32_t PathTree::child(uint32_t parent, StringRef name) {
  auto [it, isNew] = index.try_emplace({parent, name}, size());
  if (isNew)
    paths.push_back({parent, name});
  return it->second;
}

std::string PathTree::text(uint32_t path, bool *cut) const {
  constexpr size_t mostNames = 32, mostBytes = 1000;
  llvm::SmallVector<StringRef, mostNames + 1> names;
  size_t bytes = 0;
  for (; path != kNone && names.size() != mostNames; path = paths[path].parent) {
    bytes += paths[path].name.size() + 1;
    if (bytes > mostBytes)
      break;
    names.push_back(paths[path].name);
  }
  std::string shortened;
  if (path != kNone && names.empty()) { // a name that is too long by itself keeps its end
    shortened = "..." + paths[path].name.take_back(mostBytes).str();
    names.push_back(shortened);
  } else if (path != kNone) {
    names.push_back("...");
  }
  if (cut)
    *cut = path != kNone;
  std::string out;
  for (StringRef name : llvm::reverse(names))
    out += (out.empty() ? "" : "/") + name.str();
  return out;
}

StringRef symbolize::moduleClass(StringRef instance) {
  StringRef name = instance.rtrim("0123456789");
  return name.size() != instance.size() && name.size() > 1 && name.ends_with("_") ? name.drop_back()
                                                                                  : instance;
}

Modules::Modules(const Rank &rank, const PythonStacks &stacks, const UserFrames &frames)
    : rank(rank), frames(frames), instanceOfNode(stacks.nodes.size(), kNone) {
  for (uint32_t n = 0; n != stacks.nodes.size(); ++n) {
    if (frames.module[n] != n)
      continue;
    const StackNode &node = stacks.nodes[n];
    uint32_t outer = node.parent == kNone ? kNone : frames.module[node.parent];
    StringRef name = moduleOfFrame(stacks.frames[node.frame]);
    instanceOfNode[n] =
        add(outer == kNone ? kNone : instanceOfNode[outer], name, moduleClass(name));
  }
}

uint32_t Modules::add(uint32_t parent, StringRef name, StringRef className) {
  uint32_t i = instances.child(parent, name);
  if (i == classOfInstance.size())
    classOfInstance.push_back(
        classes.child(parent == kNone ? kNone : classOfInstance[parent], className));
  return i;
}

uint32_t Modules::instanceOf(const CodePlace &place) {
  if (uint32_t node = frames.moduleOf(place); node != kNone)
    return instanceOfNode[node];
  if (place.hierarchy == StringId::None)
    return kNone;
  StringRef text = rank.str(place.hierarchy);
  return add(kNone, text, text);
}
