import { randomBytes } from 'node:crypto'
import { chown, cp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgres } from '@tollgate/servers/postgres'

export type PostgresPair = {
  /** Ports of the primary and of its hot standby, which has everything up to the copy. */
  readonly primary: number
  readonly standby: number
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** The standby becomes a primary in the next timeline; the old one lives on. */
  promote(): Promise<void>
  stopStandby(): Promise<void>
  stop(): Promise<void>
}

/** Two servers with the same history, the second in recovery. `prepare` fills the first one before the copy. With `streams` the second one follows. */
export async function startPostgresPair(
  prepare: (url: string) => Promise<void>,
  { streams = false }: { readonly streams?: boolean } = {},
): Promise<PostgresPair> {
  const dir = process.getuid?.() === 0 ? '/var/tmp' : tmpdir()
  const [first, second] = ['a', 'b'].map((name) => join(dir, `tollgate-test-pg-${randomBytes(6).toString('hex')}-${name}`))
  if (first === undefined || second === undefined) throw new Error('there are two names')
  const start = async (dataDir: string, flags: readonly string[] = []) =>
    await startPostgres({ dataDir, binDir: '/var/lib/tollgate/test-bin', port: await findFreePort(), isDurable: false, flags })
  const source = await start(first)
  await prepare(source.url)
  await source.stop()
  await cp(first, second, { recursive: true, preserveTimestamps: true })
  await writeFile(join(second, 'standby.signal'), '')
  await ownLike(first, second)
  const primary = await start(first)
  const follow = ['-c', `primary_conninfo=host=127.0.0.1 port=${primary.port} user=tollgate`]
  const standby = await start(second, streams ? follow : [])
  return {
    primary: primary.port,
    standby: standby.port,
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    promote: () => promotePostgres(standby.url),
    stopStandby: () => standby.stop(),
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop()])
      await Promise.all([first, second].map((each) => rm(each, { recursive: true, force: true })))
    },
  }
}

/** Makes a standby a primary; `connectDb` refuses connections to a standby. */
export async function promotePostgres(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql<{ done: boolean }[]>`select pg_promote(true, 30) as done`
    if (row?.done !== true) throw new Error('the standby was not promoted within 30 s')
  } finally {
    await sql.end()
  }
}

/** Copied as root, the files would belong to root, as which Postgres does not run. */
async function ownLike(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(from)
  const { execFile } = await import('node:child_process')
  const { promisify } = await import('node:util')
  await chown(to, uid, gid)
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, to])
}
