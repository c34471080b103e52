import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { visible } from '@tollgate/telemetry/visible'
import type { Paths } from '../machine/paths.ts'
import { log } from '../machine/log.ts'

const run = promisify(execFile)

const sources = ['web/console', 'libs/contracts/src', 'libs/domain/src', 'libs/providers/src', 'package-lock.json']
const outputs = new Set(['dist', 'node_modules', 'routeTree.gen.ts', '.tanstack', '.turbo', '.types', '.vite'])

/** Builds the console if its sources changed since the last build; returns the folder to serve. */
export async function buildConsole({ root, stateDir }: Paths, signal: AbortSignal): Promise<string> {
  const folder = join(root, 'web/console')
  const dist = join(folder, 'dist')
  const stamp = join(dist, '.built-from')
  const hash = await hashOf(root)
  const isBuilt = await stat(join(dist, 'index.html')).then(
    () => true,
    () => false,
  )
  if (isBuilt && (await readFile(stamp, 'utf8').catch(() => '')) === hash) return dist
  const started = Date.now()
  log('building the console …')
  try {
    const env = inheritedEnv({ NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: undefined })
    await run(process.execPath, [viteProgram(folder), 'build', '--logLevel', 'warn'], { cwd: folder, env, signal, maxBuffer: 64 << 20 })
  } catch (error) {
    if (signal.aborted) throw error
    const logFile = join(stateDir, 'log/console-build.log')
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    await mkdir(dirname(logFile), { recursive: true })
    await writeFile(logFile, `${output}\n`)
    throw new Error(`the console could not be built: ${visible(output, 200)}; see ${logFile}`)
  }
  await writeFile(stamp, hash)
  log(`built the console in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return dist
}

export function viteProgram(folder: string): string {
  const require = createRequire(join(folder, 'package.json'))
  return join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
}

async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(join(root, source)))
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0')
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = (await readdir(path, { withFileTypes: true })).filter(({ name }) => !outputs.has(name) && !name.includes('.test.'))
  const below = await Promise.all(entries.map(({ name }) => listFiles(join(path, name))))
  return below.flat().toSorted()
}
