import { LedgerRedis } from '@tollgate/redis/ledger-redis'
import { isCluster, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { numberArg, type Args } from '@tollgate/redis/scripts/script-call'
import { callWithArgs, type BatchedScriptName, type ScriptOutcome } from '../scripts/scripts.ts'

/** At most this many calls are one script call: Redis serves nothing else meanwhile (docs/adr/0146-calls-in-batches.md). */
export const MAX_BATCH = 48

/** One call that waits for its batch. */
type Entry = { readonly keys: Args; readonly args: Args; readonly answer: (outcome: ScriptOutcome) => void }

/** The calls of one script to one server, in the order in which they were made. */
type Queue = { readonly shard: number; readonly name: BatchedScriptName; waiting: Entry[] }

export type Batches = {
  /** Resolves with the answer to this call alone; never rejects. */
  call(shard: number, name: BatchedScriptName, keys: Args, args: Args): Promise<ScriptOutcome>
}

/**
 * Gathers the calls of one turn of the event loop, so that no call waits for another: those of one script and one server, or in a cluster
 * of one shard, become one script call, whose entries are checked and answered one by one.
 */
export function createBatches(servers: LedgerServers): Batches {
  const queues = new Map<string, Queue>()
  let gathering: Queue[] = []

  const flushAll = (): void => {
    const due = gathering
    gathering = []
    for (const queue of due) flush(servers, queue)
    // Their turn is over: the connection would wait for the end of the next one.
    for (const { shard } of due) {
      const redis = serverOf(servers, shard)
      if (redis instanceof LedgerRedis) redis.flush()
    }
  }
  return {
    call(shard, name, keys, args) {
      const { promise, resolve } = Promise.withResolvers<ScriptOutcome>()
      const queue = queueOf(queues, { shard: isCluster(servers) ? shard : 0, name })
      if (queue.waiting.length === 0) {
        if (gathering.length === 0) setImmediate(flushAll)
        gathering.push(queue)
      }
      queue.waiting.push({ keys, args, answer: resolve })
      return promise
    },
  }
}

function queueOf(queues: Map<string, Queue>, { shard, name }: Omit<Queue, 'waiting'>): Queue {
  const id = `${name}${shard}`
  const found = queues.get(id)
  if (found !== undefined) return found
  const made: Queue = { shard, name, waiting: [] }
  queues.set(id, made)
  return made
}

function flush(servers: LedgerServers, queue: Queue): void {
  const all = queue.waiting
  queue.waiting = []
  for (let from = 0; from < all.length; from += MAX_BATCH) send(servers, queue, all.slice(from, from + MAX_BATCH))
}

function send(servers: LedgerServers, { shard, name }: Queue, entries: readonly Entry[]): void {
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
