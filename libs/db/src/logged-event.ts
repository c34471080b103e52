import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import { toEventBody } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { UsageEventBody, type StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import { otherOf, storedExplanationOf } from '@tollgate/domain/display/logged-fields'
import { unpackEvent } from './packed-event.ts'

/**
 * Facts that follow from a request's usage event. Log rows that posting writes keep the event, packed, and readers make the facts of it;
 * other rows, and those of 1.0.0-rc.1, have columns for them.
 */
export type LogFacts = {
  readonly other: string
  readonly usage: Usage | null
  readonly quote: Quote | null
  readonly explanation: StoredExplanation | null
}

/** A row as it is read: with its event, if it has one. */
export type WithEvent<Row = unknown> = Row & { readonly event: Buffer | null }

type Packed = WithEvent<{ readonly type: number }>

/** The row with those facts that it has columns for, instead of its event. One whose event this version cannot read has none. */
export function withFacts<Row extends Packed & Partial<LogFacts>>({ event, ...row }: Row): Omit<Row, 'event'> {
  const body = event === null ? undefined : bodyOf(event)
  if (body === undefined) return row
  const { usage, quote } = body
  return {
    ...row,
    ...('other' in row ? { other: otherOf(body, row.type) } : {}),
    ...('usage' in row ? { usage } : {}),
    ...('quote' in row ? { quote } : {}),
    ...('explanation' in row ? { explanation: storedExplanationOf(body) } : {}),
  }
}

/** Usage, quote and explanation as JSON text; null: it has none. */
export type FactTexts = { readonly usage: string | null; readonly quote: string | null; readonly explanation: string | null }

/** The row with these facts as text instead of its event. */
export function withFactTexts<Row extends WithEvent<Partial<FactTexts>>>({ event, ...row }: Row): Omit<Row, 'event'> {
  const body = event === null ? undefined : bodyOf(event)
  if (body === undefined) return row
  const { usage, quote } = body
  return {
    ...row,
    ...('usage' in row ? { usage: JSON.stringify(usage) } : {}),
    ...('quote' in row ? { quote: JSON.stringify(quote) } : {}),
    ...('explanation' in row ? { explanation: JSON.stringify(storedExplanationOf(body)) } : {}),
  }
}

/** Posting has checked it; undefined: it is of a newer version, or of one that this schema no longer takes. */
function bodyOf(event: Buffer): UsageEventBody | undefined {
  const text = unpackEvent(event)
  return text === undefined ? undefined : UsageEventBody.safeParse(toEventBody(JSON.parse(text))).data
}

type StoredFacts = { readonly [Fact in keyof FactTexts]: string }

/** A row of a log store with its usage, quote and explanation as posting wrote them. Callers check rows of earlier versions. */
export function parseFacts<Row extends StoredFacts>({
  usage,
  quote,
  explanation,
  ...row
}: Row): Omit<Row, keyof FactTexts> & Omit<LogFacts, 'other'> {
  return { ...row, usage: parse(usage), quote: parse(quote), explanation: parse(explanation) }
}

const parse = <T>(text: string): T | null => (text === '' ? null : (JSON.parse(text) as T)) // as it was written
