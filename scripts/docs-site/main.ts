// Builds the documentation site : `npm run docs:build`. Installs the site's own packages first; DOCS_BASE (/docs),
// DOCS_SITE and DOCS_REPOSITORY set its address and where links to other files of the repository lead.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSite } from './check.ts'
import { finish } from './finish.ts'
import { site } from './pages.ts'
import { prepare } from './prepare.ts'

const base = process.env['DOCS_BASE'] ?? '/docs'
const repository = process.env['DOCS_REPOSITORY'] ?? 'https://github.com/tollgate/tollgate'

if (isStale()) run('npm', ['ci', '--workspaces=false', '--no-audit', '--no-fund', '--loglevel=error'])
const pages = await prepare({ base, repository })
run(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build', '--silent'])
finish(base)
const problems = checkSite(base)
for (const problem of problems) console.error(problem)
console.log(`${pages} pages in web/docs/dist, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

/** True if the site's packages differ from its lock file. */
function isStale(): boolean {
  const present = packagesOf('node_modules/.package-lock.json')
  return Object.entries(packagesOf('package-lock.json')).some(
    ([path, { version, optional, peer }]) => path !== '' && optional !== true && peer !== true && present[path]?.version !== version,
  )
}

type Packages = Readonly<Record<string, { readonly version?: string; readonly optional?: boolean; readonly peer?: boolean }>>

function packagesOf(file: string): Packages {
  const path = join(site, file)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }).packages : {}
}

function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, DOCS_BASE: base, ASTRO_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
