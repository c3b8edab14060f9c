import { setTimeout as pause } from 'node:timers/promises'
import pgListen, { type Subscriber } from 'pg-listen'
import { ifInTime } from '../../lib/inTime.ts'

/** Listen to PostgreSQL's NOTIFY on one channel for as long as the process runs. */

export interface Notifications {
  /** False while the connection is made again: notifications may be missed meanwhile. */
  readonly listening: boolean
  close(): Promise<void>
}

interface NotificationOptions {
  readonly url: string
  readonly channel: string
  /** Called with each payload, in the order of the commits. */
  readonly onPayload: (payload: string) => void
  /** Called whenever listening begins, for the first time or again: earlier notifications may be lost. */
  readonly onListening: () => void
}

/** Start to listen in the background, and keep trying while PostgreSQL cannot be reached. */
export function listen({ url, channel, onPayload, onListening }: NotificationOptions): Notifications {
  /** The subscriber whose notifications count. One that failed is replaced by a new one. */
  let current: Subscriber | undefined
  let listening = false
  let closed = false

  const begin = () => {
    listening = true
    onListening()
  }

  const subscribe = (): Subscriber => {
    const fresh = createSubscriber(url, () => fresh === current)
    fresh.events.on('notification', (notification) => {
      if (fresh === current) onPayload(notification.payload ?? '')
    })
    const onInterruption = () => {
      if (fresh === current) listening = false
    }
    fresh.events.on('reconnect', onInterruption)
    fresh.events.on('error', onInterruption)
    fresh.events.on('connected', () => {
      if (fresh !== current) void end(fresh)
      else if (fresh.getSubscribedChannels().length > 0) begin()
    })
    return fresh
  }

  const start = async () => {
    while (!closed) {
      const fresh = subscribe()
      current = fresh
      try {
        await fresh.connect()
        await fresh.listenTo(channel)
        if (fresh === current) begin()
        return
      } catch {
        current = undefined
        await end(fresh)
        await pause(retryMs, undefined, { ref: false })
      }
    }
  }
  void start()

  return {
    get listening() {
      return listening
    },
    async close() {
      const last = current
      closed = true
      listening = false
      current = undefined
      if (last) await end(last)
    },
  }
}

const retryMs = 250
/** The interval at which the connection is tested. Meanwhile looks at the positions find what a dead one has lost. */
const testEveryMs = 10_000
/** A connection that does not answer for this long is dead. */
const aliveMs = 2_000

function createSubscriber(url: string, isCurrent: () => boolean): Subscriber {
  return pgListen.default(
    {
      connectionString: url,
      application_name: 'heatmark listen',
      connectionTimeoutMillis: aliveMs,
      query_timeout: aliveMs,
    },
    {
      parse: String,
      paranoidChecking: testEveryMs,
      retryTimeout: 0,
      retryInterval: () => {
        // The library retries for ever, even when closed, unless this throws.
        if (!isCurrent()) throw new Error('closed')
        return retryMs
      },
    },
  )
}

async function end(subscriber: Subscriber): Promise<void> {
  // A dead connection that has not noticed it never confirms its end.
  await ifInTime(subscriber.close(), retryMs)
}
