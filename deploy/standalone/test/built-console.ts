import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../src/processes/console-build.ts'

const paths = { root: join(import.meta.dirname, '../../..'), stateDir: join(tmpdir(), 'tollgate-console-build') }

/** Builds the console of the working tree unless it is built; returns the folder. */
export async function builtConsole(): Promise<string> {
  return await oneAtATime(`\0tollgate-console-build ${paths.root}`, () => buildConsole(paths, new AbortController().signal))
}

/** Test files run side by side, in processes of their own. A socket in Linux's abstract namespace is free again when its process ends. */
async function oneAtATime<T>(socket: string, work: () => Promise<T>): Promise<T> {
  const waiting = new Set<Socket>()
  const server = createServer((other) => waiting.add(other)).listen(socket)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await once(connect(socket), 'close').catch(() => undefined)
    return await oneAtATime(socket, work)
  }
  try {
    return await work()
  } finally {
    server.close()
    for (const other of waiting) other.destroy()
  }
}
