// Runs the conformance suites and writes docs/generated/conformance.md from their results: `npm run conformance`. With --check it fails
// when the file changes. With --from FILE it reads results that `TEST_REPORT=FILE npm test` wrote, and runs nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { OPERATIONS, readResults, renderConformance } from './gen/conformance.ts'

const SUITES = ['libs/providers/src/conformance/', 'services/relay/test/sdk-conformance.test.ts', ...OPERATIONS.map(({ suite }) => suite)]
const root = join(import.meta.dirname, '..')
const target = join(root, 'docs/generated/conformance.md')
const { check, from } = parseArgs({ options: { check: { type: 'boolean' }, from: { type: 'string' } } }).values

const { report, isFailed } = from === undefined ? runSuites() : { report: readFileSync(from, 'utf8'), isFailed: false }
const before = read(target)
const text = renderConformance(readResults(report, SUITES))
writeFileSync(target, text)
if (isFailed) console.error('the conformance suites have failures: see the red cells of docs/generated/conformance.md')
const isStale = check === true && before !== text
if (isStale) console.error('docs/generated/conformance.md was out of date. Fix: commit what `npm run conformance` wrote.')
process.exitCode = isFailed || isStale ? 1 : 0

function runSuites(): { readonly report: string; readonly isFailed: boolean } {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-conformance-'))
  const file = join(dir, 'results.json')
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const done = spawnSync(process.execPath, [vitest, 'run', ...SUITES], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', TZ: 'UTC', TEST_REPORT: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const written = readFileSync(file, 'utf8')
  rmSync(dir, { recursive: true, force: true })
  return { report: written, isFailed: done.status !== 0 }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file does not exist yet, so it is out of date.
    return ''
  }
}
