import { createHash } from 'node:crypto'
import { cp, mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClientError, run } from '../tools.ts'
import type { Tool } from './tools.ts'

const INSTALL_MS = 900_000
const READERS = 'readers.mjs'

/** A folder with the packages of a tool, kept in the temporary folder; programs that are written there find them. */
export async function installTool(tool: Tool): Promise<string> {
  const pip = tool.kind === 'runs' ? (tool.pip ?? []) : []
  const packages = [...(tool.npm ?? []), ...pip]
  const hash = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
  const dir = join(tmpdir(), `tollgate-setups-${hash}`)
  if (await isThere(join(dir, 'done'))) return dir
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  if (tool.npm !== undefined) await mustRun('npm', ['install', '--prefix', dir, '--no-audit', '--no-fund', '--loglevel=error', ...tool.npm])
  if (pip.length > 0) {
    await mustRun('python3', ['-m', 'venv', dir])
    await mustRun(join(dir, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...pip])
  }
  if (tool.kind === 'reads') await cp(join(import.meta.dirname, 'programs', READERS), join(dir, READERS))
  await mkdir(join(dir, 'done'))
  return dir
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function mustRun(command: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(command, args, { timeoutMs: INSTALL_MS })
  if (code !== 0) throw new ClientError(`${command} ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`)
}
