// SPDX-License-Identifier: Apache-2.0
// How a script of JavaScript reports its steps: lines on standard output, one line of standard input.
'use strict';
const fs = require('fs');

function say(text) {
  fs.writeSync(1, `${text}\n`);
}

function expect(actual, wanted) {
  if (actual !== wanted) throw new Error(`expected ${wanted}, was ${actual}`);
}

async function step(name, body) {
  try {
    await body(expect);
    say(`ok ${name}`);
  } catch (error) {
    say(`not ok ${name}: ${String(error && error.message ? error.message : error).replace(/\s+/g, ' ')}`);
  }
}

// Waits for one line; the event loop goes on meanwhile, so that monitors do.
function line() {
  return new Promise((resolve) => {
    process.stdin.once('data', () => {
      process.stdin.pause();
      resolve();
    });
    process.stdin.resume();
  });
}

module.exports = { say, step, line };
