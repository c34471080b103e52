// Asks the registry for known vulnerabilities of the packages in package-lock.json; fails on high and critical ones. Without network, or
// with a registry that has no audit endpoint, it says so and succeeds.
import { spawnSync } from 'node:child_process'

/** Address of an accepted advisory → why it does not concern us. */
const accepted: ReadonlyMap<string, string> = new Map()

const FAILING: ReadonlySet<string> = new Set(['high', 'critical'])

type Advisory = { readonly title: string; readonly url: string; readonly severity: string }
type Report = {
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (Advisory | string)[] }>>
  readonly message?: string
  readonly error?: { readonly summary?: string }
}

const report = runAudit()
if (report.vulnerabilities === undefined) {
  const reason = (report.message ?? report.error?.summary ?? '').split('\n')[0] ?? ''
  console.log(`audit skipped: the registry answered no audit request (${reason === '' ? 'no connection' : reason})`)
} else {
  const found = listAdvisories(report.vulnerabilities)
  for (const { name, title, url, severity } of found) console.log(`${severity}: ${name}: ${title} ${url}${acceptedNote(url)}`)
  const failing = found.filter(({ severity, url }) => FAILING.has(severity) && !accepted.has(url))
  console.log(`audit: ${found.length} advisories, ${failing.length} of them high or critical`)
  process.exitCode = failing.length === 0 ? 0 : 1
}

function runAudit(): Report {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=30000'], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  try {
    return JSON.parse(stdout) as Report // npm's own format
  } catch {
    // npm printed no report.
    return { message: stdout.trim().slice(0, 200) }
  }
}

/** Each advisory once, with the package that has it; a package that only depends on such a package is named by a text. */
function listAdvisories(vulnerabilities: NonNullable<Report['vulnerabilities']>): (Advisory & { readonly name: string })[] {
  const byUrl = new Map<string, Advisory & { readonly name: string }>()
  for (const [name, { via }] of Object.entries(vulnerabilities)) {
    for (const advisory of via) if (typeof advisory !== 'string') byUrl.set(`${name} ${advisory.url}`, { ...advisory, name })
  }
  return [...byUrl.values()]
}

function acceptedNote(url: string): string {
  const reason = accepted.get(url)
  return reason === undefined ? '' : ` (accepted: ${reason})`
}
