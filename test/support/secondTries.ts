import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that passed only at the second try, so that a spec that depends on luck is seen and mended. */
export default class SecondTries implements Reporter {
  private readonly found: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.found.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.found) console.log(`passed only at the second try: ${name}`)
  }
}
