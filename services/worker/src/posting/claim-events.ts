import { dayOfRequestId } from '@tollgate/contracts/relay/usage-event'
import type { Tx } from '@tollgate/db/connect'
import { claimUsageKeys, listUsageKeys, type UsageKeyRow } from '@tollgate/db/queries/ledger/posting'
import type { PostedEvent } from './posted-event.ts'

export type ClaimedBatch = {
  /** Events to post, including corrections. */
  readonly events: readonly PostedEvent[]
  readonly dropped: readonly PostedEvent[]
  readonly corrected: readonly PostedEvent[]
}

/**
 * Claims the events that were not posted before. A relay's final after a reaper's final becomes a correction with the difference, once;
 * every other event that was posted before is dropped.
 */
export async function claimEvents(tx: Tx, events: readonly PostedEvent[]): Promise<ClaimedBatch> {
  const fresh = await claim(tx, events)
  const seen = events.filter((event) => !fresh.has(event))
  if (seen.length === 0) return { events, dropped: [], corrected: [] }
  const corrections = await toCorrections(tx, seen)
  const claimed = await claim(tx, corrections)
  const corrected = corrections.filter((event) => claimed.has(event))
  const correctedIds = new Set(corrected.map(entryIdOf))
  return {
    events: [...events.filter((event) => fresh.has(event)), ...corrected],
    dropped: seen.filter((event) => !correctedIds.has(entryIdOf(event))),
    corrected,
  }
}

async function claim(tx: Tx, events: readonly PostedEvent[]): Promise<Set<PostedEvent>> {
  const first = new Map<string, PostedEvent>()
  for (const event of events) if (!first.has(nameOf(event))) first.set(nameOf(event), event)
  const claimed = await claimUsageKeys(tx, [...first.values()].map(toKeyRow))
  const fresh = new Set<PostedEvent>()
  for (const key of claimed) {
    const event = first.get(nameOf(key))
    if (event !== undefined) fresh.add(event)
  }
  return fresh
}

async function toCorrections(tx: Tx, seen: readonly PostedEvent[]): Promise<PostedEvent[]> {
  const finals = seen.filter((event) => event.kind === 'final' && event.body.by === 'relay')
  const posted = Map.groupBy(
    await listUsageKeys(
      tx,
      finals.map(({ request_id }) => ({ day: dayOfRequestId(request_id), request_id })),
    ),
    (key) => key.request_id,
  )
  return finals.flatMap((event) => {
    const before = posted.get(event.request_id) ?? []
    const reaped = before.find((key) => key.kind === 'final' && key.by === 'reaper')
    if (reaped === undefined || before.some((key) => key.kind === 'late')) return []
    return [
      { ...event, kind: 'late' as const, charge: event.charge - reaped.charge, token_charge: event.token_charge - reaped.token_charge },
    ]
  })
}

/** Two shards may have the same stream id. */
const entryIdOf = ({ shard, stream_id }: PostedEvent): string => `${shard} ${stream_id}`

const nameOf = ({ request_id, kind }: { request_id: string; kind: string }): string => `${kind} ${request_id}`

function toKeyRow(event: PostedEvent): UsageKeyRow {
  return {
    day: dayOfRequestId(event.request_id),
    request_id: event.request_id,
    kind: event.kind,
    by: event.body.by,
    user_id: event.user_id,
    token_id: event.token_id,
    charge: event.charge,
    token_charge: event.token_charge,
    budgets: event.budgets === '' ? null : event.budgets,
  }
}
