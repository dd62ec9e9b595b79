//===- Demangle.cpp - C++ names from mangled ones -------------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//
// LLVM's demangler, with bounds: it recurses with the name's nesting, and a name of a hundred
// letters may stand for gigabytes. Its parser is a template that takes an allocator: ours sees
// every node that is made, so it knows how deep the tree is and how long its text can be before
// any of it is printed.
//===----------------------------------------------------------------------===//
#include "llvm/Demangle/Demangle.h"
#include "heddle/Support/SymbolName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"
#include <cstdlib>

namespace id = llvm::itanium_demangle;

namespace {

constexpr size_t kLongestName = 1 << 20;
constexpr uint32_t kDeepest = 1000;
/// Of text that a tree can print, and that is so many times the name. What can be printed is
/// counted before it is, and generously.
constexpr uint64_t kTimesName = 64, kTextAtLeast = 4096, kCostTimesName = 512, kCostAtLeast = 16384;
/// What a node adds of its own: punctuation, a keyword, the full form of std::string.
constexpr uint64_t kNodeText = 96;

/// The name is over a limit. Thrown through the parser's frames, and caught below.
struct Refused {};

/// Makes the parser's nodes. Before each stands how long its text may be, and its depth.
class CostedNodes {
public:
  void reset() {}
  /// What any tree may cost, by the length of the name.
  void limit(size_t name) { longestText = kCostAtLeast + kCostTimesName * name; }

  template <typename T, typename... Args> id::Node *makeNode(Args &&...args) {
    // Resolved when the tree is complete, so that nothing can be known of it here. Such names are
    // conversion operators.
    if constexpr (std::is_same_v<T, id::ForwardTemplateReference>)
      throw Refused();
    Cost cost{kNodeText, 0};
    (add(cost, args), ...);
    if constexpr (std::is_same_v<T, id::ParameterPack>)
      (growPack(args), ...);
    if constexpr (std::is_same_v<T, id::ParameterPackExpansion>)
      cost.text *= longestPack;
    if (cost.text > longestText || ++cost.depth > kDeepest)
      throw Refused();
    static_assert(sizeof(Cost) % alignof(std::max_align_t) == 0);
    char *memory =
        static_cast<char *>(arena.Allocate(sizeof(Cost) + sizeof(T), alignof(std::max_align_t)));
    new (memory) Cost(cost);
    return new (memory + sizeof(Cost)) T(std::forward<Args>(args)...);
  }
  void *allocateNodeArray(size_t size) {
    return arena.Allocate(size * sizeof(id::Node *), alignof(id::Node *));
  }

private:
  struct alignas(std::max_align_t) Cost {
    uint64_t text = 0;
    uint32_t depth = 0;
  };
  static void addNode(Cost &cost, const id::Node *node) {
    if (!node)
      return;
    const Cost &other = reinterpret_cast<const Cost *>(node)[-1];
    cost.text += other.text; // each is at most longestText
    cost.depth = std::max(cost.depth, other.depth);
  }
  template <typename Arg> static void add(Cost &cost, const Arg &arg) {
    if constexpr (std::is_convertible_v<Arg, const id::Node *>)
      addNode(cost, arg);
    else if constexpr (std::is_convertible_v<Arg, std::string_view>)
      cost.text += std::string_view(arg).size();
    else if constexpr (std::is_same_v<Arg, id::NodeArray>)
      for (const id::Node *node : arg)
        addNode(cost, node);
  }
  template <typename Arg> void growPack(const Arg &arg) {
    if constexpr (std::is_same_v<Arg, id::NodeArray>)
      longestPack = std::max<uint64_t>(longestPack, arg.size());
  }

  llvm::BumpPtrAllocator arena;
  uint64_t longestPack = 1, longestText = 0;
};

/// Counts how deep the parser is.
class BoundedParser : public id::AbstractManglingParser<BoundedParser, CostedNodes> {
  using Base = id::AbstractManglingParser<BoundedParser, CostedNodes>;

public:
  explicit BoundedParser(llvm::StringRef name) : Base(name.begin(), name.end()) {
    ASTAllocator.limit(name.size());
  }
  id::Node *parseType() {
    if (consumeIf("DF16b")) // newer than LLVM 19
      return make<id::NameType>("std::bfloat16_t");
    return deeper([&] { return Base::parseType(); });
  }
  id::Node *parseQualifiedType() {
    return deeper([&] { return Base::parseQualifiedType(); });
  }
  id::Node *parseUnresolvedType() {
    return deeper([&] { return Base::parseUnresolvedType(); });
  }
  id::Node *parseExpr() {
    return deeper([&] { return Base::parseExpr(); });
  }
  id::Node *parseBracedExpr() {
    return deeper([&] { return Base::parseBracedExpr(); });
  }
  id::Node *parseTemplateArg() {
    return deeper([&] { return Base::parseTemplateArg(); });
  }
  id::Node *parseTemplateArgs(bool tag = false) {
    return deeper([&] { return Base::parseTemplateArgs(tag); });
  }
  id::Node *parseTemplateParamDecl(TemplateParamList *params) {
    return deeper([&] { return Base::parseTemplateParamDecl(params); });
  }
  id::Node *parseName(NameState *state = nullptr) {
    return deeper([&] { return Base::parseName(state); });
  }
  id::Node *parseEncoding(bool params = true) {
    return deeper([&] { return Base::parseEncoding(params); });
  }

private:
  template <typename Parse> id::Node *deeper(Parse parse) {
    if (++depth > kDeepest)
      throw Refused();
    id::Node *node = parse();
    --depth;
    return node;
  }
  uint32_t depth = 0;
};

} // namespace

static std::optional<std::string> demangleItanium(llvm::StringRef name) {
  try {
    BoundedParser parser(name);
    id::Node *tree = parser.parse();
    if (!tree)
      return std::nullopt;
    id::OutputBuffer out;
    tree->print(out);
    std::string text(out.getBuffer(), out.getCurrentPosition());
    std::free(out.getBuffer());
    if (text.size() > kTextAtLeast + kTimesName * name.size())
      return std::nullopt;
    return text;
  } catch (const Refused &) {
    return std::nullopt;
  }
}

/// MSVC's names refer back by single digits, each of which at most doubles the text so far; its
/// parser has no place for bounds, so only names with few of them, and of moderate length, are
/// taken.
static std::optional<std::string> demangleMicrosoft(llvm::StringRef name) {
  if (name.size() > 2048 || llvm::count_if(name, llvm::isDigit) > 16)
    return std::nullopt;
  char *text = llvm::microsoftDemangle(
      name, nullptr, nullptr,
      llvm::MSDemangleFlags(llvm::MSDF_NoAccessSpecifier | llvm::MSDF_NoCallingConvention));
  if (!text)
    return std::nullopt;
  std::string out = text;
  std::free(text);
  return out;
}

bool heddle::looksMangled(llvm::StringRef name) {
  return name.starts_with("_Z") || (name.starts_with("?") && name.contains("@@"));
}

std::optional<std::string> heddle::demangle(llvm::StringRef mangled) {
  if (!looksMangled(mangled) || mangled.size() > kLongestName)
    return std::nullopt;
  mangled.consume_back(".kd"); // a kernel's descriptor, as ROCm names it
  return mangled.front() == '_' ? demangleItanium(mangled) : demangleMicrosoft(mangled);
}
