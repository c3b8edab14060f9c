import { setTimeout as pause } from 'node:timers/promises'

const events = ['unhandledRejection', 'uncaughtException'] as const

/** Do `work`, and return the failures that nobody heard meanwhile. Each of them would end a service. */
export async function unheardIn(work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const unheard: unknown[] = []
  const note = (error: unknown) => void unheard.push(error)
  const others = events.map((event) => ({ event, listeners: process.listeners(event as 'exit') }))
  for (const event of events) process.removeAllListeners(event).on(event, note)
  try {
    await work()
    await pause(5)
  } finally {
    for (const { event, listeners } of others) {
      process.removeAllListeners(event)
      for (const listener of listeners) process.on(event, listener as () => void)
    }
  }
  return unheard
}
