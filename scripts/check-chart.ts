/**
 * `npm run check:chart [-- --write]`: lints the Helm chart and compares what it renders for each set of values with helm/golden. Needs
 * `helm` in PATH; without it the check is skipped with a line that says so.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const chart = join(root, 'helm/tollgate')
const golden = join(root, 'helm/golden')
const KUBE_VERSION = '1.31.0'
const isWriting = process.argv.includes('--write')

if (hasHelm()) process.exitCode = check()
else console.log('check:chart SKIPPED: helm is not in PATH (go install helm.sh/helm/v3/cmd/helm@latest)')

function hasHelm(): boolean {
  try {
    helm('version')
    return true
  } catch {
    // Not installed.
    return false
  }
}

function helm(...args: readonly string[]): string {
  return execFileSync('helm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function check(): number {
  let differing = 0
  const sets = readdirSync(join(chart, 'values'))
  for (const file of sets) {
    const values = join(chart, 'values', file)
    helm('lint', chart, '--strict', '--kube-version', KUBE_VERSION, '--values', values)
    const rendered = helm('template', 'tollgate', chart, '--kube-version', KUBE_VERSION, '--values', values)
    const path = join(golden, file)
    if (isWriting) writeFileSync(path, rendered)
    else if (readFileSync(path, 'utf8') !== rendered) {
      console.error(
        `helm/golden/${file} differs from what the chart renders; look at the difference after "npm run check:chart -- --write"`,
      )
      differing += 1
    }
  }
  console.log(`check:chart: ${sets.length} sets of values, ${differing} differ`)
  return differing === 0 ? 0 : 1
}
