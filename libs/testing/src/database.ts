import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { connectDb, type Db } from '@tollgate/db/connect'

export type TestDatabase = { readonly db: Db; readonly url: string; drop(): Promise<void> }

/** Creates a migrated database for one test file. In a project with a server per worker, no other file uses the server meanwhile. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const urls = inject('postgresUrls')
  // Vitest numbers the workers of a project from 1.
  const serverUrl = urls[(Number(process.env['VITEST_POOL_ID']) - 1) % urls.length] ?? ''
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  await admin.unsafe(`create database ${name} template template_tollgate`)
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  const db = connectDb({ url, max: 8 })
  return {
    db,
    url,
    drop: async () => {
      await db.destroy()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
