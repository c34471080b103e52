import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isCluster, isMoved, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { argsOf, isUnknownScript, sendScript, type Args, type ScriptArgument } from '@tollgate/redis/scripts/script-call'
import { isStoreOpen } from './checked-store.ts'

/** Scripts behind the fence: only recovery loads them, after it has checked the store (docs/ledger.md). */
const NAMES = [
  'reserve',
  'settle',
  'reap',
  'progress',
  'sweep',
  'load-wallet',
  'load-token',
  'sync-wallet',
  'sync-token',
  'evict',
  'correct-balance',
  'inspect',
  'trim',
] as const
export type LedgerScriptName = (typeof NAMES)[number]
/** Scripts outside the fence that touch limits only. */
export type LimitScriptName = 'limit-take' | 'limit-release' | 'limit-peek' | 'window-peek'
type ScriptName = LedgerScriptName | LimitScriptName | 'open-fence'
export type LedgerScript = { readonly name: LedgerScriptName; readonly text: string; readonly sha: string }

/** Scripts that take a list of calls (batch.lua). */
const BATCHED = ['reserve', 'settle'] as const satisfies readonly LedgerScriptName[]
export type BatchedScriptName = (typeof BATCHED)[number]
/** Scripts of one call each. */
export type SingleScriptName = Exclude<LedgerScriptName, BatchedScriptName>
const batched: ReadonlySet<string> = new Set(BATCHED)

/** Parts of a script beside `common`. Each run creates all functions of the text, so a script contains only the parts it calls. */
const PARTS: Readonly<Partial<Record<ScriptName, readonly string[]>>> = {
  reserve: ['backlog', 'request-window', 'request-wait', 'limit-window', 'reserve-budgets'],
  settle: ['ending', 'request-window', 'limit-correct'],
  reap: ['ending'],
  'load-wallet': ['budgets'],
  'load-token': ['budgets'],
  'limit-take': ['limit-window'],
  'limit-release': ['limit-correct'],
  'limit-peek': ['limit-window'],
  'window-peek': ['request-wait'],
}

export const ledgerScripts: readonly LedgerScript[] = NAMES.map((name) => {
  const text = buildScript(name)
  return { name, text, sha: createHash('sha1').update(text).digest('hex') }
})

/** Text of a script with its shared parts after the shebang line. The scripts of shared limits may be sent with EVAL. */
export function buildScript(name: ScriptName): string {
  const text = readScript(name)
  const parts = ['common', ...(PARTS[name] ?? [])].map(readScript).join('')
  const end = text.indexOf('\n')
  const body = text.slice(end + 1)
  return `${text.slice(0, end)}\n${parts}${batched.has(name) ? `local function run(KEYS, ARGV)\n${body}end\n${readScript('batch')}` : body}`
}

/** Text of one Lua file of the ledger. */
export function readScript(name: string): string {
  return readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8')
}

const shaOf = new Map(ledgerScripts.map((script) => [script.name, script.sha]))

/** Result of one script call: its answer, a closed fence, or a Redis that did not answer in time. */
export type ScriptOutcome =
  | { readonly kind: 'answered'; readonly reply: readonly unknown[] }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unavailable'; readonly cause: unknown }

/** Names the version of the scripts. */
export const RESERVE_SHA = shaOf.get('reserve') ?? ''

/** Calls a ledger script by EVALSHA. Never falls back to EVAL: a Redis that does not know the script has not been checked. */
export function callScript(
  servers: LedgerServers,
  shard: number,
  name: SingleScriptName,
  keys: readonly string[],
  args: readonly ScriptArgument[],
): Promise<ScriptOutcome> {
  return callWithArgs(servers, shard, name, argsOf(keys), argsOf(args))
}

/** The same with arguments that are already encoded, and for a whole batch. */
export function callWithArgs(
  servers: LedgerServers,
  shard: number,
  name: LedgerScriptName,
  keys: Args,
  args: Args,
): Promise<ScriptOutcome> {
  const isOpen = isStoreOpen(servers, shard)
  const fail = (cause: unknown): ScriptOutcome => toFailure(servers, cause)
  const send = (): Promise<ScriptOutcome> => sendScript(serverOf(servers, shard), shaOf.get(name) ?? '', keys, args).then(toOutcome, fail)
  return isOpen === true ? send() : isOpen.then((isNowOpen) => (isNowOpen ? send() : CLOSED), fail)
}

const CLOSED: ScriptOutcome = { kind: 'closed' }

function toOutcome(reply: unknown): ScriptOutcome {
  if (!Array.isArray(reply)) return { kind: 'unavailable', cause: new Error(`a ledger script answered ${typeof reply}`) }
  return reply[0] === 'closed' ? CLOSED : { kind: 'answered', reply }
}

/** A shard that has moved, or is moving, is closed until recovery has opened it where it is. */
function toFailure(servers: LedgerServers, cause: unknown): ScriptOutcome {
  if (isMoved(cause)) {
    if (isCluster(servers)) servers.noteMoved()
    return CLOSED
  }
  return isUnknownScript(cause) || lacksReplicas(cause) ? CLOSED : { kind: 'unavailable', cause }
}

/** A master with `min-replicas-to-write` that too few replicas follow refuses a script before it runs. */
function lacksReplicas(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith('NOREPLICAS')
}

/** An integer in a script's answer; throws on anything else. */
export function numberIn(reply: readonly unknown[], index: number): number {
  const value = Number(reply[index])
  if (!Number.isSafeInteger(value)) throw new Error(`a ledger script answered ${String(reply[index])} instead of an integer`)
  return value
}
