import { HeatmarkError } from './errors.ts'
import type { ChangeEvent } from './generated.ts'

/** Checks that a webhook comes from Heatmark (Standard Webhooks). */

export interface Webhook {
  /** The headers of the request. */
  readonly headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The body as it was received. */
  readonly body: string
}

export interface WebhookOptions {
  /** How old a webhook may be; 300 by default. */
  readonly toleranceSeconds?: number
  readonly now?: () => number
}

/**
 * Return the changes of a webhook. While a secret is rolled, pass both.
 * @throws HeatmarkError `not-authentic`
 */
export async function readWebhook(
  { headers, body }: Webhook,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {},
): Promise<readonly ChangeEvent[]> {
  const value = (name: string) =>
    (headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]) ?? ''
  const timestamp = value('webhook-timestamp')
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw new HeatmarkError('the webhook is too old, or has no time', { code: 'not-authentic' })
  const signed = new TextEncoder().encode(`${value('webhook-id')}.${timestamp}.${body}`)
  const signatures = value('webhook-signature').split(' ')
  for (const secret of [secrets].flat())
    for (const signature of signatures) if (await isSigned(signed, signature, secret)) return JSON.parse(body)
  throw new HeatmarkError('no signature of the webhook fits the secret', { code: 'not-authentic' })
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signature: string,
  secret: string,
): Promise<boolean> {
  const [version, base64] = signature.split(',')
  // Text that is not base64 is no signature.
  if (version !== 'v1' || !/^[\w+/]+={0,2}$/.test(base64 ?? '')) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, bytesOf(base64!), signed)
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
