import { toEventBody } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import type { Quota, UnixMillis } from '@tollgate/contracts/units'
import { z } from 'zod'
import { mayBeUnstorable, toStorable } from '@tollgate/db/storable'

/** A decoded stream entry. Accounts and amounts come from the script, not from the body. */
export type PostedEvent = {
  readonly shard: number
  readonly stream_id: string
  readonly n: number
  readonly request_id: string
  readonly kind: 'final' | 'late'
  readonly charge: Quota
  /** 0 when the hold took nothing from the token. */
  readonly token_charge: Quota
  readonly at: UnixMillis
  readonly user_id: number
  readonly token_id: number
  /** The windows of budgets that counted it; empty: none. */
  readonly budgets: string
  readonly body: UsageEventBody
  /** The body's text, which the log row keeps. */
  readonly text: string
}

export type StreamEntry = readonly [id: string, fields: readonly string[]]
export type DecodedEntry =
  | { readonly kind: 'event'; readonly event: PostedEvent }
  | { readonly kind: 'reject'; readonly stream_id: string; readonly n: number | null; readonly raw: string; readonly reason: string }

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
  .pipe(z.int())
const Fields = z.object({
  n: integer.pipe(z.int().positive()),
  // A Postgres text column cannot store NUL: it would fail the whole batch.
  id: z.string().regex(/^\d{8}[^\0]{1,120}$/),
  kind: z.enum(['final', 'late']),
  charge: integer,
  token_charge: integer,
  at: integer,
  user: integer,
  token: integer,
  budgets: z.string().max(2000).default(''),
  body: z.string(),
})
const REASON_LENGTH = 500

/** Strict: an entry that does not decode is a reject with its reason. */
export function decodeEntry(shard: number, [stream_id, flat]: StreamEntry): DecodedEntry {
  const raw = Object.fromEntries(flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : [])))
  const reject = (reason: string): DecodedEntry => {
    const n = integer.safeParse(raw['n'])
    return { kind: 'reject', stream_id, n: n.success ? n.data : null, raw: JSON.stringify(raw), reason: reason.slice(0, REASON_LENGTH) }
  }
  const fields = Fields.safeParse(raw)
  if (!fields.success) return reject(reasonOf(fields.error))
  const parsed = parseJson(fields.data.body)
  if (parsed === undefined) return reject('body is not JSON')
  const known = toEventBody(parsed.json)
  if (known === undefined) return reject('body of a version that this worker does not know')
  const body = UsageEventBody.safeParse(known)
  if (!body.success) return reject(`body: ${reasonOf(body.error)}`)
  const { n, id, kind, charge, token_charge, at, user, token, budgets } = fields.data
  return {
    kind: 'event',
    event: {
      shard,
      stream_id,
      n,
      request_id: id,
      kind,
      charge,
      token_charge,
      at,
      user_id: user,
      token_id: token,
      budgets,
      body: body.data,
      text: parsed.text,
    },
  }
}

/** An entry that was rejected before, as `decodeEntry` left it; undefined: it is no event for this release either. */
export function decodeStored({ shard, stream_id, raw }: Stored): PostedEvent | undefined {
  const fields = StoredFields.parse(JSON.parse(raw))
  const entry = decodeEntry(shard, [stream_id, Object.entries(fields).flat()])
  return entry.kind === 'event' ? entry.event : undefined
}

type Stored = { readonly shard: number; readonly stream_id: string; readonly raw: string }
const StoredFields = z.record(z.string(), z.string())

function reasonOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}

function parseJson(text: string): { readonly json: unknown; readonly text: string } | undefined {
  try {
    const json: unknown = JSON.parse(text)
    // One such character would fail the whole batch.
    if (!mayBeUnstorable(text)) return { json, text }
    const storable = toStorable(json)
    return { json: storable, text: JSON.stringify(storable) }
  } catch {
    // The caller rejects the entry.
    return undefined
  }
}
