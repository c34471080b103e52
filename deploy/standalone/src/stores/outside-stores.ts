import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { connectDb } from '@tollgate/db/connect'
import { pingDb } from '@tollgate/db/queries/installation/ping'

const PATIENCE_S = 5

/** Runs a query on the Postgres of DATABASE_URL; throws a one-line error without the password. */
export async function requirePostgres(url: string): Promise<void> {
  const where = endpointOf(url, ['postgres:', 'postgresql:'], 'DATABASE_URL', 'postgres://user:password@host:5432/database')
  const db = connectDb({ url, max: 1, limits: { answerWithinMs: PATIENCE_S * 1000, idleInTransactionMs: PATIENCE_S * 1000 } })
  try {
    await pingDb(db)
  } catch (error) {
    throw new Error(`DATABASE_URL: Postgres at ${where} refused the connection`, { cause: error })
  } finally {
    await db.destroy()
  }
}

/** Sends PING to the Redis of a variable; throws a one-line error without the password. */
export async function requireRedis(url: string, name: 'REDIS_URL' | 'LEDGER_REDIS_URL'): Promise<void> {
  const server = firstServerOf(url) ?? url
  const where = endpointOf(server, ['redis:', 'rediss:'], name, 'redis://:password@host:6379')
  try {
    const answer = await ping(new URL(server))
    if (!answer.includes('+PONG'))
      throw new Error(`it answered ${answer.split('\r\n').find((line) => line.startsWith('-')) ?? 'something else than PONG'}`)
  } catch (error) {
    throw new Error(`${name}: Redis at ${where} refused the connection`, { cause: error })
  }
}

/** The first server of an address of Sentinel, which answers PING too and has a password of its own, or of a cluster. */
function firstServerOf(url: string): string | undefined {
  const [, protocol, kind, credentials = '', server] = /^(rediss?)\+(sentinel|cluster):\/\/([^@/]*@)?([^,/]+)/.exec(url) ?? []
  if (protocol === undefined || server === undefined) return undefined
  const port = /:\d+$/.test(server) ? '' : kind === 'sentinel' ? ':26379' : ':6379'
  return `${protocol}://${kind === 'sentinel' ? '' : credentials}${server}${port}`
}

function endpointOf(text: string, protocols: readonly string[], name: string, example: string): string {
  const url = URL.parse(text)
  if (url === null || !protocols.includes(url.protocol) || url.hostname === '')
    throw new Error(`${name} is no address of the form ${example}`)
  return url.host
}

async function ping({ protocol, hostname, port, username, password }: URL): Promise<string> {
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 6379 : Number(port) }
  const socket = protocol === 'rediss:' ? connectTls({ ...at, servername: at.host }) : connectPlain(at)
  const login = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  try {
    await once(socket, protocol === 'rediss:' ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(PATIENCE_S * 1000) })
    if (login.length > 0) socket.write(command(['AUTH', ...login]))
    socket.write(command(['PING']))
    let answer = ''
    const timeout = AbortSignal.timeout(PATIENCE_S * 1000)
    while (!/\+PONG|^-(?!.*\+OK)|\n-/m.test(answer)) {
      const [chunk] = await once(socket, 'data', { signal: timeout })
      answer += String(chunk)
    }
    return answer
  } finally {
    socket.destroy()
  }
}

function command(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}
