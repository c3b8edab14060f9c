import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A timestamp authority (RFC 3161) made with `openssl ts`, on this machine. */
export interface Authority {
  readonly url: string
  /** The path of the PEM file with the certificate of its issuer. */
  readonly certificates: string
  /** Answer in another way, once; undefined for its usual answer. */
  answerNext(
    answer: ((reply: Buffer) => { readonly status: number; readonly body: Buffer }) | undefined,
  ): void
  /** Sign the timestamp of an answer again, with a certificate of the same issuer that is not for timestamps. */
  resignedByAnother(reply: Buffer): Buffer
  close(): Promise<void>
}

export const hasOpenssl =
  spawnSync('openssl', ['version']).stdout?.toString().startsWith('OpenSSL 3') ?? false

/** @param keyType as `openssl req -newkey` names it; `ec:` before a curve */
export async function startAuthority(keyType = 'rsa:2048'): Promise<Authority> {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-tsa-'))
  const run = (command: string, ...words: string[]) => {
    const all = [...command.split(' '), ...words]
    const { status, stderr } = spawnSync('openssl', all, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${all.join(' ')}: ${stderr}`)
  }
  makeCertificates(folder, keyType, run)
  const reply = (query: Buffer): Buffer => {
    writeFileSync(join(folder, 'query'), query)
    run('ts -reply -config tsa.cnf -queryfile query -out reply')
    return readFileSync(join(folder, 'reply'))
  }
  let other: Parameters<Authority['answerNext']>[0]
  const server = createServer(async (request, response) => {
    const query = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const usual = reply(query)
    const { status, body } = other?.(usual) ?? { status: 200, body: usual }
    other = undefined
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificates: join(folder, 'ca.pem'),
    answerNext: (answer) => {
      other = answer
    },
    resignedByAnother(usual) {
      writeFileSync(join(folder, 'usual'), usual)
      run('ts -reply -in usual -token_out -out token')
      run('cms -verify -noverify -inform DER -in token -out info')
      run(
        'cms -sign -binary -nodetach -econtent_type 1.2.840.113549.1.9.16.1.4 -in info',
        ...'-signer other.pem -inkey other.key -outform DER -out resigned'.split(' '),
      )
      return granted(readFileSync(join(folder, 'resigned')))
    },
    async close() {
      rmSync(folder, { recursive: true })
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Make a root, a certificate for timestamps, and one for another use. */
function makeCertificates(
  folder: string,
  keyType: string,
  run: (command: string, ...words: string[]) => void,
): void {
  const key = keyType.startsWith('ec:')
    ? `-newkey ec -pkeyopt ec_paramgen_curve:${keyType.slice(3)}`
    : `-newkey ${keyType}`
  run(`req -x509 ${key} -noenc -keyout ca.key -out ca.pem -days 30 -subj`, '/CN=Example Root')
  for (const [name, usage] of [
    ['tsa', 'critical,timeStamping'],
    ['other', 'clientAuth'],
  ]) {
    run(`req ${key} -noenc -keyout ${name}.key -out ${name}.csr -subj`, `/CN=Example ${name}`)
    writeFileSync(join(folder, 'usage'), `extendedKeyUsage=${usage}\nkeyUsage=critical,digitalSignature\n`)
    run(`x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -days 30 -extfile usage -out ${name}.pem`)
  }
  writeFileSync(join(folder, 'serial'), '01\n')
  writeFileSync(join(folder, 'tsa.cnf'), settings)
}

/** A TimeStampResp with status 0 and a token. */
function granted(token: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('3003020100', 'hex'), token])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length)
  return Buffer.concat([Buffer.of(0x30, 0x82), length, content])
}

const settings = `[tsa]
default_tsa = example
[example]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = tsa.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
`
