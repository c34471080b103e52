import type { Quote } from '../../pricing/quote.ts'
import * as fields from './event-fields.ts'
import { NO_NAMES, type SharedNames } from './record-codec.ts'

/**
 * The text of a usage event's body, and of the pending event of an open request. Version 1 is the JSON object itself; version 2 is
 * `[2,account,quote,opening,client,…]`, in which each part is a positional record, followed by `end` and `explanation`, or in a
 * pending event by what is known before the call. Readers know both versions (docs/adr/0142-compact-usage-events.md).
 */
const VERSION = 2

/** The parts that pending and final event share, as JSON, and the quote's model. */
export type EventOpening = {
  readonly account: string
  readonly quote: string
  readonly opening: string
  readonly client: string
  readonly model: string
}
export type EventEnd = fields.EndFields & { readonly explanation: fields.ExplanationFields }
export type { ExplanationFields } from './event-fields.ts'

const namesOf = ({ model, group }: Pick<Quote, 'model' | 'group'>): SharedNames => ({ ...NO_NAMES, model, group })

export const encodeAccount = (value: fields.AccountFields): string => fields.account.encode(value, NO_NAMES)
export const encodeQuote = (value: Quote): string => fields.quote.encode(value, NO_NAMES)
export const encodeOpening = (value: fields.OpeningFields, quote: Quote): string => fields.opening.encode(value, namesOf(quote))
export const encodeClient = (value: fields.ClientFields): string => fields.client.encode(value, NO_NAMES)

const textOf = ({ account, quote, opening, client }: EventOpening, rest: string): string =>
  `[${VERSION},${account},${quote},${opening},${client},${rest}]`

export const encodePendingText = (opening: EventOpening, value: fields.PendingFields): string =>
  textOf(opening, fields.pending.encode(value, NO_NAMES))

export function encodeEventText(opening: EventOpening, value: EventEnd): string {
  const { upstream_model, channel_name, explanation } = value
  const names = { model: opening.model, group: '', upstream_model, channel_name }
  return textOf(opening, `${fields.end.encode(value, names)},${fields.explanation.encode(explanation, names)}`)
}

/** A body with the steps as the event stores them. */
export type EventBodyFields = fields.AccountFields &
  fields.OpeningFields &
  fields.EndFields & { readonly quote: Quote; readonly explanation: fields.ExplanationFields & { readonly client: fields.ClientFields } }

export function encodeEventBody(body: EventBodyFields): string {
  const opening = {
    account: encodeAccount(body),
    quote: encodeQuote(body.quote),
    opening: encodeOpening(body, body.quote),
    client: encodeClient(body.explanation.client),
    model: body.quote.model,
  }
  return encodeEventText(opening, body)
}

type Members = Readonly<Record<string, unknown>>
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {})
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The parts that pending and final event share, and the names of the quote. */
function openingIn([, account, quoteLine, opening]: readonly unknown[]) {
  const quote = membersOf(fields.quote.decode(quoteLine, NO_NAMES))
  const names = namesOf({ model: textIn(quote['model']), group: textIn(quote['group']) })
  const members = { ...membersOf(fields.account.decode(account, names)), ...membersOf(fields.opening.decode(opening, names)), quote }
  return { names, members }
}

/** The event's body as an object, to be parsed with UsageEventBody; undefined: of a version that is not known here. */
export function toEventBody(json: unknown): unknown {
  if (!Array.isArray(json)) return json
  const [version, , , , client, endLine, explanationLine]: readonly unknown[] = json
  if (version !== VERSION) return undefined
  const { names, members } = openingIn(json)
  const end = membersOf(fields.end.decode(endLine, names))
  const ownNames = { ...names, upstream_model: textIn(end['upstream_model']), channel_name: textIn(end['channel_name']) }
  return {
    ...members,
    ...end,
    explanation: {
      ...membersOf(fields.explanation.decode(explanationLine, ownNames)),
      client: fields.client.decode(client, names),
    },
  }
}

/** The pending event as an object, to be parsed with its schema; undefined: of a version that is not known here. */
export function toPendingEvent(json: unknown): unknown {
  if (!Array.isArray(json)) return json
  const [version, , , , client, pending]: readonly unknown[] = json
  if (version !== VERSION) return undefined
  const { names, members } = openingIn(json)
  return {
    ...members,
    ...membersOf(fields.pending.decode(pending, names)),
    explanation: { client: fields.client.decode(client, names) },
  }
}
