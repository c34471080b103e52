import { randomBytes } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { parseEnv, TestServersEnv } from '@tollgate/config/env'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'

declare module 'vitest' {
  export interface ProvidedContext {
    /** How many servers a project needs; default 1. */
    postgresServers: number
    /** Addresses of the servers. */
    postgresUrls: readonly string[]
  }
}

type TemplateServer = { readonly url: string; stop(): Promise<void> }
type Shared = { readonly servers: Promise<TemplateServer>[]; users: number }

/** Vitest loads this file once per project, in one process: the projects share their servers through the process object. */
const shared: typeof process & { tollgateTestPostgres?: Shared | undefined } = process

/** Starts the Postgres servers of a test run, each with a migrated template database that `createTestDatabase` copies (about 30 ms). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = (shared.tollgateTestPostgres ??= { servers: [], users: 0 })
  own.users += 1
  const { postgresServers = 1 } = project.config.provide
  while (own.servers.length < postgresServers) own.servers.push(startTemplateServer())
  const servers = await Promise.all(own.servers)
  project.provide(
    'postgresUrls',
    servers.slice(0, postgresServers).map(({ url }) => url),
  )
  return async () => {
    own.users -= 1
    if (own.users > 0) return
    shared.tollgateTestPostgres = undefined
    await Promise.all(own.servers.map(async (server) => (await server).stop()))
  }
}

async function startTemplateServer(): Promise<TemplateServer> {
  const server = await startServer()
  await makeTemplate(server.url).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  return server
}

async function startServer(): Promise<TemplateServer> {
  const env = parseEnv(TestServersEnv)
  if (env.TEST_SERVERS === 'local') return await startLocalPostgres()
  const { startPostgresContainer } = await import('./containers.ts')
  return await startPostgresContainer(env)
}

async function startLocalPostgres(): Promise<TemplateServer> {
  const dataDir = join(await findPlace(), `tollgate-test-pg-${randomBytes(6).toString('hex')}`)
  const server = await startPostgres({ dataDir, binDir: '/var/lib/tollgate/test-bin', port: await findFreePort(), isDurable: false })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const MEMORY_FOLDER = '/dev/shm'
/** The servers of a run have a few hundred MB at a time. */
const ENOUGH_BYTES = 4e9

/** In memory if there is plenty: the databases of a run have a million files, and a disk takes a fifth of the time to make them. */
async function findPlace(): Promise<string> {
  const free = await statfs(MEMORY_FOLDER).then(
    ({ bavail, bsize }) => Math.min(bavail * bsize, freemem()),
    () => 0,
  )
  if (free >= ENOUGH_BYTES) return MEMORY_FOLDER
  return process.getuid?.() === 0 ? '/var/tmp' : tmpdir()
}

async function makeTemplate(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database template_tollgate')
  const db = connectDb({ url: url.replace('/postgres', '/template_tollgate'), max: 1 })
  await migrate(db)
  await db.destroy()
  await admin.end()
}
