#!/usr/bin/env node
// This file is here, and not in dist, so that a checkout has its command before it is built.
await import("../dist/bin/keywright.js")
