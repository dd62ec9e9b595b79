//===- OpenPage.h - The page that hands a trace to a viewer -----*- C++ -*-===//
// Part of Heddle. Apache-2.0 WITH LLVM-exception.
/// \file
/// Perfetto's UI takes traces from other pages in its documented way: it is opened with
/// window.open, asked with "PING" until it answers "PONG", and gets {perfetto: {buffer, title}}.
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_TOOLS_HEDDLE_OPENPAGE_H
#define HEDDLE_TOOLS_HEDDLE_OPENPAGE_H

#include "llvm/ADT/StringRef.h"

namespace heddle {

/// In the place of @UI@, @FILE@ and @TITLE@ stand JavaScript strings, in that of @RANKS@ a list of
/// them, in that of @NAME@ HTML.
inline constexpr llvm::StringLiteral openPage = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>@NAME@ - Heddle</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #222; background: #fff }
  button { font: inherit; padding: .5rem 1rem; cursor: pointer }
  #say { min-height: 3rem }
  code { background: #eee; padding: 0 .2rem }
  @media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b } code { background: #333 } a { color: #8bf } }
</style>
<h1>@NAME@</h1>
<p><button id="open" disabled>Open the timeline</button></p>
<p id="say" role="status">Loading the trace from Heddle...</p>
<p>The trace goes from Heddle to this page and from here to the viewer's window, all inside this browser.
Nothing is uploaded. The viewer is <code id="ui"></code>; <code>heddle open --ui=URL</code> takes one of your own.</p>
<p><a id="save" href="#" download>Save the file</a>, to drag it into any viewer.</p>
<script>
'use strict';
const ui = @UI@, file = @FILE@, title = @TITLE@, ranks = @RANKS@;
const button = document.getElementById('open'), line = document.getElementById('say');
const origin = new URL(ui).origin;
const say = text => { line.textContent = text; };
document.getElementById('ui').textContent = ui;
document.getElementById('save').href = file;
let trace = null, timer = 0;

// Perfetto's UI orders processes by how many slices they have. Commands in its address lay ranks out in order, in a
// workspace of their own.
function address() {
  if (!ranks.length || ui.includes('#')) return ui;
  const name = 'ranks in order', commands = [];
  for (const rank of ranks)
    for (const kind of ["(?!GPU |recorder's )", 'GPU ', "recorder's "])
      commands.push({id: 'dev.perfetto.CopyTracksToWorkspaceByRegex',
                     args: ['^' + rank.replace(/[()]/g, '\\$&') + kind, name]});
  commands.push({id: 'dev.perfetto.SwitchWorkspace', args: [name]});
  return ui + '#!/?startupCommands=' + encodeURIComponent(JSON.stringify(commands));
}

function hand() {
  const viewer = window.open(address(), '_blank');
  if (!viewer) {
    say('The browser kept the viewer from opening. Press the button.');
    return;
  }
  say('Waiting for ' + origin + ' to answer...');
  clearInterval(timer);
  const start = Date.now();
  const heard = event => {
    if (event.source !== viewer || event.origin !== origin || event.data !== 'PONG') return;
    stop();
    viewer.postMessage({perfetto: {buffer: trace, title, fileName: title, keepApiOpen: true}}, origin);
    say('The viewer has the trace. This page may be closed, and heddle ended with Ctrl-C.');
    fetch('done', {method: 'POST'}).catch(() => {});
  };
  const stop = () => { clearInterval(timer); window.removeEventListener('message', heard); };
  window.addEventListener('message', heard);
  timer = setInterval(() => {
    if (viewer.closed) {
      stop();
      say('The viewer was closed before it took the trace. Press the button to open it again.');
      return;
    }
    if (Date.now() - start > 20000)
      say('No answer from ' + origin + '. Without a network it cannot load: serve a copy of the viewer and run ' +
          'heddle open --ui=URL, or save the file and drag it into a viewer that you have.');
    viewer.postMessage('PING', origin);
  }, 100);
}

button.addEventListener('click', hand);
fetch(file).then(answer => {
  if (!answer.ok) throw new Error('status ' + answer.status);
  return answer.arrayBuffer();
}).then(buffer => {
  trace = buffer;
  button.disabled = false;
  say((buffer.byteLength / 1e6).toFixed(1) + ' MB are here.');
  hand();
}).catch(error => {
  say('The trace cannot be loaded (' + error.message + '). Is heddle still running?');
});
</script>
</html>
)html";

} // namespace heddle

#endif
