import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@tollgate/servers/free-port'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')
const Demo = z.object({ username: z.string(), password: z.string(), key: z.string() })

export type Installation = {
  readonly origin: string
  readonly demo: z.infer<typeof Demo>
  /** The variables that commands of the launcher need to work with this installation. */
  readonly env: Readonly<Record<'TOLLGATE_STATE_DIR' | 'PORT', string>>
  stop(): Promise<void>
}

/**
 * A fresh installation, started as a user starts it, with the demo's channel and thirty days of made-up requests. `variables` are added to
 * the environment.
 */
export async function startInstallation(variables: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const stateDir = await mkdtemp(join(tmpdir(), 'tollgate-screenshots-'))
  const port = await findFreePort()
  const own = { TOLLGATE_STATE_DIR: stateDir, PORT: String(port) }
  const env = { ...process.env, ...variables, ...own }
  const launcher = spawn('npm', ['start', '--', '--demo'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const ended = once(launcher, 'exit')
  const stop = async () => {
    // The launcher is a child of npm, in npm's process group.
    if (launcher.exitCode === null && launcher.pid !== undefined) process.kill(-launcher.pid, 'SIGINT')
    await ended
    await rm(stateDir, { recursive: true, force: true })
  }
  try {
    await printed(launcher.stdout, /Tollgate is ready/)
    const seeding = spawn('npm', ['run', 'seed:demo'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(seeding, 'exit')
    if (code !== 0) throw new Error('the demo data could not be made')
    const demo = Demo.parse(JSON.parse(await readFile(join(stateDir, 'demo.json'), 'utf8')))
    return { origin: `http://127.0.0.1:${port}`, demo, env: own, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Resolves when the text was printed; what follows is read and dropped. */
function printed(stream: NodeJS.ReadableStream, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = ''
    stream.on('data', (chunk: unknown) => {
      all = (all + String(chunk)).slice(-100_000)
      if (text.test(all)) resolve()
    })
    stream.on('end', () => reject(new Error(`the launcher ended: ${all}`)))
  })
}

export type FailingVendor = { readonly urlOf: (status: number) => string; stop(): void }

/** A vendor that answers every call with the status in its path. */
export async function startFailingVendor(): Promise<FailingVendor> {
  const server = createServer((incoming, reply) => {
    const status = Number(/^\/(\d{3})\//.exec(incoming.url ?? '')?.[1] ?? 500)
    incoming.resume()
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ error: { message: status === 429 ? 'Rate limit reached' : 'Overloaded', type: 'server_error' } }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { urlOf: (status) => `http://127.0.0.1:${port}/${status}`, stop: () => void server.close() }
}
