// Packs the command line into one npm package without dependencies, which runs on Node 20: `npm run pack:cli [-- FOLDER]` (default:
// `dist` of the command line). A test and the release workflow use it; publishing is a step of its own.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'libs/cli/dist'))
const staged = join(target, 'package')
/** Read at run time, at the paths that they have in the repository. */
const FILES = ['docs/verify-receipt.mjs', 'docs/generated/config.schema.json', 'LICENSE']

rmSync(staged, { recursive: true, force: true })
await bundle()
for (const file of FILES) copy(file, file)
copy('docs/guides/command-line.md', 'README.md')
writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
const [{ filename }] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: staged, encoding: 'utf8' }),
) as [
  // What npm prints for one package.
  { readonly filename: string },
]
console.log(join(target, filename))

async function bundle(): Promise<void> {
  const build = await rolldown({
    input: join(root, 'libs/cli/src/main.ts'),
    platform: 'node',
    plugins: [{ name: 'own-paths', transform: { filter: { id: /\.ts$/ }, handler: keepPaths } }],
  })
  await build.write({ format: 'esm', file: join(staged, 'tollgate.mjs') })
}

/** Modules read files beside them: in the bundle, which lies at the root of the package, their own paths come back. */
function keepPaths(source: string, id: string): string | null {
  const path = JSON.stringify(relative(root, id))
  const folder = JSON.stringify(`/${relative(root, dirname(id))}`)
  if (!/import\.meta\.(?:dirname|url)/.test(source)) return null
  return source
    .replace(/import\.meta\.dirname/g, `(import.meta.dirname + ${folder})`)
    .replace(/import\.meta\.url/g, `new URL(${path}, import.meta.url)`)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(staged, to)), { recursive: true })
  copyFileSync(join(root, from), join(staged, to))
}

function manifest(): object {
  const { name, version, license } = readManifest('package.json')
  const { description } = readManifest('libs/cli/package.json')
  return { name, version, description, license, type: 'module', bin: { tollgate: 'tollgate.mjs' }, engines: { node: '>=20' } }
}

function readManifest(file: string): Readonly<Record<string, unknown>> {
  // A manifest is an object.
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Readonly<Record<string, unknown>>
}
