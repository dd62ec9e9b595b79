//===- PipelineParser.cpp - Reads pipeline text ---------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
//   pipeline := element (',' element)*
//   element  := NAME ['<' params '>'] | 'rank' '(' pipeline ')'
//   params   := KEY '=' value (',' KEY '=' value)*
//   value    := '"' (any | '\' any)* '"' | characters up to ',' or '>'
//
// On a command line, `-p NAME[:params]` is one element, whose values end at ',' only.
//
//===----------------------------------------------------------------------===//

#include "Params.h"
#include "heddle/Pass/Pipeline.h"
#include "heddle/Support/Nearest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {

/// One text on its way into a pipeline.
class PipelineParser::Reader {
public:
  Reader(const PassRegistry &registry, StringRef text, StringRef source, Pipeline &out)
      : registry(registry), text(text), source(source.str()), out(out) {}

  Error readPipeline();
  Error readCommandLine();
  /// The named pipelines whose texts are being read, outermost first.
  std::vector<std::string> expanding;

private:
  Error readElement(bool inRank);
  Error readNamed(StringRef name, size_t at, bool inRank);
  Error readParams(const PassInfo &info, StringRef terminators, ParamValues &values);
  Error readValue(StringRef terminators, std::string &value);
  Error addPass(const PassInfo &info, ParamValues values, size_t at);
  Error unknownPass(StringRef name, size_t at);
  Error unknownParam(const PassInfo &info, StringRef key, size_t at);

  Error refuse(StringRef id, size_t at, const Twine &message) const;
  void skipSpace() {
    while (pos < text.size() && isSpace(text[pos]))
      ++pos;
  }
  bool atEnd() const { return pos == text.size(); }
  bool consume(char c) {
    skipSpace();
    if (atEnd() || text[pos] != c)
      return false;
    ++pos;
    return true;
  }
  StringRef readName() {
    skipSpace();
    size_t first = pos;
    while (pos < text.size() && (isAlnum(text[pos]) || text[pos] == '-' || text[pos] == '_'))
      ++pos;
    return text.slice(first, pos);
  }
  /// What stands at the current place, for messages.
  std::string here() const { return atEnd() ? "the end" : ("'" + text.substr(pos, 1) + "'").str(); }

  const PassRegistry &registry;
  StringRef text;
  std::string source;
  Pipeline &out;
  size_t pos = 0;
};

Error PipelineParser::Reader::refuse(StringRef id, size_t at, const Twine &message) const {
  Place place;
  place.file = source;
  // A text of several lines: the caret stands below the line it means.
  StringRef before = text.take_front(at);
  place.line = 1 + before.count('\n');
  size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
  place.column = 1 + static_cast<unsigned>(at - lineBegin);
  place.snippet = text.drop_front(lineBegin).split('\n').first.str();
  place.offset = at;
  return usageError(id, message, place);
}

Error PipelineParser::Reader::unknownPass(StringRef name, size_t at) {
  if (name.empty())
    return refuse("expected-pass", at, "expected the name of a pass, found " + here());
  std::vector<StringRef> names = {"rank"};
  for (const PassInfo *info : registry.all())
    names.push_back(info->name);
  for (const auto &entry : registry.pipelines())
    names.push_back(entry.first());
  sort(names);
  std::string hint = didYouMean(name, names);
  if (hint.empty())
    hint = "; 'heddle passes' lists them, --load-plugin=FILE.so adds those of a module";
  return refuse("unknown-pass", at, "unknown pass '" + name + "'" + hint);
}

Error PipelineParser::Reader::unknownParam(const PassInfo &info, StringRef key, size_t at) {
  std::vector<StringRef> keys;
  for (const ParamInfo &p : info.params)
    keys.push_back(p.key);
  if (key.empty())
    return refuse("expected-parameter", at,
                  "expected the name of a parameter of '" + info.name + "', found " + here());
  std::string hint = didYouMean(key, keys);
  if (hint.empty())
    hint = keys.empty() ? "; it has none" : "; it has '" + join(keys, "', '") + "'";
  return refuse("unknown-parameter", at,
                "pass '" + info.name + "' has no parameter '" + key + "'" + hint);
}

/// Reads up to the end.
Error PipelineParser::Reader::readPipeline() {
  bool opened = false; // whether a rank( of this text is open
  do {
    skipSpace();
    size_t at = pos;
    if (!opened && readName() == "rank" && consume('('))
      opened = true;
    else
      pos = at;
    if (Error e = readElement(opened))
      return e;
    if (opened && consume(')'))
      opened = false;
    if (!opened && consume(')'))
      return refuse("unbalanced", pos - 1, "no 'rank(' is open here");
  } while (consume(','));
  if (opened)
    return refuse(atEnd() ? "unbalanced" : "unexpected", pos,
                  "expected ',' or ')', found " + here());
  if (!atEnd())
    return refuse("unexpected", pos, "expected ',' or the end of the pipeline, found " + here());
  return Error::success();
}

Error PipelineParser::Reader::readElement(bool inRank) {
  skipSpace();
  size_t at = pos;
  StringRef name = readName();
  const PassInfo *info = registry.find(name);
  if (!info) {
    if (name == "rank" && consume('('))
      return refuse("nested-level", at, "'rank(' cannot stand inside 'rank('");
    if (name == "rank")
      return refuse("unexpected", pos, "expected '(' after 'rank', found " + here());
    if (registry.pipelines().contains(name))
      return readNamed(name, at, inRank);
    return unknownPass(name, at);
  }
  if (inRank && info->level == Level::Trace)
    return refuse("wrong-level", at,
                  "pass '" + name + "' looks at the whole trace: it cannot stand inside 'rank('");
  ParamValues values;
  bool params = consume('<');
  if (Error e = readParams(*info, params ? ",>" : "", values))
    return e;
  if (params && !consume('>'))
    return refuse("unexpected", pos, "expected ',' or '>', found " + here());
  return addPass(*info, std::move(values), at);
}

Error PipelineParser::Reader::readNamed(StringRef name, size_t at, bool inRank) {
  skipSpace();
  if (!atEnd() && (text[pos] == '<' || text[pos] == ':'))
    return refuse("unknown-parameter", pos, "the pipeline '" + name + "' has no parameters");
  if (is_contained(expanding, name))
    return refuse("pipeline-cycle", at, "the pipeline '" + name + "' contains itself");
  std::string inner = registry.pipelines().lookup(name).text;
  if (StringRef(inner).trim().empty()) // none of its passes is there
    return Error::success();
  size_t first = out.passes.size();
  Reader reader(registry, inner, ("pipeline '" + name + "'").str(), out);
  reader.expanding = expanding;
  reader.expanding.push_back(name.str());
  if (Error e = reader.readPipeline())
    return e;
  if (inRank)
    for (const PassInstance &p : ArrayRef(out.passes).drop_front(first))
      if (p.info->level == Level::Trace)
        return refuse("wrong-level", at,
                      "the pipeline '" + name + "' has the pass '" + p.info->name +
                          "', which looks at the whole trace: it cannot stand inside 'rank('");
  return Error::success();
}

/// Fills in the defaults, and what the text gives if `terminators` is not empty.
Error PipelineParser::Reader::readParams(const PassInfo &info, StringRef terminators,
                                         ParamValues &values) {
  for (const ParamInfo &p : info.params) {
    ParamReading r = readParam(p, p.defaultText);
    assert(r.problem.empty() && "the registry has checked defaults");
    values.values.push_back({&p, false, p.defaultText.str(), r.number, std::move(r.list)});
  }
  if (terminators.empty())
    return Error::success();
  do {
    skipSpace();
    size_t at = pos;
    StringRef key = readName();
    auto it =
        find_if(values.values, [&](const ParamValues::Value &v) { return v.info->key == key; });
    if (it == values.values.end())
      return unknownParam(info, key, at);
    if (it->given)
      return refuse("duplicate-parameter", at, "parameter '" + key + "' is given twice");
    if (!consume('='))
      return refuse("unexpected", pos,
                    "expected '=' after '" + key + "', found " + here() + "; it wants " +
                        describeType(*it->info));
    skipSpace();
    size_t valueAt = pos;
    std::string value;
    if (Error e = readValue(terminators, value))
      return e;
    ParamReading r = readParam(*it->info, value);
    if (!r.problem.empty())
      return refuse("bad-value", valueAt, r.problem);
    it->given = true;
    it->text = std::move(value);
    it->number = r.number;
    it->list = std::move(r.list);
  } while (consume(','));
  return Error::success();
}

Error PipelineParser::Reader::readValue(StringRef terminators, std::string &value) {
  size_t first = pos;
  if (!consume('"')) {
    pos = std::min(text.find_first_of(terminators, pos), text.size());
    value = text.slice(first, pos).rtrim().str();
    return Error::success();
  }
  for (; !atEnd(); ++pos) {
    if (text[pos] == '"') {
      ++pos;
      return Error::success();
    }
    if (text[pos] == '\\' && pos + 1 < text.size())
      ++pos;
    value += text[pos];
  }
  return refuse("unbalanced", first, "this '\"' is not closed");
}

/// Creates a pass; an exception of it becomes an error.
static Expected<std::unique_ptr<PassBase>> createPass(const PassInfo &info,
                                                      const ParamValues &values) {
  try {
    return info.create(values);
  } catch (const std::exception &e) {
    return createStringError(inconvertibleErrorCode(), Twine("threw an exception: ") + e.what());
  } catch (...) {
    return createStringError(inconvertibleErrorCode(), "threw an exception");
  }
}

Error PipelineParser::Reader::addPass(const PassInfo &info, ParamValues values, size_t at) {
  Expected<std::unique_ptr<PassBase>> pass = createPass(info, values);
  if (pass) {
    out.passes.push_back(
        {&info, std::move(values), std::shared_ptr<const PassBase>(std::move(*pass))});
    return Error::success();
  }
  // A pass that refuses a combination of values says why; the place is ours.
  std::string id = "bad-value", why;
  handleAllErrors(
      pass.takeError(),
      [&](const DiagnosticError &e) {
        id = e.diagnostic.id;
        why = e.diagnostic.message;
      },
      [&](const ErrorInfoBase &e) { why = e.message(); });
  return refuse(id, at, "pass '" + info.name + "': " + why);
}

Error PipelineParser::Reader::readCommandLine() {
  StringRef name = readName();
  const PassInfo *info = registry.find(name);
  if (!info) {
    if (!registry.pipelines().contains(name))
      return unknownPass(name, 0);
    if (Error e = readNamed(name, 0, /*inRank=*/false))
      return e;
  } else {
    ParamValues values;
    if (Error e = readParams(*info, consume(':') ? "," : "", values))
      return e;
    if (Error e = addPass(*info, std::move(values), 0))
      return e;
  }
  skipSpace();
  if (!atEnd())
    return refuse("unexpected", pos,
                  "expected " + std::string(info && pos == name.size() ? "':'" : "','") +
                      " or the end, found " + here());
  return Error::success();
}

Error PipelineParser::parse(StringRef text, Pipeline &out) const {
  if (text.trim().empty())
    return Error::success();
  return Reader(registry, text, "--passes", out).readPipeline();
}

Error PipelineParser::parseOne(StringRef text, Pipeline &out) const {
  return Reader(registry, text, "-p", out).readCommandLine();
}

} // namespace heddle
