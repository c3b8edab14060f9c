import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkpointNote, isCheckpointOf } from '../../../src/proofs/signing/checkpoint.ts'
import { readSigningKey, signingKey } from '../../../src/proofs/signing/signingKey.ts'
import { origin } from './histories.ts'

/** A key behind a program, and checkpoints that it signs. */

// Programs may not be run from every folder for temporary files.
const programs = new URL('../../node_modules/.cache/programs', import.meta.url).pathname
let folder: string
beforeAll(() => {
  mkdirSync(programs, { recursive: true })
  folder = mkdtempSync(join(programs, 'signing-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').privateKey
const pemOf = (key: typeof privateKey) => key.export({ type: 'pkcs8', format: 'pem' })
const saved = (name: string, content: string | Buffer, mode = 0o600): string => {
  writeFileSync(join(folder, name), content, { mode })
  return join(folder, name)
}
const publicFile = () => saved('public.pem', publicKey.export({ type: 'spki', format: 'pem' }))
/** A program that runs this code, in which `text` is its input. */
const program = (name: string, code: string): string =>
  saved(
    name,
    `#!${process.execPath}
const { sign } = require('node:crypto')
let text = ''
process.stdin.on('data', (part) => { text += part }).on('end', () => { ${code} })
`,
    0o700,
  )
const signing = (key: typeof privateKey) =>
  `console.log(sign(null, Buffer.from(text), ${JSON.stringify(pemOf(key))}).toString('base64'))`
const keyOf = (command: string) => readSigningKey({ file: publicFile(), command })
const head = { size: 7, root: Buffer.alloc(32, 1) }

describe('a key behind a program', () => {
  it('signs the checkpoint that the same key in a file signs', async () => {
    const key = keyOf(program('signs.cjs', signing(privateKey)))
    const local = signingKey(createPrivateKey(pemOf(privateKey)))
    expect(key.publicKey).toEqual(local.publicKey)
    expect(await checkpointNote(origin, head, key)).toBe(await checkpointNote(origin, head, local))
  })

  it.each([
    ['signs with another key', signing(other)],
    ['prints something else', `console.log('done')`],
    ['prints nothing', ''],
    ['prints without an end', `setInterval(() => console.log('x'.repeat(1000)), 1)`],
    ['ends with an error', `${signing(privateKey)}; process.exitCode = 1`],
  ])('signs nothing when the program %s', async (name, code) => {
    const key = keyOf(program(`${name.replaceAll(' ', '-')}.cjs`, code))
    await expect(checkpointNote(origin, head, key)).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringContaining('Ask the operator to look at SIGNING_COMMAND'),
    })
  })

  it('needs a public key and a program', () => {
    const message = 'SIGNING_KEY, SIGNING_COMMAND: these are not'
    expect(() => keyOf(join(folder, 'none'))).toThrow(message)
    expect(() => keyOf(saved('data', ''))).toThrow(message)
    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const file = saved('rsa.pem', rsa.export({ type: 'spki', format: 'pem' }))
    expect(() => readSigningKey({ file, command: process.execPath })).toThrow('it holds a key of type rsa')
  })
})

describe('a checkpoint', () => {
  it('is recognised by its text and its signature', async () => {
    const key = signingKey(privateKey)
    const note = await checkpointNote(origin, head, key)
    const is = (one: string, publicKey = key.publicKey) => isCheckpointOf(one, origin, head, publicKey)
    expect(is(note)).toBe(true)
    expect(is(note, signingKey(other).publicKey)).toBe(false)
    expect(is(await checkpointNote(origin, { ...head, size: 8 }, key))).toBe(false)
    expect(is(await checkpointNote(origin, head, { ...signingKey(other), publicKey: key.publicKey }))).toBe(
      false,
    )
    expect(is('')).toBe(false)
  })
})
