import { flushCompileCache } from 'node:module'
import { afterAll } from 'vitest'

/** Keep what this worker has compiled. Node does so when a process exits, but Vitest ends workers by a signal. */
afterAll(() => flushCompileCache())
