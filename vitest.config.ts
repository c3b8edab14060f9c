import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/globalSetup.ts'],
    include: ['test/**/*.spec.ts'],
    // A generous ceiling: specs wait for conditions, never for a time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
