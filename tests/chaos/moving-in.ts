import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { hashTokenKey } from '@tollgate/config/sealing'
import { crowdStatements } from '@tollgate/testing/gateway-database'
import { addFunding, type Clients } from './clients.ts'
import type { Cluster } from './cluster.ts'
import type { Random } from './random.ts'
import { MODELS } from './script.ts'

const SCRIPT = join(import.meta.dirname, '../../services/control-plane/src/import.ts')
const CROWD = { users: 100, tokens: 200, channels: 10, logs: 0 }
/** The first users of the source have this balance and make requests, the first channels serve them. */
const RICH = { users: 2, quota: 1_000_000_000, channels: 2 }
const TRIES = 8
const PAUSE_MS = 2000
const COMPLETE = 0

type Moved = { readonly cluster: Cluster; readonly clients: Clients; readonly random: Random }

/** Carries users, tokens and channels of another gateway into the running installation, by the command, and makes requests with its tokens. A run that fails or is killed is repeated. */
export async function moveIn({ cluster, clients, random }: Moved): Promise<void> {
  const name = `moved-${randomBytes(4).toString('hex')}`
  const file = join(cluster.dir, `${name}.db`)
  const keys = writeSource(file, { name, vendorUrl: clients.vendorUrl })
  const killAfter = random.chance(0.5) ? random.between(500, 4000) : undefined
  const args = ['--from', file, '--as', name, '--only', 'users,tokens,channels', '--merge', 'rename']
  try {
    let ended = await run(cluster, args, killAfter)
    for (let tries = 1; ended.code !== COMPLETE; tries += 1) {
      if (tries === TRIES) throw new Error(`import ended with ${ended.code}: ${ended.output.slice(-300)}`)
      await wait(PAUSE_MS)
      ended = await run(cluster, args)
    }
    for (const key of keys) await begin({ cluster, clients }, key)
  } finally {
    await rm(file, { force: true })
  }
}

/** Returns the keys of the tokens that are to make requests. */
function writeSource(file: string, { name, vendorUrl }: { name: string; vendorUrl: string }): string[] {
  const db = new DatabaseSync(file)
  for (const statement of crowdStatements('sqlite', CROWD)) db.exec(statement)
  const keyOf = (id: number | string): string => `${name.replace('moved-', '').repeat(5)}${String(id).padStart(8, '0')}`
  // Names, codes and keys of several sources must differ: two accounts with one key cannot both be carried.
  db.prepare(`update users set username = ? || id, email = ? || id || '@example.com', aff_code = ? || id where id > 1`).run(
    name,
    name,
    name.slice(-6),
  )
  // Rewards of invites would be entries that no operation explains.
  db.exec('update users set inviter_id = 0')
  db.prepare('update users set quota = ? where id between 2 and ?').run(RICH.quota, RICH.users + 1)
  for (let id = 1; id <= CROWD.tokens; id += 1) db.prepare('update tokens set "key" = ? where id = ?').run(keyOf(id), id)
  db.prepare('update tokens set remain_quota = ? where id <= ?').run(RICH.quota, RICH.users)
  db.prepare(`update users set "group" = 'default' where id <= ?`).run(RICH.users + 1)
  db.prepare(`update channels set name = ? || id`).run(name)
  db.prepare(`update channels set base_url = ?, models = ?, "group" = 'default', auto_ban = 0 where id <= ?`).run(
    vendorUrl,
    Object.values(MODELS).join(','),
    RICH.channels,
  )
  db.close()
  return Array.from({ length: RICH.users }, (_, at) => keyOf(at + 1))
}

async function run(
  { env }: Cluster,
  args: readonly string[],
  killAfter?: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const killing = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  await once(child, 'close')
  clearTimeout(killing)
  return { code: child.exitCode, output }
}

async function begin({ cluster, clients }: Omit<Moved, 'random'>, key: string): Promise<void> {
  const token = await cluster.db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.user_id', 't.granted', 'u.credited'])
    .where('t.key_hash', '=', hashTokenKey(key))
    .executeTakeFirstOrThrow()
  addFunding(clients.funding, `user ${token.user_id}`, token.credited)
  addFunding(clients.funding, `token ${token.id}`, token.granted)
  clients.accounts.push({ user_id: token.user_id, token_id: token.id, key, isPoor: false, crossesGroups: false, isDeleted: false })
}
