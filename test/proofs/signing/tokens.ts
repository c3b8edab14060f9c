import { createHash, KeyObject, sign } from 'node:crypto'
import { Integer, PrintableString } from 'asn1js'
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension, ExtKeyUsage } from 'pkijs'

/** Tokens of a timestamp authority, as right or as wrong as a spec wants them. */

export interface Signer {
  readonly certificate: Buffer
  readonly pem: string
  readonly key: KeyObject
  readonly webKey: CryptoKey
  readonly made: Certificate
}

export interface SignerOptions {
  readonly issuer?: Signer
  readonly usage?: string
  readonly until?: string
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
export const forTimestamps = '1.3.6.1.5.5.7.3.8'

/** Make a certificate with its key: without an issuer, of one that signs itself. */
export async function signerOf(name: string, { issuer, usage, until }: SignerOptions = {}): Promise<Signer> {
  const pair = await crypto.subtle.generateKey(curve, true, ['sign', 'verify'])
  const made = new Certificate({ version: 2, serialNumber: new Integer({ value: 1 }) })
  const common = new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: name }) })
  made.subject.typesAndValues.push(common)
  made.issuer.typesAndValues.push(...(issuer?.made ?? made).subject.typesAndValues)
  made.notBefore.value = new Date('2026-01-01T00:00:00Z')
  made.notAfter.value = new Date(until ?? '2036-01-01T00:00:00Z')
  const extension = (extnID: string, value: { toSchema(): { toBER(): ArrayBuffer } }) =>
    new Extension({ extnID, critical: true, extnValue: value.toSchema().toBER() })
  made.extensions = [
    extension('2.5.29.19', new BasicConstraints({ cA: usage === undefined })),
    ...(usage === undefined ? [] : [extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: [usage] }))]),
  ]
  await made.subjectPublicKeyInfo.importKey(pair.publicKey)
  await made.sign(issuer?.webKey ?? pair.privateKey, 'SHA-256')
  const certificate = Buffer.from(made.toSchema().toBER())
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`
  return { certificate, pem, key: KeyObject.from(pair.privateKey), webKey: pair.privateKey, made }
}

const timestampInfo = oid('2a864886f70d0109100104')
const sha256Algorithm = list(0x30, oid('608648016503040201'))

export interface TokenOptions {
  /** Another text than the one whose timestamp is signed. */
  readonly signed?: Buffer
  readonly contentType?: Buffer
  readonly time?: string
  readonly certificates?: readonly Buffer[]
}

/** Return the timestamp of a text. */
export function tokenOf(text: Buffer, signer: Signer, options: TokenOptions = {}): Buffer {
  const { signed = text, contentType = timestampInfo, time = '20261101120000Z' } = options
  const { certificates = [signer.certificate] } = options
  const infoOf = (stamped: Buffer) =>
    list(
      0x30,
      number(1),
      oid('2a0304'),
      list(0x30, sha256Algorithm, list(0x04, createHash('sha256').update(stamped).digest())),
      number(7),
      list(0x18, Buffer.from(time)),
    )
  const digest = createHash('sha256').update(infoOf(signed)).digest()
  const attributes = [
    list(0x30, oid('2a864886f70d010903'), list(0x31, contentType)),
    list(0x30, oid('2a864886f70d010904'), list(0x31, list(0x04, digest))),
  ]
  const signature = sign('sha256', list(0x31, ...attributes), signer.key)
  const signerInfo = list(
    0x30,
    number(1),
    list(0x30),
    sha256Algorithm,
    list(0xa0, ...attributes),
    list(0x30, oid('2a8648ce3d040302')),
    list(0x04, signature),
  )
  const signedData = list(
    0x30,
    number(3),
    list(0x31, sha256Algorithm),
    list(0x30, timestampInfo, list(0xa0, list(0x04, infoOf(text)))),
    list(0xa0, ...certificates),
    list(0x31, signerInfo),
  )
  return list(0x30, oid('2a864886f70d010702'), list(0xa0, signedData))
}

export function list(tag: number, ...members: readonly Buffer[]): Buffer {
  const content = Buffer.concat(members)
  if (content.length < 128) return Buffer.concat([Buffer.of(tag, content.length), content])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length)
  return Buffer.concat([Buffer.of(tag, 0x82), length, content])
}

export function oid(hex: string): Buffer {
  return list(0x06, Buffer.from(hex, 'hex'))
}

function number(value: number): Buffer {
  return list(0x02, Buffer.of(value))
}
