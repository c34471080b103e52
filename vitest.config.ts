import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from './scripts/slow-files-first.ts'
import { SummaryReporter } from './scripts/summary-reporter.ts'

// Groups with `isolate: false` load the program once per worker instead of once per file: their modules hold no state of a test. The console
// loads its own again for each file, but not its packages.
// Vitest leaves a core free, which is half of a machine with two.
const maxWorkers = Math.max(2, availableParallelism() - 1)
// Tests with servers wait for them most of the time.
const waiting = 2 * maxWorkers
// Groups that run one after the other: without servers, with Postgres and Redis, with all services, in a browser.
const servers = {
  globalSetup: ['libs/testing/src/global-setup.ts'],
  setupFiles: ['libs/testing/src/wait-timeouts.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // The default of 1 s is too short for a busy machine; `setupFiles` does the same for `vi.waitFor`.
  expect: { poll: { timeout: 10_000 } },
}
const processes = { ...servers, testTimeout: 120_000, hookTimeout: 120_000 }
// Pages load parts late, and CI machines are shared: there, a second attempt decides. The summary names each test that needed it.
const retry = process.env['CI'] === undefined ? 0 : 1

// Results for programs, for example `npm run conformance -- --from FILE`.
const report = process.env['TEST_REPORT']

/**
 * Lines that the virtual browser and React print when tests refuse calls, break the network or visit a page without permission on purpose, and
 * a hint of emotion's for pages that a server renders, which these are not.
 */
const EXPECTED_REPORTS = [
  /^(?:GET|POST|PUT|PATCH|DELETE) http:\/\/localhost:3000\/\S* [45]\d\d \(/,
  /^TypeError: Network error/,
  /\bNoPermission\b/,
  /potentially unsafe when doing server-side rendering/,
]

export default defineConfig({
  test: {
    onConsoleLog: (log) => (EXPECTED_REPORTS.some((report) => report.test(log)) ? false : undefined),
    reporters: [
      'default',
      new SummaryReporter(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies [string, object]]),
    ],
    // Skipped and empty tests prove nothing.
    allowOnly: false,
    sequence: { sequencer: SlowFilesFirst },
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'libs/{admin-client,cli,contracts,domain,providers,mail,config,telemetry,shares,moving-in}/**/*.test.ts',
            'tests/tooling/**/*.test.ts',
          ],
          environment: 'node',
          testTimeout: 20_000,
          maxWorkers,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        root: 'web/console',
        test: {
          name: 'console',
          include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { settings: { navigation: { disableFallbackToSetURL: true } } } },
          setupFiles: [
            join(import.meta.dirname, 'web/console/src/testing/browser-console.ts'),
            join(import.meta.dirname, 'web/console/src/testing/shared-browser.ts'),
          ],
          testTimeout: 20_000,
          retry,
          maxWorkers,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'service',
          include: ['libs/{redis,jobs,ledger,http,outbound,payments,upstream,servers,testing}/**/*.test.ts', 'services/relay/**/*.test.ts'],
          environment: 'node',
          ...servers,
          maxWorkers: waiting,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'database',
          include: ['libs/{db,log-store}/**/*.test.ts', 'services/{control-plane,worker}/**/*.test.ts'],
          environment: 'node',
          ...servers,
          // Open transactions and the position of the log are those of the whole server, so one file would see another's.
          provide: { postgresServers: maxWorkers + 1 },
          maxWorkers: maxWorkers + 1,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts', 'deploy/**/*.test.ts'],
          exclude: ['tests/tooling/**', 'tests/browser/**'],
          environment: 'node',
          ...processes,
          maxWorkers: 4,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          environment: 'node',
          ...processes,
          maxWorkers: 3,
          retry,
          globalSetup: [...servers.globalSetup, 'tests/support/console-build.ts'],
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
