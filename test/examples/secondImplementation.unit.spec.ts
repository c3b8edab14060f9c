import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, filesOf, historyOf, newKey } from '../proofs/signing/histories.ts'
import { isFullRun } from '../support/size.ts'

/** examples/verify/go checks exports with the code of Go's checksum database. */

/** Debian's package golang-golang-x-mod-dev puts its sources here. */
const packages = '/usr/share/gocode'
const programs = new URL('../../node_modules/.cache/programs', import.meta.url).pathname
const hasGo =
  existsSync(`${packages}/src/golang.org/x/mod/sumdb/tlog`) && spawnSync('go', ['version']).status === 0
const skipped = 'apt-get install golang-go golang-golang-x-mod-dev'
if (!hasGo) console.warn(`\n*** The second implementation was NOT tried. It takes: ${skipped} ***\n`)

describe.skipIf(!hasGo)(`another implementation (skipped: it takes ${skipped})`, () => {
  let folder: string
  let exports = 0
  const key = newKey()
  beforeAll(() => {
    // Programs may not be run from every folder for temporary files.
    mkdirSync(programs, { recursive: true })
    folder = mkdtempSync(join(programs, 'go-'))
    const source = new URL('../../examples/verify/go/checkExport.go', import.meta.url).pathname
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: packages, GOCACHE: join(folder, 'cache') }
    const built = spawnSync('go', ['build', '-o', join(folder, 'check'), source], { env, encoding: 'utf8' })
    expect(built).toMatchObject({ status: 0, stderr: '' })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const check = (files: Files) => {
    exports += 1
    const unpacked = join(folder, String(exports))
    for (const [path, bytes] of files) {
      mkdirSync(join(unpacked, dirname(path)), { recursive: true })
      writeFileSync(join(unpacked, path), bytes)
    }
    const { status, stdout } = spawnSync(join(folder, 'check'), [unpacked], { encoding: 'utf8' })
    rmSync(unpacked, { recursive: true })
    return { status, stdout }
  }

  it('agrees with exports', { timeout: 600_000 }, async () => {
    const length = fc.oneof(fc.constantFrom(0, 1, 255, 256, 257, 511, 512, 513), fc.nat(1_000))
    await fc.assert(
      fc.asyncProperty(length, async (events) => {
        const { status, stdout } = check(await filesOf(historyOf(events), key))
        expect({ status, stdout }).toEqual({
          status: 0,
          stdout: expect.stringContaining(`: ${events} events, `),
        })
      }),
      isFullRun ? { numRuns: 50 } : { numRuns: 6, seed: 20_261_123 },
    )
  })

  it('finds what was changed', async () => {
    const honest = await filesOf(historyOf(300), key)
    const changed = (path: string, edit: (text: string) => string) =>
      check(new Map(honest).set(path, Buffer.from(edit(honest.get(path)!.toString('latin1')), 'latin1')))
    expect(changed('events.ndjson', (text) => text.replace('H 122', 'H 9'))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('the checkpoint was signed for other events'),
    })
    expect(changed('checkpoint', (text) => text.replace('\n300\n', '\n301\n'))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('invalid signature'),
    })
    expect(changed('tile/1/000.p/1', () => '\0'.repeat(32))).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('tile/1/000.p/1 differs from the events'),
    })
  })
})
