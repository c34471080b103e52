import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '@tollgate/servers/free-port'
import { spawnDetached, stopProcess, tailOf, waitUntilListening } from '@tollgate/servers/local-process'
import { requireMariadb } from '../../deploy/standalone/src/machine/system-packages.ts'

const run = promisify(execFile)

export type Mariadb = {
  /** Address of a database of the server, which need not exist yet. */
  urlOf(database: string): string
  /** Runs statements in a database. */
  run(database: string, statements: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** A MariaDB server with a new data folder and without passwords, on loopback. */
export async function startMariadb(): Promise<Mariadb> {
  const server = await requireMariadb()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-mariadb-'))
  const port = await findFreePort()
  const common = ['--no-defaults', `--datadir=${join(dir, 'data')}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])]
  await run('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const args = [
    ...common,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(dir, 'socket')}`,
    `--pid-file=${join(dir, 'pid')}`,
    '--skip-grant-tables',
    '--skip-networking=0',
    // The programs ran on servers that took such values.
    '--sql-mode=',
    '--innodb-flush-log-at-trx-commit=0',
  ]
  const child = spawnDetached({ command: server, args, env: { PATH: process.env['PATH'] ?? '' }, cwd: dir, logFile: join(dir, 'log') })
  await waitUntilListening(child, port, tailOf(child, join(dir, 'log')))
  return {
    urlOf: (database) => `mysql://root@127.0.0.1:${port}/${database}`,
    run: async (database, statements) => {
      await run('mariadb', [
        '--no-defaults',
        `--socket=${join(dir, 'socket')}`,
        '--default-character-set=utf8mb4',
        database,
        '-e',
        statements.join('; '),
      ])
    },
    stop: async () => {
      await stopProcess(child, 'SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
