import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { inheritedEnv } from '@tollgate/config/inherited-env'

/** `absent`: no test has this name, or its file failed before running it. */
export type Outcome = 'green' | 'red' | 'absent'
export type NamedTest = { readonly file: string; readonly test: string }
export type TestRun = {
  readonly outcomeOf: (named: NamedTest) => Outcome
  /** First line of the failure message. */
  readonly reasonOf: (named: NamedTest) => string
  readonly output: string
}

/** The fields read from vitest's JSON report: https://vitest.dev/guide/reporters.html#json-reporter */
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
})

const DEADLINE_MS = 180_000

/** Runs only these tests, in the copy at `dir`. */
export async function runTests(dir: string, tests: readonly NamedTest[]): Promise<TestRun> {
  const report = join(dir, 'mutants-report.json')
  await rm(report, { force: true })
  const files = [...new Set(tests.map(({ file }) => file))]
  // `-t` matches names joined by ` > `; the report joins them by a space.
  const pattern = tests.map(({ test }) => test.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(' ', '[ >]+')).join('|')
  const args = [join(dir, 'node_modules/vitest/vitest.mjs'), 'run', ...files, '-t', pattern, '--reporter=json', `--outputFile=${report}`]
  const env = inheritedEnv({ NODE_ENV: 'test', TZ: 'UTC' })
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: DEADLINE_MS })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}')
  const { testResults } = Report.parse(JSON.parse(text))
  const find = ({ file, test }: NamedTest) =>
    testResults
      .filter(({ name }) => name === join(dir, file))
      .flatMap(({ assertionResults }) => assertionResults.filter(({ fullName }) => fullName === test))
  return {
    output,
    outcomeOf: (named) => toOutcome(find(named).map(({ status }) => status)),
    reasonOf: (named) =>
      find(named)
        .flatMap(({ failureMessages }) => failureMessages ?? [])[0]
        ?.split('\n')[0] ?? '',
  }
}

/** Vitest reports a test whose setup failed as skipped, so only `passed` counts as green. */
function toOutcome(statuses: readonly string[]): Outcome {
  if (statuses.includes('failed')) return 'red'
  return statuses.length > 0 && statuses.every((status) => status === 'passed') ? 'green' : 'absent'
}
