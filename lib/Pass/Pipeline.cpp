//===- Pipeline.cpp - The passes that exist, and their order --------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "heddle/Pass/Pipeline.h"
#include "Params.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

/// Lower-case words with '-' between them.
static bool isKebab(StringRef name) {
  if (name.empty() || !isLower(name.front()) || name.ends_with("-") || name.contains("--"))
    return false;
  return all_of(name, [](char c) { return isLower(c) || isDigit(c) || c == '-'; });
}

/// What is wrong with a pass's description, or "". A mistake here is its author's: better found
/// when the pass registers than when a user asks for it.
static std::string findFault(const PassInfo &info) {
  if (!isKebab(info.name))
    return "a pass's name is lower-case words with '-' between them";
  if (info.name == "rank" || info.name == "trace")
    return "this is the name of a level";
  if (!info.create)
    return "it has no way to create it";
  if ((info.kind == PassKind::Rewrite) != (info.effects != nullptr))
    return info.effects ? "a check has no effects" : "a rewrite declares its effects";
  for (size_t i = 0; i != info.params.size(); ++i) {
    const ParamInfo &p = info.params[i];
    if (!isKebab(p.key))
      return ("its parameter '" + p.key + "' is not lower-case words with '-' between them").str();
    for (const ParamInfo &other : info.params.take_front(i))
      if (other.key == p.key)
        return ("it declares the parameter '" + p.key + "' twice").str();
    if (p.type == ParamType::Enum && p.choices.empty())
      return ("its parameter '" + p.key + "' has no choices").str();
    if (ParamReading r = readParam(p, p.defaultText); !r.problem.empty())
      return "its default does not parse: " + r.problem;
  }
  for (const TableInfo &t : info.tables)
    if (t.id != info.name && !t.id.starts_with((info.name + "-").str()))
      return ("the name of its table '" + t.id + "' does not begin with its own").str();
  return "";
}

Error PassRegistry::add(const PassInfo &info) {
  auto refuse = [&](const Twine &why) {
    return internalError("bad-pass", "pass '" + info.name + "' cannot be registered: " + why);
  };
  if (std::string fault = findFault(info); !fault.empty())
    return refuse(fault);
  if (named.contains(info.name))
    return refuse("a pipeline has this name");
  if (!passes.try_emplace(info.name, &info).second)
    return refuse("there is one of this name already");
  return Error::success();
}

const PassInfo *PassRegistry::find(StringRef name) const { return passes.lookup(name); }

std::vector<const PassInfo *> PassRegistry::all() const {
  std::vector<const PassInfo *> result;
  for (const auto &entry : passes)
    result.push_back(entry.second);
  sort(result, [](const PassInfo *a, const PassInfo *b) { return a->name < b->name; });
  return result;
}

Error PassRegistry::addPipeline(StringRef name, StringRef text, StringRef summary) {
  if (isKebab(name) && name != "rank" && name != "trace" && !passes.contains(name) &&
      named.try_emplace(name, NamedPipeline{text.str(), summary.str()}).second)
    return Error::success();
  return internalError("bad-pipeline", "pipeline '" + name +
                                           "' cannot be registered: its name is taken or not " +
                                           "lower-case words with '-' between them");
}

std::string PassInstance::print(bool hideTexts) const {
  std::string values = params.print(hideTexts);
  return values.empty() ? info->name.str() : info->name.str() + "<" + values + ">";
}

bool Pipeline::hidesTexts() const {
  return any_of(passes, [](const PassInstance &p) {
    return p.info->effects && p.info->effects(p.params).writes(ColumnId::Results);
  });
}

std::string Pipeline::print(bool hideTexts) const {
  std::string out;
  bool inRank = false;
  for (const PassInstance &p : passes) {
    bool rank = p.info->level == Level::Rank;
    if (inRank && !rank)
      out += ')';
    if (!out.empty())
      out += ',';
    if (rank && !inRank)
      out += "rank(";
    inRank = rank;
    out += p.print(hideTexts);
  }
  if (inRank)
    out += ')';
  return out;
}

} // namespace heddle
