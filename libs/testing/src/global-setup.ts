import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** One Postgres per test run with a migrated template database; `createTestDatabase` copies it (about 30 ms). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  const server = await startPostgres({
    dataDir: join(process.getuid?.() === 0 ? '/var/tmp' : dir, `tollgate-test-pg-${process.pid}`),
    binDir: '/var/lib/tollgate/test-bin',
    port: await findFreePort(),
    isDurable: false,
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
    await rm(join('/var/tmp', `tollgate-test-pg-${process.pid}`), { recursive: true, force: true })
  }
  await makeTemplate(server.url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  project.provide('postgresUrl', server.url)
  return stop
}

async function makeTemplate(url: string): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => undefined })
  await admin.unsafe('create database template_tollgate')
  const db = connectDb({ url: url.replace('/postgres', '/template_tollgate'), max: 1 })
  await migrate(db)
  await db.destroy()
  await admin.end()
}
