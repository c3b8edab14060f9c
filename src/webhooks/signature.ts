import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Signatures by which a receiver knows its sender. https://github.com/standard-webhooks/standard-webhooks */

const prefix = 'whsec_'

export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export interface Message {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** Return the headers that identify and sign a message, by each of these secrets. */
export function signedHeaders({ id, timestamp, body }: Message, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** The id of a message: the same whenever the same changes are sent, until an Admin lets them be sent again. */
export function messageId(startedAt: number, changeIds: readonly string[]): string {
  return `msg_${createHash('sha256')
    .update([startedAt, ...changeIds].join(' '))
    .digest('base64url')}`
}
