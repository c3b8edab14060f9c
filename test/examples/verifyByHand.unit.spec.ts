import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, historyOf, newKey } from '../proofs/signing/histories.ts'

/** The commands of examples/verify/README.md, with the tools of this machine. */

const readme = readFileSync(new URL('../../examples/verify/README.md', import.meta.url), 'utf8')
const [signature, count, leaf] = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script]) => script!)
const hasOpenssl = spawnSync('openssl', ['version']).stdout?.toString().startsWith('OpenSSL 3') ?? false

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heatmark-by-hand-'))
  for (const [path, bytes] of await filesOf(historyOf(300), newKey())) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (script: string) => {
  const { status, stdout } = spawnSync('sh', ['-e', '-c', script], { cwd: folder, encoding: 'utf8' })
  return { status, stdout }
}
const afterEdit = (path: string, from: string, to: string, script: string) => {
  const before = readFileSync(join(folder, path), 'utf8')
  writeFileSync(join(folder, path), before.replace(from, to))
  try {
    return run(script)
  } finally {
    writeFileSync(join(folder, path), before)
  }
}

describe.skipIf(!hasOpenssl)('a check by hand (skipped: it takes openssl 3)', () => {
  it('verifies the signature, and finds a changed checkpoint', () => {
    expect(run(signature!)).toEqual({ status: 0, stdout: 'Signature Verified Successfully\n' })
    expect(afterEdit('checkpoint', '\n300\n', '\n301\n', signature!).status).not.toBe(0)
  })

  it('counts the events', () => {
    expect(run(count!).stdout.trim().split(/\s+/)).toEqual(['300', '300'])
  })

  it('finds the hash of a line in the tile, and not that of a changed line', () => {
    expect(run(leaf!)).toEqual({ status: 0, stdout: 'the tile holds this line\n' })
    expect(afterEdit('events.ndjson', 'Example Steel', 'Another Steel', leaf!).status).not.toBe(0)
  })
})
