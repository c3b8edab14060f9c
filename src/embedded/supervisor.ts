/** A server in a process of its own. */
export interface Running {
  port: number
  pid: number
  /** Ends the process, hard if it must be, and resolves when it has gone. */
  stop(): Promise<void>
}

export interface Supervised<Server extends Running> {
  /** As first started; port and address stay through restarts, the pid does not. */
  server: Server
  pid(): number
  stop(): Promise<void>
}

const longestPauseMs = 5_000
/** A server that lived this long has recovered: the next pause is short again. */
const steadyMs = 30_000

/**
 * Starts a server and starts it again, on the same port, whenever it ends by itself: at once at first, then
 * after pauses that double up to 5 s.
 * @param start `port` is absent the first time; `onExit` is to be called if the server ends unasked
 * @throws whatever the first start throws; later failures are logged and tried again
 */
export async function supervise<Server extends Running>(options: {
  name: string
  start: (how: {
    onExit: (reason: string) => void
    /** Ends a start that is under way. */
    signal: AbortSignal
    port?: number
  }) => Promise<Server>
  log: (line: string) => void
  onExit?: (name: string, reason: string) => void
  /** Breaks the first start off; what has started is ended by `stop` alone. */
  signal?: AbortSignal | undefined
}): Promise<Supervised<Server>> {
  const { name, start, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let pauseMs = 0
  let began = performance.now()
  let restarting: Promise<void> | undefined
  let wake = () => {}

  const ended = (reason: string): void => {
    if (signal.aborted) return
    log(`${name} ended by itself (${reason}) and is started again`)
    options.onExit?.(name, reason)
    if (performance.now() - began > steadyMs) pauseMs = 0
    restarting = restart()
  }
  const restart = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause()
      pauseMs = Math.min(longestPauseMs, pauseMs * 2 || 100)
      if (signal.aborted) return
      try {
        began = performance.now()
        current = await start({ onExit: ended, signal, port: first.port })
        log(`${name} is back (pid ${current.pid})`)
        return
      } catch (error) {
        if (!signal.aborted) log(`${(error as Error).message}; it is tried again`)
      }
    }
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const breakOff = () => stopping.abort()
  options.signal?.throwIfAborted()
  options.signal?.addEventListener('abort', breakOff)
  const first = await start({ onExit: ended, signal }).finally(() =>
    options.signal?.removeEventListener('abort', breakOff),
  )
  let current = first
  return {
    server: first,
    pid: () => current.pid,
    stop: async () => {
      stopping.abort()
      wake()
      await restarting
      await current.stop()
    },
  }
}
