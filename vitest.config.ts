import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/globalSetup.ts'],
    include: ['test/**/*.spec.ts'],
    // A generous ceiling: specs wait for conditions, never for a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a store that is given, specs of the protocol count what they alone write: one file at a time.
    maxWorkers: process.env.EVENTSTORE_URL ? 1 : 2,
  },
})
