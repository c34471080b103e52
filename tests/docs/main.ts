// Runs the fenced blocks of the guides that are marked `sh run` against a fresh installation: `npm run check:docs [-- PAGE…]`.
// A page is run from top to bottom in one empty folder; the rest of a page is left out after a block that fails.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInstallation, type Installation } from '../screenshots/installation.ts'
import { signIn } from '../support/api.ts'
import { blocksOf, pagesWithBlocks, type Block } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const BLOCK_WITHIN_MS = 180_000

const asked = process.argv.slice(2)
const pages = pagesWithBlocks().filter((page) => asked.length === 0 || asked.some((part) => page.includes(part)))
const work = mkdtempSync(join(tmpdir(), 'tollgate-docs-'))
const installation = await startInstallation()
try {
  const env = prepare(installation)
  const accessToken = await makeAccessToken(installation)
  const failed = pages.filter((page) => !runPage(page, { installation, env, accessToken }))
  print(`${pages.length} pages, ${failed.length} failed`)
  process.exitCode = failed.length === 0 && pages.length > 0 ? 0 : 1
} finally {
  await installation.stop()
  rmSync(work, { recursive: true, force: true })
}

type Reader = { readonly installation: Installation; readonly env: NodeJS.ProcessEnv; readonly accessToken: string }

function runPage(page: string, reader: Reader): boolean {
  const folder = mkdtempSync(join(work, 'page-'))
  return blocksOf(page).every((block) => runBlock(block, folder, reader))
}

/** The access token is on the standard input, where `tollgate login` reads it. */
function runBlock({ file, line, script }: Block, folder: string, { installation, env, accessToken }: Reader): boolean {
  const began = Date.now()
  const text = script.replaceAll('http://localhost:3000', installation.origin).replaceAll('https://gateway.example', installation.origin)
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', text.replaceAll('/mnt/', `${work}/`)], {
    cwd: folder,
    env,
    input: accessToken,
    encoding: 'utf8',
    timeout: BLOCK_WITHIN_MS,
  })
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  print(`${file}:${line}: ${status === 0 ? `works, ${seconds} s` : `failed (${status ?? 'took too long'})\n${stdout}${stderr}`}`)
  return status === 0
}

/** The environment of a reader: the commands `tollgate` and `npm` of the clone, and the key that the demo printed. */
function prepare({ demo, env }: Installation): NodeJS.ProcessEnv {
  const bin = join(work, 'bin')
  mkdirSync(bin)
  writeCommand(join(bin, 'tollgate'), `${process.execPath} ${join(root, 'libs/cli/src/main.ts')}`)
  writeCommand(
    join(bin, 'npm'),
    `${process.env['npm_execpath'] === undefined ? '/usr/bin/env -S npm' : `node ${process.env['npm_execpath']}`} --prefix ${root}`,
  )
  return { ...process.env, ...env, HOME: work, XDG_CONFIG_HOME: work, KEY: `sk-${demo.key}`, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
}

function writeCommand(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`)
  chmodSync(path, 0o755)
}

async function makeAccessToken({ origin, demo }: Installation): Promise<string> {
  const api = await signIn(origin, demo.username, demo.password)
  const { success, message, data } = await api.get<string>('/api/user/token')
  if (!success) throw new Error(`no access token: ${message}`)
  return data
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
