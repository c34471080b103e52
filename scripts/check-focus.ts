// Runs the validator of the FinOps Foundation on an export of cost and usage: `npm run check:focus`. Needs Python 3.12 (`PYTHON` names
// another than `python3.12`) and takes 640 MB for a moment. `FOCUS_VALIDATOR` names a folder with an environment that has it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** pyarrow 19 and later want NumPy 2, and the validator NumPy 1.26 (2026-11-28). */
const PACKAGES = ['focus-validator==2.2.1', 'pyarrow==18.1.0']
const CRITERIA = [
  'ACCOUNT_NAMING_SUPPORTED',
  'NEGOTIATED_PRICING_SUPPORTED',
  'PUBLIC_PRICE_LIST_SUPPORTED',
  'USAGE_MEASUREMENT_SUPPORTED',
  'UNIT_PRICING_SUPPORTED',
  'SUB_ACCOUNT_SUPPORTED',
  'TAGGING_SUPPORTED',
]
/** Two rules that no file can pass at once: an invoice must be named, and must not be. */
const CONTRADICTORY = ['InvoiceId-C-004-C', 'InvoiceId-C-005-C']

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-focus-'))
try {
  const file = join(folder, 'focus.csv')
  exportTo(file)
  const failed = validate(file)
  for (const line of failed) console.error(line)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The file that the test of the export reads. */
function exportTo(file: string): void {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const suite = 'services/control-plane/src/resources/exports/focus.test.ts'
  const env = { ...process.env, FOCUS_FILE: file }
  execFileSync(process.execPath, [vitest, 'run', suite], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(file)) throw new Error('the test wrote no export')
}

/** The rules that failed. The validator exits with 0 then too. */
function validate(file: string): string[] {
  const environment = process.env['FOCUS_VALIDATOR'] ?? install()
  const python = join(environment, 'bin/python')
  const where = 'import focus_validator, os; print(os.path.dirname(os.path.dirname(focus_validator.__file__)))'
  // It reads its list of currencies relative to the working folder.
  const cwd = execFileSync(python, ['-c', where], { encoding: 'utf8' }).trim()
  const args = ['--data-file', file, '--block-download', '--applicability-criteria', CRITERIA.join(',')]
  const { stdout } = spawnSync(join(environment, 'bin/focus-validator'), args, { cwd, encoding: 'utf8' })
  const total = /^Total: .*$/m.exec(stdout)?.[0]
  if (total === undefined) throw new Error(`the validator gave no result:\n${stdout.slice(-2000)}`)
  console.log(total)
  return stdout.split('\n').filter((line) => line.startsWith('❌') && !CONTRADICTORY.some((rule) => line.includes(rule)))
}

function install(): string {
  const environment = join(folder, 'venv')
  execFileSync(process.env['PYTHON'] ?? 'python3.12', ['-m', 'venv', environment])
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', ...PACKAGES], { stdio: 'inherit' })
  return environment
}
