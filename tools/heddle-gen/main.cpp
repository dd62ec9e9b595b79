//===- main.cpp - heddle-gen: made-up traces by seed ----------------------===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// A small simulator of an eager training loop, as recorders record it, with gaps of known causes
/// and lengths. The same options give the same bytes on every machine.
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "Writers.h"
#include "heddle/IO/OutputFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace heddle;
using namespace heddle::gen;

static llvm::Error writeFile(llvm::StringRef path,
                             llvm::function_ref<void(llvm::raw_ostream &)> write) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  write((*file)->os());
  return (*file)->commit();
}

static llvm::Error writeAll(const JobTrace &job, const Options &options) {
  if (!options.manifest.empty())
    if (llvm::Error error =
            writeFile(options.manifest, [&](llvm::raw_ostream &os) { writeManifest(job, os); }))
      return error;
  if (!options.facts.empty())
    if (llvm::Error error =
            writeFile(options.facts, [&](llvm::raw_ostream &os) { writeFacts(job, os); }))
      return error;
  if (options.format == Format::Text)
    return writeFile(options.output, [&](llvm::raw_ostream &os) { writeText(job, options, os); });
  if (job.ranks.size() > 1)
    if (std::error_code code = llvm::sys::fs::create_directories(options.output))
      return llvm::createStringError(code, "cannot make the folder '%s': %s",
                                     options.output.c_str(), code.message().c_str());
  for (const RankTrace &rank : job.ranks) {
    std::string path = options.output;
    if (job.ranks.size() > 1)
      path += "/rank-" + std::to_string(rank.number) + ".pt.trace.json";
    if (llvm::Error error =
            writeFile(path, [&](llvm::raw_ostream &os) { writeKineto(job, rank, options, os); }))
      return error;
  }
  return llvm::Error::success();
}

static int run(int argc, char **argv) {
  int exitCode = 0;
  std::optional<Options> options = parseOptions(argc, argv, exitCode);
  if (!options)
    return exitCode;
  auto job = simulate(*options);
  llvm::Error error = job ? writeAll(*job, *options) : job.takeError();
  if (!error)
    return 0;
  llvm::errs() << "heddle-gen: error: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &e) { // memory is used up, most likely
    llvm::errs() << "heddle-gen: error: an exception ended the work: " << e.what() << '\n';
    return 3;
  }
}
