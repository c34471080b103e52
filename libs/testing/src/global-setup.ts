import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import type { LocalServer } from '@tollgate/servers/local-process'
import { startPostgres } from '@tollgate/servers/postgres'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

type Shared = { server: Promise<LocalServer>; users: number }

/** Vitest loads this file once per project, in one process: what the projects share stands on the process. */
const shared: typeof process & { tollgateTestPostgres?: Shared | undefined } = process

/** One Postgres per test run with a migrated template database; `createTestDatabase` copies it (about 30 ms). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = (shared.tollgateTestPostgres ??= { server: startTemplateServer(), users: 0 })
  own.users += 1
  project.provide('postgresUrl', (await own.server).url)
  return async () => {
    own.users -= 1
    if (own.users > 0) return
    shared.tollgateTestPostgres = undefined
    await (await own.server).stop()
  }
}

async function startTemplateServer(): Promise<LocalServer> {
  const isRoot = process.getuid?.() === 0
  const dataDir = join(isRoot ? '/var/tmp' : tmpdir(), `tollgate-test-pg-${randomBytes(6).toString('hex')}`)
  const server = await startPostgres({ dataDir, binDir: '/var/lib/tollgate/test-bin', port: await findFreePort(), isDurable: false })
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  await makeTemplate(server.url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { ...server, stop }
}

async function makeTemplate(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database template_tollgate')
  const db = connectDb({ url: url.replace('/postgres', '/template_tollgate'), max: 1 })
  await migrate(db)
  await db.destroy()
  await admin.end()
}
