import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Integer, Null, OctetString } from 'asn1js'
import {
  AlgorithmIdentifier,
  Certificate,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import type { AnchorPlace } from './anchors.ts'

/** Let a timestamp authority (RFC 3161) confirm when a checkpoint existed. The authority sees only a hash. */

interface TimestampOptions {
  /** The address of the authority. */
  readonly url: string
  /** The path of a PEM file with the certificates that the authority's certificate must be issued by. */
  readonly certificates: string
}

const sha256Id = '2.16.840.1.101.3.4.2.1'
const answerWithinMs = 10_000
/** A token with its certificates has some 5 kB. */
const mostBytes = 100_000

/** @throws Error of one line when the file holds no certificates */
export function timestamps({ url, certificates: file }: TimestampOptions): AnchorPlace {
  const trusted = readCertificates(file)
  return {
    kind: 'timestamp',
    everyMs: 86_400_000,
    async put({ note }) {
      try {
        return { note, proof: await timestampOf(Buffer.from(note), url, trusted) }
      } catch (error) {
        const { message, cause } = error as Error
        const why = cause instanceof Error ? `${message}: ${cause.message}` : message
        throw new Error(`TIMESTAMP_URL gave no timestamp: ${why}`)
      }
    },
  }
}

/** Return the token of a content. @throws Error when there is none, or it would not convince an auditor */
async function timestampOf(content: Buffer, url: string, trusted: Certificate[]): Promise<Buffer> {
  const nonce = randomBytes(16)
  // In DER, a positive number has neither its first bit set nor a zero byte in front.
  nonce[0] = 0x40 | (nonce[0]! & 0x3f)
  const { status, timeStampToken } = TimeStampResp.fromBER(await ask(url, requestOf(content, nonce)))
  // 0 is granted, and 1 is granted with modifications.
  if (status.status > 1 || !timeStampToken) throw new Error(`the authority refused (status ${status.status})`)
  await check(new SignedData({ schema: timeStampToken.content }), { content, nonce, trusted })
  return Buffer.from(timeStampToken.toSchema().toBER())
}

function requestOf(content: Buffer, nonce: Buffer): Buffer {
  const hash = createHash('sha256').update(content).digest()
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha256Id, algorithmParams: new Null() }),
      hashedMessage: new OctetString({ valueHex: bytesOf(hash) }),
    }),
    nonce: new Integer({ valueHex: bytesOf(nonce) }),
    // The auditor needs the certificates, too.
    certReq: true,
  })
  return Buffer.from(request.toSchema().toBER())
}

async function ask(url: string, request: Buffer): Promise<ArrayBuffer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(request),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  if (!response.ok) throw new Error(`the authority answered ${response.status}`)
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > mostBytes) throw new Error(`the authority answered more than ${mostBytes} bytes`)
  }
  return bytesOf(Buffer.concat(parts))
}

async function check(
  token: SignedData,
  { content, nonce, trusted }: { content: Buffer; nonce: Buffer; trusted: Certificate[] },
): Promise<void> {
  const { signatureVerified, signerCertificate } = await token.verify({
    signer: 0,
    data: bytesOf(content),
    trustedCerts: trusted,
    checkChain: true,
    extendedMode: true,
  })
  if (!signatureVerified) throw new Error('the signature of the timestamp is wrong')
  if (!signerCertificate || !mayTimestamp(signerCertificate))
    throw new Error('the certificate of the authority is not one for timestamps')
  const info = TSTInfo.fromBER(token.encapContentInfo.eContent!.getValue())
  const answered = info.nonce && Buffer.from(info.nonce.valueBlock.valueHexView)
  if (!answered?.equals(nonce)) throw new Error('the timestamp answers another request')
}

function mayTimestamp(certificate: Certificate): boolean {
  const { keyUsage } = new X509Certificate(Buffer.from(certificate.toSchema().toBER()))
  return keyUsage?.includes('1.3.6.1.5.5.7.3.8') ?? false
}

function readCertificates(file: string): Certificate[] {
  try {
    const blocks = readFileSync(file, 'utf8').match(
      /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs,
    )
    if (!blocks) throw new Error('it has no certificate')
    return blocks.map((pem) => Certificate.fromBER(bytesOf(new X509Certificate(pem).raw)))
  } catch (error) {
    throw new Error(
      `TIMESTAMP_CERTIFICATES: ${file} is not a PEM file with certificates (${(error as Error).message})`,
    )
  }
}

/** The bytes alone: a Buffer may be a part of a larger piece of memory. */
function bytesOf(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer
}
