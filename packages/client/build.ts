import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import manifest from './package.json' with { type: 'json' }

/** `npm run build -w @heatmark/client` writes the published form of the client into `dist`. */

const folder = import.meta.dirname
const dist = join(folder, 'dist')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const run = (...args: string[]) => execFileSync(process.execPath, args, { stdio: 'inherit' })

rmSync(dist, { recursive: true, force: true })
run(join(folder, '../../src/portalBuild/generate.ts'))
run(compiler, '-p', folder)
const { private: _private, scripts: _scripts, ...published } = manifest
const exports = { '.': { types: './index.d.ts', default: './index.js' } }
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ ...published, exports }, null, 2)}\n`)
copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
