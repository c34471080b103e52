import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node'

/** Prints one line at the end of a run, `12 passed, 0 failed`, and before it the tests that passed at a second attempt only. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: TestRunEndReason): void {
    let passed = 0
    let skipped = 0
    // A file that cannot be loaded counts as one failure, and so does each error outside a test.
    let failed = unhandledErrors.length
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (test.diagnostic()?.flaky === true)
          console.log(`\nPassed at a second attempt only: ${module.relativeModuleId} > ${test.fullName}`)
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped += 1
      }
    }
    // A run that could not start (no server, no test) fails although no test failed.
    if (failed === 0 && (reason !== 'passed' || modules.length === 0)) failed = 1
    console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  }
}
