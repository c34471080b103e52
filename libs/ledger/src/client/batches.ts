import { LedgerRedis } from '@tollgate/redis/ledger-redis'
import { isCluster, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { numberArg, type Args } from '@tollgate/redis/scripts/script-call'
import { callWithArgs, type BatchedScriptName, type ScriptOutcome } from '../scripts/scripts.ts'

/** At most this many calls are one script call: Redis serves nothing else meanwhile (docs/adr/0146-calls-in-batches.md). */
export const MAX_BATCH = 48

/** One call that waits for its batch. */
type Entry = { readonly keys: Args; readonly args: Args; readonly answer: (outcome: ScriptOutcome) => void }

/** The calls of one script to one server in one turn, in the order in which they were made. */
type Gathered = { readonly shard: number; readonly name: BatchedScriptName; readonly entries: Entry[] }

export type Batches = {
  /** Resolves with the answer to this call alone; never rejects. */
  call(shard: number, name: BatchedScriptName, keys: Args, args: Args): Promise<ScriptOutcome>
}

/**
 * Gathers the calls of one turn of the event loop, so that no call waits for another: those of one script and one server, or in a cluster
 * of one shard, become one script call, whose entries are checked and answered one by one.
 */
export function createBatches(servers: LedgerServers): Batches {
  let gathered = new Map<string, Gathered>()

  const sendAll = (): void => {
    const due = [...gathered.values()]
    gathered = new Map()
    for (const { shard, name, entries } of due) {
      for (let from = 0; from < entries.length; from += MAX_BATCH)
        send(servers, { shard, name, entries: entries.slice(from, from + MAX_BATCH) })
    }
    // Their turn is over: the connection would wait for the end of the next one.
    for (const { shard } of due) {
      const redis = serverOf(servers, shard)
      if (redis instanceof LedgerRedis) redis.flush()
    }
  }
  return {
    call(shard, name, keys, args) {
      const { promise, resolve } = Promise.withResolvers<ScriptOutcome>()
      const place = isCluster(servers) ? shard : 0
      const id = `${name}${place}`
      const found = gathered.get(id)
      const entry = { keys, args, answer: resolve }
      if (found === undefined) {
        if (gathered.size === 0) setImmediate(sendAll)
        gathered.set(id, { shard: place, name, entries: [entry] })
      } else {
        found.entries.push(entry)
      }
      return promise
    },
  }
}

function send(servers: LedgerServers, { shard, name, entries }: Gathered): void {
  let [keyCount, keyText, argCount, argText] = [0, '', 0, '']
  for (const { keys, args } of entries) {
    keyCount += keys.count
    keyText += keys.text
    argCount += 2 + args.count
    argText += numberArg(keys.count) + numberArg(args.count) + args.text
  }
  const answered = callWithArgs(servers, shard, name, { count: keyCount, text: keyText }, { count: argCount, text: argText })
  void answered.then((outcome) => {
    for (const [at, entry] of entries.entries()) entry.answer(ofEntry(outcome, at))
  })
}

/** The answer to one entry; what happened to the whole batch happened to each. */
function ofEntry(outcome: ScriptOutcome, at: number): ScriptOutcome {
  if (outcome.kind !== 'answered') return outcome
  const reply = outcome.reply[at]
  if (!Array.isArray(reply)) return { kind: 'unavailable', cause: new Error(`a ledger script answered ${typeof reply}`) }
  if (reply[0] === 'closed') return { kind: 'closed' }
  if (reply[0] === 'failed') return { kind: 'unavailable', cause: new Error(String(reply[1])) }
  return { kind: 'answered', reply }
}
