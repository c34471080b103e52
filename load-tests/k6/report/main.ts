import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from '../../../tests/support/command-line.ts'
import { PROFILES, type ProfileName } from '../../scenarios/profiles.ts'
import { toPage, type Run } from './page.ts'
import { parseSummary } from './summary.ts'

const { values, positionals } = readCommandLine({
  command: 'npm run k6 --',
  about:
    'Runs load profiles one after the other (all without a name) and prints their summaries as one page. Settings are in the environment.',
  example: 'npm run k6 -- smoke load --write',
  allowPositionals: true,
  options: {
    k6: { type: 'string', default: 'k6', about: 'the k6 program' },
    machine: { type: 'string', about: 'what the page says of the machine' },
    note: { type: 'string', multiple: true, default: [], about: 'a line for the page; can be given several times' },
    write: { type: 'boolean', default: false, about: 'writes docs/generated/k6.md' },
  },
})

const SUITE = join(import.meta.dirname, '..')
const PAGE = join(SUITE, '../../docs/generated/k6.md')

const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name)
const profiles = (positionals.length === 0 ? Object.keys(PROFILES) : positionals).map((name) => {
  if (!isProfile(name)) throw new Error(`unknown profile ${name}; the profiles are ${Object.keys(PROFILES).join(', ')}`)
  return name
})

const folder = mkdtempSync(join(tmpdir(), 'k6-'))
try {
  const runs = profiles.map(run).filter((one) => one !== undefined)
  const page = toPage(runs, { k6: versionOf(values.k6), machine: values.machine, notes: values.note })
  if (values.write) writeFileSync(PAGE, page)
  process.stdout.write(page)
  process.exitCode = runs.length === profiles.length && runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}

/** Undefined: k6 refused to begin, and has said why. */
function run(profile: ProfileName): Run | undefined {
  const file = join(folder, `${profile}.json`)
  const [before = 0] = loadavg()
  const startedAt = new Date()
  const args = ['run', '--quiet', '--no-usage-report', '--summary-export', file, join(SUITE, `${profile}.ts`)]
  const { status, error } = spawnSync(values.k6, args, { stdio: 'inherit' })
  if (error !== undefined) throw new Error(`k6 does not start: ${error.message}; pass its path with --k6`, { cause: error })
  const [after = 0] = loadavg()
  if (!existsSync(file)) {
    process.stderr.write(`${profile} did not run and is not in the report\n`)
    return undefined
  }
  return { profile, startedAt, exitCode: status ?? 1, loads: [before, after], summary: parseSummary(readFileSync(file, 'utf8')) }
}

function versionOf(k6: string): string {
  const { stdout } = spawnSync(k6, ['version'], { encoding: 'utf8' })
  return stdout.split('\n')[0] ?? ''
}
