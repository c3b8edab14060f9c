import pgListen, { type Subscriber } from 'pg-listen'

/** PostgreSQL's NOTIFY, heard on one channel for as long as the process runs. */

export interface Notifications {
  /** False while the connection is being made again: notifications may be missed meanwhile. */
  readonly listening: boolean
  close(): Promise<void>
}

export interface NotificationOptions {
  readonly url: string
  readonly channel: string
  /** Called with each payload, in the order of the commits. */
  readonly onPayload: (payload: string) => void
  /** Called whenever listening begins, first and again: what went before may have been missed. */
  readonly onListening: () => void
}

const retryMs = 250
/** The connection is asked for a sign of life this often, and given up when it does not answer in time. */
const aliveMs = 2_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/** Begins to listen in the background, and goes on trying for as long as PostgreSQL cannot be reached. */
export const listen = ({ url, channel, onPayload, onListening }: NotificationOptions): Notifications => {
  /** The one whose notifications count: a subscriber that failed is left for a fresh one. */
  let current: Subscriber | undefined
  let listening = false
  let closed = false

  const end = async (of: Subscriber) => {
    // A connection that is dead but does not know it never confirms its end.
    await Promise.race([of.close().catch(() => {}), pause(retryMs)])
  }

  const begin = () => {
    listening = true
    onListening()
  }

  const subscribe = (): Subscriber => {
    const fresh: Subscriber = pgListen.default(
      {
        connectionString: url,
        application_name: 'heatmark listen',
        connectionTimeoutMillis: aliveMs,
        query_timeout: aliveMs,
      },
      {
        parse: String,
        paranoidChecking: aliveMs,
        retryTimeout: 0,
        retryInterval: () => {
          // The library tries again for ever, closed or not, unless this throws.
          if (fresh !== current) throw new Error('closed')
          return retryMs
        },
      },
    )
    fresh.events.on('notification', (notification) => {
      if (fresh === current) onPayload(notification.payload ?? '')
    })
    const interrupted = () => {
      if (fresh === current) listening = false
    }
    fresh.events.on('reconnect', interrupted)
    fresh.events.on('error', interrupted)
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
        await pause(retryMs)
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
