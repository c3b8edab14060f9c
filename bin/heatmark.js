#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A checkout has the sources. A package has JavaScript, since Node strips no types below node_modules.
const [sources, built] = ['../src/cli/heatmark.ts', '../src/cli/heatmark.js']
await import(existsSync(new URL(sources, import.meta.url)) ? sources : built)
