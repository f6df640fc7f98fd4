#!/usr/bin/env node
// Stands here, and not in dist, so that a checkout has its command before it is built.
import "../dist/bin/keywright.js"
