//===- ElfModule.cpp - A shared object, read and not run ------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
//===----------------------------------------------------------------------===//

#include "ElfModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>
#include <elf.h>
#include <optional>

using namespace llvm;

namespace heddle {

#if defined(__x86_64__)
static constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr uint16_t kMachine = EM_AARCH64;
#else
#error "name the ELF machine of this platform"
#endif

static std::string machineName(uint16_t machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_AARCH64:
    return "AArch64";
  case EM_386:
    return "32-bit x86";
  case EM_ARM:
    return "32-bit Arm";
  case EM_PPC64:
    return "POWER";
  case EM_RISCV:
    return "RISC-V";
  case EM_S390:
    return "S/390";
  default:
    return "the ELF machine " + utostr(machine);
  }
}

static Error refuse(const Twine &why) { return createStringError(inconvertibleErrorCode(), why); }
static Error damaged(const Twine &what) {
  return refuse("is damaged: " + what + "; copy or build it again");
}

namespace {

/// Reads one file; all members are views of its bytes.
class Reader {
public:
  explicit Reader(StringRef bytes) : bytes(bytes) {}
  Expected<ElfModule> read();

private:
  Error checkHeader();
  Error readSegments();
  Error readDynamic();
  Error readVersions();
  Error readSymbols();
  Expected<uint64_t> countSymbols() const;

  /// The structure at an offset, or nullopt beyond the end. Copied: files need not be aligned.
  template <typename T> static std::optional<T> at(StringRef in, uint64_t offset) {
    if (offset > in.size() || in.size() - offset < sizeof(T))
      return std::nullopt;
    T value;
    std::memcpy(&value, in.data() + offset, sizeof(T));
    return value;
  }
  /// What is loaded at an address, to the end of what the file has of its segment.
  StringRef mapped(uint64_t address) const {
    for (const Elf64_Phdr &p : segments)
      if (p.p_type == PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
        return bytes.substr(p.p_offset, p.p_filesz).drop_front(address - p.p_vaddr);
    return "";
  }
  StringRef mapped(std::optional<uint64_t> address) const {
    return address ? mapped(*address) : StringRef();
  }
  std::optional<StringRef> string(uint64_t offset) const {
    size_t end = offset < strings.size() ? strings.find('\0', offset) : StringRef::npos;
    if (end == StringRef::npos)
      return std::nullopt;
    return strings.slice(offset, end);
  }

  StringRef bytes;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Dyn> dynamic;
  StringRef strings;
  ElfModule module;

  std::optional<uint64_t> tag(int64_t wanted) const {
    for (const Elf64_Dyn &d : dynamic)
      if (d.d_tag == wanted)
        return d.d_un.d_val;
    return std::nullopt;
  }
};

} // namespace

/// The whole of what the headers promise must be there: mapping a shorter file would fault.
Error Reader::checkHeader() {
  if (bytes.empty())
    return refuse("is empty; copy or build it again");
  if (bytes.starts_with("!<arch>"))
    return refuse("is a static library; link its objects with -shared");
  if (!bytes.starts_with(StringRef(ELFMAG, SELFMAG))) {
    bool text =
        all_of(bytes.take_front(512), [](char c) { return isPrint(c) || isSpace(c) || c < 0; });
    return refuse(Twine("is no shared object but ") + (text ? "text" : "of some other kind") +
                  "; name the .so that the build of a pass makes");
  }
  if (bytes.size() > EI_DATA && (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)) {
    return refuse("is not for this machine: it is " +
                  Twine(bytes[EI_CLASS] == ELFCLASS32 ? "32-bit" : "big-endian") +
                  ", and this heddle is for " + machineName(kMachine) + "; build it here");
  }
  std::optional<Elf64_Ehdr> found = at<Elf64_Ehdr>(bytes, 0);
  if (!found)
    return refuse("is truncated: its header is cut off; copy or build it again");
  header = *found;
  if (header.e_machine != kMachine)
    return refuse("is not for this machine: it is for " + machineName(header.e_machine) +
                  ", and this heddle is for " + machineName(kMachine) + "; build it here");
  if (header.e_type == ET_REL)
    return refuse("is an object file; link it with -shared");
  if (header.e_type != ET_DYN)
    return refuse("is a program or a core dump; link a module with -shared");
  return Error::success();
}

Error Reader::readSegments() {
  auto needs = [&](uint64_t offset, uint64_t size) -> Error {
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      return Error::success();
    return refuse("is truncated: it has " + Twine(bytes.size()) +
                  " bytes and promises more; copy or build it again");
  };
  if (header.e_phentsize != sizeof(Elf64_Phdr))
    return damaged("its program headers have a size of " + Twine(header.e_phentsize));
  if (Error e = needs(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)))
    return e;
  if (Error e = needs(header.e_shoff, uint64_t{header.e_shnum} * header.e_shentsize))
    return e;
  for (unsigned i = 0; i != header.e_phnum; ++i) {
    segments.push_back(*at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr)));
    if (Error e = needs(segments.back().p_offset, segments.back().p_filesz))
      return e;
  }
  return Error::success();
}

Error Reader::readDynamic() {
  for (const Elf64_Phdr &p : segments) {
    if (p.p_type != PT_DYNAMIC)
      continue;
    StringRef table = bytes.substr(p.p_offset, p.p_filesz);
    for (uint64_t offset = 0;; offset += sizeof(Elf64_Dyn)) {
      std::optional<Elf64_Dyn> entry = at<Elf64_Dyn>(table, offset);
      if (!entry || entry->d_tag == DT_NULL)
        break;
      dynamic.push_back(*entry);
    }
  }
  if (dynamic.empty())
    return refuse("has nothing to link at run time; link it with -shared");
  if (tag(DT_FLAGS_1).value_or(0) & DF_1_PIE)
    return refuse("is a program; link a module with -shared");
  strings = mapped(tag(DT_STRTAB)).take_front(tag(DT_STRSZ).value_or(0));
  for (const Elf64_Dyn &d : dynamic) {
    if (d.d_tag != DT_NEEDED)
      continue;
    std::optional<StringRef> name = string(d.d_un.d_val);
    if (!name)
      return damaged("the name of a library that it needs lies outside of it");
    module.needed.push_back(*name);
  }
  return Error::success();
}

/// Two nested lists, each entry with the distance to the next.
Error Reader::readVersions() {
  StringRef table = mapped(tag(DT_VERNEED));
  uint64_t offset = 0;
  for (uint64_t left = tag(DT_VERNEEDNUM).value_or(0); left != 0; --left) {
    std::optional<Elf64_Verneed> need = at<Elf64_Verneed>(table, offset);
    std::optional<StringRef> library = need ? string(need->vn_file) : std::nullopt;
    if (!library)
      return damaged("its table of versions lies outside of it");
    uint64_t inner = offset + need->vn_aux;
    for (unsigned i = 0; i != need->vn_cnt; ++i) {
      std::optional<Elf64_Vernaux> version = at<Elf64_Vernaux>(table, inner);
      std::optional<StringRef> name = version ? string(version->vna_name) : std::nullopt;
      if (!name)
        return damaged("its table of versions lies outside of it");
      module.versions.push_back({*library, *name});
      if (version->vna_next == 0)
        break;
      inner += version->vna_next;
    }
    if (need->vn_next == 0)
      break;
    offset += need->vn_next;
  }
  return Error::success();
}

/// The dynamic symbols are nowhere counted; the hash table of their names reaches the last.
Expected<uint64_t> Reader::countSymbols() const {
  if (StringRef table = mapped(tag(DT_HASH)); !table.empty()) {
    if (std::optional<uint32_t> chains = at<uint32_t>(table, 4))
      return *chains;
  } else if (table = mapped(tag(DT_GNU_HASH)); !table.empty()) {
    std::optional<uint32_t> buckets = at<uint32_t>(table, 0), first = at<uint32_t>(table, 4),
                            filters = at<uint32_t>(table, 8);
    if (!buckets || !first || !filters)
      return damaged("its table of names is cut off");
    uint64_t bucket = 16 + uint64_t{*filters} * 8, chain = bucket + uint64_t{*buckets} * 4;
    uint64_t last = 0;
    for (uint64_t i = 0; i != *buckets; ++i) {
      std::optional<uint32_t> symbol = at<uint32_t>(table, bucket + i * 4);
      if (!symbol)
        return damaged("its table of names is cut off");
      last = std::max<uint64_t>(last, *symbol);
    }
    if (last < *first)
      return *first; // it defines none
    for (;; ++last) {
      std::optional<uint32_t> hash = at<uint32_t>(table, chain + (last - *first) * 4);
      if (!hash)
        return damaged("its table of names is cut off");
      if (*hash & 1)
        return last + 1;
    }
  }
  return damaged("it has no table of names");
}

Error Reader::readSymbols() {
  Expected<uint64_t> count = countSymbols();
  if (!count)
    return count.takeError();
  StringRef table = mapped(tag(DT_SYMTAB));
  for (uint64_t i = 1; i < *count; ++i) { // the first is none
    std::optional<Elf64_Sym> symbol = at<Elf64_Sym>(table, i * sizeof(Elf64_Sym));
    std::optional<StringRef> name = symbol ? string(symbol->st_name) : std::nullopt;
    if (!name)
      return damaged("a symbol lies outside of it");
    module.symbols.push_back({*name, symbol->st_shndx != SHN_UNDEF,
                              ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL,
                              ELF64_ST_TYPE(symbol->st_info) == STT_FUNC});
  }
  return Error::success();
}

Expected<ElfModule> Reader::read() {
  for (auto step : {&Reader::checkHeader, &Reader::readSegments, &Reader::readDynamic,
                    &Reader::readVersions, &Reader::readSymbols})
    if (Error e = (this->*step)())
      return e;
  return std::move(module);
}

Expected<ElfModule> readElfModule(StringRef bytes) { return Reader(bytes).read(); }

const ElfModule::Symbol *ElfModule::find(StringRef name) const {
  for (const Symbol &s : symbols)
    if (s.name == name)
      return &s;
  return nullptr;
}

} // namespace heddle
