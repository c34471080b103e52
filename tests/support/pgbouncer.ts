import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@tollgate/servers/free-port'
import { spawnDetached, stopProcess, tailOf, waitUntilListening } from '@tollgate/servers/local-process'
import { findOwner } from '@tollgate/servers/postgres'
import { requirePgbouncer } from '../../deploy/standalone/src/machine/system-packages.ts'

export type PoolMode = 'transaction' | 'session'

export type Pgbouncer = {
  /** Address of the database through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

/** Few in transaction mode, so that each transaction may get another. */
const SERVERS: Readonly<Record<PoolMode, number>> = { transaction: 8, session: 60 }

/** A pooler in front of one database. */
export async function startPgbouncer(databaseUrl: string, mode: PoolMode, servers = SERVERS[mode]): Promise<Pgbouncer> {
  const binary = await requirePgbouncer()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-pgbouncer-'))
  const port = await findFreePort()
  const { hostname, port: postgresPort, username, pathname } = new URL(databaseUrl)
  const users = join(dir, 'users.txt')
  await writeFile(users, `"${username}" ""\n`)
  const config = join(dir, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${postgresPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${servers}`,
    'max_client_conn = 200',
    'server_round_robin = 1',
    `logfile = ${join(dir, 'log')}`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  // PgBouncer refuses to run as root, like Postgres.
  const user = await findOwner()
  if (user !== undefined) await giveTo(user, [dir, users, config])
  const child = spawnDetached({
    command: binary,
    args: ['-q', config],
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: dir,
    ...(user === undefined ? {} : { user }),
  })
  await waitUntilListening(child, port, tailOf(child))
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      await stopProcess(child, 'SIGINT')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function giveTo({ uid, gid }: { readonly uid: number; readonly gid: number }, paths: readonly string[]): Promise<void> {
  for (const path of paths) await chown(path, uid, gid)
  await chmod(paths[0] ?? '', 0o700)
}
