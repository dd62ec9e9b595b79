//===- UserFrames.cpp - The frame that says where -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//
#include "heddle/Analysis/UserFrames.h"
#include "UserFrameData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

using namespace heddle;
using llvm::StringRef;

std::optional<FrameText> heddle::parseFrame(StringRef frame) {
  auto [place, function] = frame.split("): ");
  auto [file, line] = place.rsplit('(');
  if (place.size() == frame.size() || file.size() == place.size() || line.empty() ||
      !llvm::all_of(line, llvm::isDigit))
    return std::nullopt;
  return FrameText{file, function, line};
}

StringRef heddle::moduleOfFrame(StringRef frame) {
  return frame.consume_front("nn.Module: ") ? frame : "";
}

std::string heddle::describeFrame(StringRef frame, bool statement) {
  std::optional<FrameText> f = parseFrame(frame);
  if (!f)
    return frame.str();
  return (f->function + ", " + f->file + (statement ? " (line " : " (function at line ") + f->line +
          ")")
      .str();
}

std::string heddle::describeInferred(StringRef frame, uint32_t line) {
  std::optional<FrameText> f = parseFrame(frame);
  if (!f)
    return frame.str();
  return (f->function + ", " + f->file + ":" + llvm::Twine(line) + " (inferred)").str();
}

bool heddle::isDecorator(StringRef frame) {
  std::optional<FrameText> f = parseFrame(frame);
  return f && llvm::is_contained(decoratorFunctions(), f->function);
}

struct FrameRule::Lists {
  llvm::StringSet<> packages, modules;
  std::optional<llvm::Regex> userCode;
};

FrameRule::FrameRule() : lists(std::make_unique<Lists>()) {
  auto fill = [](llvm::StringSet<> &set, StringRef words) {
    while (!words.empty()) {
      auto [word, rest] = words.split(' ');
      set.insert(word);
      words = rest;
    }
  };
  fill(lists->packages, libraryPackages());
  fill(lists->modules, standardModules());
}
FrameRule::~FrameRule() = default;
FrameRule::FrameRule(FrameRule &&) noexcept = default;

llvm::Expected<FrameRule> FrameRule::create(StringRef userCode) {
  FrameRule rule;
  if (userCode.empty())
    return rule;
  llvm::Regex regex(userCode);
  std::string why;
  if (!regex.isValid(why))
    return usageError("bad-pattern", "'user-code' is a regular expression for files, but '" +
                                         userCode + "' is none: " + why);
  rule.lists->userCode = std::move(regex);
  return rule;
}

bool FrameRule::chosen(StringRef frame) const {
  if (!lists->userCode)
    return false;
  std::optional<FrameText> f = parseFrame(frame);
  return f && lists->userCode->match(f->file);
}

/// Of a path below an installation's folder the part from the package on; else all of it.
static StringRef fromPackage(StringRef path) {
  for (StringRef mark : {"/site-packages/", "/dist-packages/"})
    if (size_t i = path.rfind(mark); i != StringRef::npos)
      return path.drop_front(i + mark.size());
  if (size_t i = path.rfind("/python3."); i != StringRef::npos)
    if (StringRef rest = path.drop_front(i + 9).drop_while(llvm::isDigit); rest.consume_front("/"))
      return rest;
  return path;
}

FrameClass FrameRule::classify(StringRef frame) const {
  if (StringRef module = moduleOfFrame(frame); !module.empty())
    return llvm::is_contained(wrapperModules(), module.rtrim("0123456789").rtrim('_'))
               ? FrameClass::Wrapper
               : FrameClass::Module;
  std::optional<FrameText> f = parseFrame(frame);
  if (!f)
    return FrameClass::Native;
  std::string slashes;
  StringRef path = f->file;
  if (path.contains('\\')) {
    slashes = path.str();
    std::replace(slashes.begin(), slashes.end(), '\\', '/');
    path = slashes;
  }
  // "<frozen os>", "<string>", "<eval_with_key>.3"; but what somebody typed in is theirs.
  if (path.starts_with("<"))
    return path.starts_with("<stdin>") || path.starts_with("<ipython-input")
               ? FrameClass::User
               : FrameClass::Generated;
  std::string whole = "/" + path.str(); // a recorder may have cut what is before a package
  auto within = [&](StringRef part) { return StringRef(whole).contains(part); };
  if (llvm::any_of(generatedPaths(), within))
    return FrameClass::Generated;
  StringRef tail = fromPackage(path);
  StringRef root = tail.split('/').first;
  root.consume_back(".py");
  if (lists->packages.contains(root) || llvm::any_of(libraryPaths(), within))
    return FrameClass::Library;
  // A file of one's own may have the name of a module only outside of Python's folder.
  if (lists->modules.contains(root) && !path.starts_with("./"))
    return FrameClass::Library;
  if (llvm::is_contained(wrapperFunctions(), f->function))
    return FrameClass::Wrapper;
  for (StringRef end : wrapperPaths())
    if (path.ends_with(end) &&
        (path.size() == end.size() || path[path.size() - end.size() - 1] == '/'))
      return FrameClass::Wrapper;
  return FrameClass::User;
}

UserFrames UserFrames::find(const PythonStacks &stacks, const FrameRule &rule) {
  // Asked once for each distinct frame.
  std::vector<FrameClass> classes;
  std::vector<bool> chosen;
  for (StringRef frame : stacks.frames) {
    classes.push_back(rule.classify(frame));
    chosen.push_back(rule.chosen(frame));
  }
  UserFrames out;
  out.user.assign(stacks.nodes.size(), kNone);
  out.module.assign(stacks.nodes.size(), kNone);
  std::vector<bool> byExpression(stacks.nodes.size());
  for (uint32_t n = 0; n < stacks.nodes.size(); ++n) {
    const StackNode &node = stacks.nodes[n];
    FrameClass c = classes[node.frame];
    bool has = node.parent != kNone;
    if (has) {
      out.user[n] = out.user[node.parent];
      out.module[n] = out.module[node.parent];
      byExpression[n] = byExpression[node.parent];
    }
    if (chosen[node.frame]) {
      out.user[n] = n;
      byExpression[n] = true;
    } else if (c == FrameClass::User && !byExpression[n]) {
      out.user[n] = n;
    }
    if (c == FrameClass::Module)
      out.module[n] = n;
  }
  return out;
}
