// Runs the conformance suites and writes docs/generated/conformance.md from their results: `npm run conformance`. With --check it fails
// when the file changes.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OPERATIONS, readResults, renderConformance } from './gen/conformance.ts'

const SUITES = ['libs/providers/src/conformance/', 'services/relay/test/sdk-conformance.test.ts', ...OPERATIONS.map(({ suite }) => suite)]
const root = join(import.meta.dirname, '..')
const target = join(root, 'docs/generated/conformance.md')
const dir = mkdtempSync(join(tmpdir(), 'tollgate-conformance-'))
const report = join(dir, 'results.json')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

const done = spawnSync(
  process.execPath,
  [vitest, 'run', ...SUITES, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', TZ: 'UTC' },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
const before = read(target)
const results = readResults(readFileSync(report, 'utf8'))
const text = renderConformance(results)
writeFileSync(target, text)
rmSync(dir, { recursive: true, force: true })
if (done.status !== 0) console.error('the conformance suites have failures: see the red cells of docs/generated/conformance.md')
const isStale = process.argv.includes('--check') && before !== text
if (isStale) console.error('docs/generated/conformance.md was out of date. Fix: commit what `npm run conformance` wrote.')
process.exitCode = done.status !== 0 || isStale ? 1 : 0

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The file does not exist yet, so it is out of date.
    return ''
  }
}
