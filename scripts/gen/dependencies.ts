import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEPENDENCY_REASONS } from './dependency-reasons.ts'
import { code, page, table } from './markdown.ts'

type Names = Readonly<Record<string, string>>
type Locked = {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly devDependencies?: Names
}
type Packages = Readonly<Record<string, Locked>>
type Dependency = { readonly name: string; readonly path: string; readonly users: readonly string[] }

const PARTS = [
  { title: 'Services, command line and launcher', has: (folder: string, isDev: boolean) => !isDev && folder !== 'web/console' },
  { title: 'Console', has: (folder: string, isDev: boolean) => !isDev && folder === 'web/console' },
  { title: 'Tests and tools', has: (_: string, isDev: boolean) => isDev },
] as const

/** Licences of installed packages that a company may have to look at, and what they are of. */
const LICENCE_NOTES: Names = {
  'MPL-2.0': 'tool for CSS at build time, and axe in tests; changed files of theirs stay open',
  'OFL-1.1': 'typeface',
  'CC-BY-4.0': 'data about browsers at build time',
}

/** Packages that a manifest names, with licence, size and reason; fails for one without a reason, and for a reason without a package. */
export function renderDependencies(): string {
  // The format of npm: https://docs.npmjs.com/cli/configuring-npm/package-lock-json
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as { readonly packages: Packages }
  const { packages } = lock
  const listed = new Set<string>()
  const used = new Set<string>()
  const parts = PARTS.map(({ title, has }) => {
    const rows = dependenciesOf(packages, has)
      .filter(({ name }) => !listed.has(name))
      .map(({ name, path, users }) => {
        listed.add(name)
        const { version = '', license = '' } = packages[path] ?? {}
        const brought = closureOf(packages, path).size - 1
        return [code(name), version, license, String(brought), users.map(code).join(', '), reasonOf(name, used)]
      })
    return `## ${title}\n\n${table(['Package', 'Version', 'Licence', 'Brings', 'Used by', 'For'], rows)}`
  })
  const unused = Object.keys(DEPENDENCY_REASONS).filter((pattern) => !used.has(pattern))
  if (unused.length > 0)
    throw new Error(`scripts/gen/dependency-reasons.ts has reasons of packages that no manifest names: ${unused.join(', ')}`)
  return page({
    title: 'Dependencies',
    about:
      'Packages that a manifest names, as package-lock.json has them; reasons are in `scripts/gen/dependency-reasons.ts`. “Brings” is the number of packages that come with one, shared ones counted at each. Load tests, the documentation site and the programs of `tests/clients` have locks of their own and are not in the product.',
    parts: [...parts, licences(packages)],
  })
}

function dependenciesOf(packages: Packages, has: (folder: string, isDev: boolean) => boolean): Dependency[] {
  const found = new Map<string, { path: string; users: string[] }>()
  for (const [folder, { dependencies = {}, optionalDependencies = {}, devDependencies = {} }] of Object.entries(packages)) {
    if (folder.includes('node_modules/')) continue
    const named = [
      ...(has(folder, false) ? Object.keys({ ...dependencies, ...optionalDependencies }) : []),
      ...(has(folder, true) ? Object.keys(devDependencies) : []),
    ]
    for (const name of named.filter((one) => !one.startsWith('@tollgate/'))) {
      const known = found.get(name) ?? { path: pathOf(packages, folder, name) ?? '', users: [] }
      found.set(name, { ...known, users: [...known.users, folder === '' ? 'the root' : folder] })
    }
  }
  return [...found].map(([name, rest]) => ({ name, ...rest })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The nearest copy, as Node looks for it from a folder upwards. */
function pathOf(packages: Packages, folder: string, name: string): string | undefined {
  for (let at: string | undefined = folder; at !== undefined; at = parentOf(at)) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    if (path in packages) return path
  }
  return undefined
}

function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined
  const at = folder.lastIndexOf('/node_modules/')
  return at === -1 ? '' : folder.slice(0, at)
}

function closureOf(packages: Packages, start: string): ReadonlySet<string> {
  const seen = new Set([start])
  // A set gives what is added while it is read.
  for (const path of seen) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = pathOf(packages, path, name)
      if (next !== undefined) seen.add(next)
    }
  }
  return seen
}

function reasonOf(name: string, used: Set<string>): string {
  const pattern = [name, `${name.split('/')[0]}/*`].find((one) => one in DEPENDENCY_REASONS)
  const reason = pattern === undefined ? undefined : DEPENDENCY_REASONS[pattern]
  if (pattern === undefined || reason === undefined) throw new Error(`scripts/gen/dependency-reasons.ts says nothing about ${name}`)
  used.add(pattern)
  return reason
}

function licences(packages: Packages): string {
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  const byLicence = Map.groupBy(installed, ([, { license }]) => license ?? 'not stated')
  const rows = [...byLicence].map(([licence, all]) => {
    const isDev = all.filter(([, { dev }]) => dev === true).length
    return { licence, running: all.length - isDev, isDev }
  })
  const lines = rows
    .toSorted((a, b) => b.running - a.running || b.isDev - a.isDev || (a.licence < b.licence ? -1 : 1))
    .map(({ licence, running, isDev }) => [licence, String(running), String(isDev), LICENCE_NOTES[licence] ?? ''])
  return `## Licences of all ${installed.length} packages\n\n${table(['Licence', 'Without development packages', 'Development only', 'Note'], lines)}`
}
