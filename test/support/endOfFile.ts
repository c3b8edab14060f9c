import { flushCompileCache } from 'node:module'
import { afterAll } from 'vitest'
import { writeLogs } from './suiteLog.ts'

/** Vitest ends workers by a signal, so what a process would keep when it exits is kept after each file of specs. */
afterAll(() => {
  writeLogs()
  flushCompileCache()
})
