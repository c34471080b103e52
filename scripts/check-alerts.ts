/**
 * `npm run check:alerts`: checks the alert rules of the Helm chart and runs their tests (deploy/observability/alerts.test.yaml) with
 * Prometheus' own promtool: from PATH, or out of Debian's package, which is unpacked into a temporary folder and not installed. Without
 * either the check is skipped with a line that says so.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const RULES = 'helm/tollgate/files/alerts.yaml'
const TESTS = 'deploy/observability/alerts.test.yaml'
const PACKAGE = 'prometheus'

const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
try {
  const promtool = findPromtool()
  if (promtool === undefined) console.log('check:alerts SKIPPED: promtool is not in PATH, and the package "prometheus" cannot be fetched')
  else process.exitCode = check(promtool)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function findPromtool(): string | undefined {
  if (runs('promtool', ['--version'])) return 'promtool'
  const [file] = isDebian() ? fetched() : []
  if (file === undefined || !runs('dpkg', ['-x', file, 'unpacked'])) return undefined
  return join(folder, 'unpacked/usr/bin/promtool')
}

function isDebian(): boolean {
  return runs('apt-get', ['--version']) && runs('dpkg', ['--version'])
}

/** The lists of packages may be old or missing: they are read again when the first attempt fails, which needs root. */
function fetched(): string[] {
  const fetch = (): boolean => runs('apt-get', ['download', '-q', PACKAGE])
  if (!fetch() && runs('apt-get', ['update', '-q'])) fetch()
  return readdirSync(folder).filter((name) => name.endsWith('.deb'))
}

function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    // Not installed, or it failed: both mean that there is no promtool.
    return false
  }
}

function check(promtool: string): number {
  try {
    execFileSync(promtool, ['check', 'rules', RULES], { cwd: root, stdio: 'inherit' })
    execFileSync(promtool, ['test', 'rules', TESTS], { cwd: root, stdio: 'inherit' })
    return 0
  } catch {
    // It has printed what is wrong.
    return 1
  }
}
