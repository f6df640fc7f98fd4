#!/usr/bin/env node
// The program is built into dist; this file is there before it, so that npm can link it in a fresh clone.
import "../dist/bin/keywright.js"
