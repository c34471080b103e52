// Runs the vendors' own clients against a recording server and compares what they send with the recordings that the tests read:
// `npm run check:vendor-sdks`. Names of packages choose some of them; with `--write` it takes what it found into the recordings,
// with `--newest` it runs the newest versions instead of those of the list.
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { recordingFile, typesFile, type RecordedRequest } from '../libs/upstream/test/vendor-sdks/recording.ts'
import { VENDOR_SDKS, type VendorSdk } from '../libs/upstream/test/vendor-sdks/sdks.ts'
import { startRecorder } from './vendor-sdks/recorder.ts'

const PROGRAMS = join(import.meta.dirname, 'vendor-sdks/programs')
const CONVERSATION = join(import.meta.dirname, '../libs/upstream/test/vendor-sdks/conversation.json')
/** Reads the declarations of an npm package; later majors have no API for programs. */
const TYPESCRIPT = 'typescript@5.9.3'
/** The HTTP clients that `record.py` changes. */
const HTTP_CLIENTS = ['requests==2.34.2', 'httpx==0.28.1']
const MAX_RUN_MS = 120_000

const isWriting = process.argv.includes('--write')
const isNewest = process.argv.includes('--newest')
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
const chosen = VENDOR_SDKS.filter((sdk) => names.length === 0 || names.includes(sdk.package))
// A folder that was installed before, for work on the programs.
const given = process.env['VENDOR_SDKS_FOLDER']
const folder = given ?? mkdtempSync(join(tmpdir(), 'tollgate-vendor-sdks-'))
try {
  if (given === undefined) install()
  for (const file of readdirSync(PROGRAMS)) copyFileSync(join(PROGRAMS, file), join(folder, file))
  copyFileSync(CONVERSATION, join(folder, 'conversation.json'))
  for (const sdk of chosen) await check(sdk)
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

function install(): void {
  const npm = chosen.filter(({ registry }) => registry === 'npm')
  const pypi = chosen.filter(({ registry }) => registry === 'pypi')
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const packages = [...new Set(npm.map((sdk) => `${sdk.package}@${isNewest ? 'latest' : sdk.version}`)), TYPESCRIPT]
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'inherit' })
  if (pypi.length === 0) return
  execFileSync('python3', ['-m', 'venv', 'env'], { cwd: folder, stdio: 'inherit' })
  const pinned = [...pypi.map((sdk) => (isNewest ? sdk.package : `${sdk.package}==${sdk.version}`)), ...HTTP_CLIENTS]
  execFileSync(join(folder, 'env/bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...pinned], {
    cwd: folder,
    stdio: 'inherit',
  })
}

async function check(sdk: VendorSdk): Promise<void> {
  const conversations = await run(sdk)
  const version = isNewest ? installedVersion(sdk) : sdk.version
  const found = { sdk: sdk.package, version, conversations }
  compare(recordingFile(sdk), found)
  if (sdk.types !== undefined) compare(typesFile(sdk), { sdk: sdk.package, version, ...readTypes(sdk) })
}

function installedVersion({ registry, package: name }: VendorSdk): string {
  if (registry === 'pypi') {
    const script = `import importlib.metadata as m; print(m.version('${name}'))`
    return execFileSync(join(folder, 'env/bin/python'), ['-c', script]).toString().trim()
  }
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version // a package's manifest
}

/** The exit code says whether anything differs; the date of a recording is that of its last change. */
function compare(path: string, found: Readonly<Record<string, unknown>> & { readonly version: string }): void {
  const known = readKnown(path)
  const { recorded: _recorded, ...before } = known
  // A newer version that sends the same is no news.
  const isSame = JSON.stringify({ ...before, ...(isNewest ? { version: found.version } : {}) }) === JSON.stringify(found)
  console.log(`${isSame ? 'same' : isWriting ? 'written' : 'DIFFERS'}: ${path} (${found.version})`)
  if (isSame) return
  if (!isWriting) {
    process.exitCode = 1
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  const recorded = new Date().toISOString().slice(0, 10)
  writeFileSync(path, `${JSON.stringify({ recorded, ...found }, undefined, 2)}\n`)
}

function readKnown(path: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>> // written above
  } catch {
    return {}
  }
}

async function run(sdk: VendorSdk): Promise<Readonly<Record<string, readonly RecordedRequest[]>>> {
  const recorder = await startRecorder()
  try {
    const program = sdk.registry === 'npm' ? process.execPath : join(folder, 'env/bin/python')
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, RECORDER: recorder.url, MODELS: JSON.stringify(sdk.models) }
    const child = spawn(program, [join(folder, sdk.program)], { cwd: folder, env, stdio: 'inherit', timeout: MAX_RUN_MS })
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve))
    if (code !== 0) throw new Error(`${sdk.program} of ${sdk.package} ended with ${code}`)
    return Object.fromEntries(recorder.conversations)
  } finally {
    await recorder.close()
  }
}

/** Read by a program in the folder, where the packages are. */
function readTypes({ registry, types }: VendorSdk): object {
  const [program, script] = registry === 'npm' ? [process.execPath, 'read-types.mjs'] : [join(folder, 'env/bin/python'), 'read_types.py']
  return JSON.parse(execFileSync(program, [script, JSON.stringify(types)], { cwd: folder }).toString()) as object // written by the script
}
