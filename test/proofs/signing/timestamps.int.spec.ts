import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tellVerdict, verifyAt } from '../../../examples/verify/verifyExport.ts'
import { timestamps } from '../../../src/proofs/signing/timestamps.ts'
import { companyId } from '../../support/given.ts'
import { type Authority, hasOpenssl, startAuthority } from './authority.ts'
import { historyOf, newKey, noteOf, withZip } from './histories.ts'

/** Timestamps of a real authority. */

const checkpoint = { companyId, size: 7, note: 'a checkpoint of 7 events\n', before: null }

describe.skipIf(!hasOpenssl)('timestamps (skipped: they take openssl 3)', () => {
  let authority: Authority
  let folder: string
  beforeAll(async () => {
    authority = await startAuthority()
    folder = mkdtempSync(join(tmpdir(), 'heatmark-timestamps-'))
  })
  afterAll(async () => {
    await authority.close()
    rmSync(folder, { recursive: true })
  })
  const put = async (url = authority.url, certificates = authority.certificates) =>
    (await timestamps({ url, certificates }).put(checkpoint)).proof

  it.each(['rsa:2048', 'ec:P-256', 'ec:P-384'])(
    'of an authority with a key of %s convince openssl',
    async (keyType) => {
      const one = await startAuthority(keyType)
      try {
        const token = await put(one.url, one.certificates)
        writeFileSync(join(folder, 'token'), token!)
        const verify = (data: string) => {
          writeFileSync(join(folder, 'data'), data)
          const words = [
            'ts',
            '-verify',
            '-data',
            'data',
            '-in',
            'token',
            '-token_in',
            '-CAfile',
            one.certificates,
          ]
          return spawnSync('openssl', words, { cwd: folder, encoding: 'utf8' }).stdout.trim()
        }
        expect(verify(checkpoint.note)).toBe('Verification: OK')
        expect(verify('another')).not.toContain('OK')
      } finally {
        await one.close()
      }
    },
  )

  it('stand in exports, and convince the verifier', async () => {
    const [key, events] = [newKey(), historyOf(30)]
    const note = noteOf(events.slice(0, 20), key)
    const { url, certificates } = authority
    const { proof } = await timestamps({ url, certificates }).put({ ...checkpoint, note })
    const use = async (zip: string) => {
      const checked = await verifyAt(zip, { tsa: [certificates] })
      expect(checked.timestamp).toMatchObject({ events: 20, by: 'CN=Example tsa', isTrusted: true })
      expect(Date.parse(checked.timestamp!.at)).toBeGreaterThan(Date.now() - 60_000)
      expect(tellVerdict(checked)).toMatch(
        /\nthe first 20 events existed on .{16} UTC, says CN=Example tsa\n/,
      )
      expect(tellVerdict(await verifyAt(zip, {}))).toContain(
        'CN=Example tsa (not checked: --tsa was not given)\n',
      )
    }
    await withZip(events, key, use, { timestamp: { note, token: proof! } })
  })

  it.each<[string, (reply: Buffer) => { status: number; body: Buffer }, string]>([
    ['a fault', (body) => ({ status: 500, body }), 'the authority answered 500'],
    [
      'a refusal',
      () => ({ status: 200, body: Buffer.from('30053003020102', 'hex') }),
      'the authority refused (status 2)',
    ],
    [
      'no timestamp',
      () => ({ status: 200, body: Buffer.from('<html>') }),
      'TIMESTAMP_URL gave no timestamp: ',
    ],
    ['too much', () => ({ status: 200, body: Buffer.alloc(200_000) }), 'more than 100000 bytes'],
    [
      'a wrong signature',
      (body) => ({ status: 200, body: Buffer.from(body.with(-1, body.at(-1)! ^ 1)) }),
      'the signature of the timestamp is wrong',
    ],
  ])('are not accepted after %s', async (_, answer, message) => {
    authority.answerNext(answer)
    await expect(put()).rejects.toThrow(message)
    expect(await put()).toBeInstanceOf(Buffer)
  })

  it('are not accepted for another request', async () => {
    let first: Buffer | undefined
    authority.answerNext((reply) => {
      first = reply
      return { status: 200, body: reply }
    })
    await put()
    authority.answerNext(() => ({ status: 200, body: first! }))
    await expect(put()).rejects.toThrow('the timestamp answers another request')
  })

  it('are not accepted of an authority that nobody trusts', async () => {
    const other = await startAuthority()
    try {
      await expect(put(other.url)).rejects.toThrow('TIMESTAMP_URL gave no timestamp: ')
    } finally {
      await other.close()
    }
  })

  it('are not accepted by a certificate that is not for timestamps', async () => {
    authority.answerNext((reply) => ({ status: 200, body: authority.resignedByAnother(reply) }))
    await expect(put()).rejects.toThrow('the certificate of the authority is not one for timestamps')
  })

  it('need a file with certificates', () => {
    const file = join(folder, 'none.pem')
    writeFileSync(file, 'none')
    expect(() => timestamps({ url: authority.url, certificates: file })).toThrow(
      `TIMESTAMP_CERTIFICATES: ${file} is not a PEM file with certificates (it has no certificate)`,
    )
  })
})
