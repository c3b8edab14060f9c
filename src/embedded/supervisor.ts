import { clock } from '../lib/clocks.ts'

/** A server in a process of its own. */
export interface Running {
  /** Absent where the server listens at no port. */
  port?: number
  pid: number
  /** Ends the process, by force if necessary, and resolves when it is gone. */
  stop(): Promise<void>
}

interface Supervised<Server extends Running> {
  /** The server as first started. Restarts keep its address, but not its pid. */
  server: Server
  pid(): number
  stop(): Promise<void>
}

interface SupervisorOptions<Server extends Running> {
  name: string
  /** Starts the server. `port` is absent the first time; `onExit` must be called if the server ends by itself. */
  start: (how: {
    onExit: (reason: string) => void
    /** Aborts a start that is under way. */
    signal: AbortSignal
    port?: number | undefined
  }) => Promise<Server>
  log: (line: string) => void
  onExit?: (name: string, reason: string) => void
  /** Aborts the first start. Only `stop` ends a server that has started. */
  signal?: AbortSignal | undefined
}

/**
 * Start a server, and start it again at the same address whenever it ends by itself: first at once, then after
 * pauses that double up to 5 s.
 * @throws the error of the first start; later failures are logged, and the start is tried again
 */
export async function supervise<Server extends Running>(
  options: SupervisorOptions<Server>,
): Promise<Supervised<Server>> {
  const { name, start, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let pauseMs = 0
  let began = clock()
  let restarting: Promise<void> | undefined

  const onExit = (reason: string): void => {
    if (signal.aborted) return
    log(`${name} ended by itself (${reason}) and is started again`)
    options.onExit?.(name, reason)
    if (clock() - began > steadyMs) pauseMs = 0
    restarting = restart()
  }
  const restart = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(pauseMs, signal)
      pauseMs = Math.min(longestPauseMs, pauseMs * 2 || 100)
      if (signal.aborted) return
      try {
        began = clock()
        current = await start({ onExit, signal, port: first.port })
        log(`${name} is back (pid ${current.pid})`)
        return
      } catch (error) {
        if (!signal.aborted) log(`${(error as Error).message}; the start is tried again`)
      }
    }
  }

  const abort = () => stopping.abort()
  options.signal?.throwIfAborted()
  options.signal?.addEventListener('abort', abort)
  const first = await start({ onExit, signal }).finally(() =>
    options.signal?.removeEventListener('abort', abort),
  )
  let current = first
  return {
    server: first,
    pid: () => current.pid,
    stop: async () => {
      stopping.abort()
      await restarting
      await current.stop()
    },
  }
}

const longestPauseMs = 5_000
/** A server that ran for longer has recovered: the next pause is short again. */
const steadyMs = 30_000

/** Resolve after the pause, or as soon as `signal` is aborted. Unlike `timers/promises`, it goes by a spec's timers. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal.addEventListener('abort', finish)
  })
}
