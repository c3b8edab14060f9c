#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { faultOfNode } from './oldNode.js'

const fault = faultOfNode(process.versions.node)
if (fault) {
  console.error(`heatmark: ${fault}`)
  process.exit(3)
}
// A checkout has the sources. A package has JavaScript, since Node strips no types below node_modules.
const [sources, built] = ['../src/cli/heatmark.ts', '../src/cli/heatmark.js']
await import(existsSync(new URL(sources, import.meta.url)) ? sources : built)
