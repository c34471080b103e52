import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import {
  encodeAccount,
  encodeClient,
  encodeOpening,
  encodeQuote,
  type EventOpening,
} from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { visible } from '@tollgate/telemetry/visible'
import type { Calls } from './calls.ts'
import type { RequestContext } from './context.ts'
import type { Held } from './phases.ts'

/** Many requests share the texts of account and quote, which a stream keeps until it ends. */
const accountOf = memoized(({ user_id, token_id, username, name }: TokenRecord) =>
  encodeAccount({ user_id, token_id, username, token_name: name }),
)
const quoteOf = memoized(encodeQuote)

function memoized<T extends object>(toText: (value: T) => string): (value: T) => string {
  const known = new WeakMap<T, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = toText(value)
    known.set(value, text)
    return text
  }
}

type FixedInput = { readonly record: TokenRecord; readonly model: string; readonly group: string; readonly quote: Quote }

/** The part of the usage event that is known before the call. */
export function encodeEventOpening(context: RequestContext, { record, model, group, quote }: FixedInput): EventOpening {
  const fields = {
    group,
    model_name: visible(model, 200),
    started_at: context.clock.started_at,
    ...(context.clientApi.name === 'anthropic' ? { is_claude: true } : {}),
  }
  const client = {
    ip: context.ip,
    user_agent: visible(context.incoming.headers['user-agent'] ?? '', 160),
    method: context.incoming.method ?? '',
    path: visible(context.path, 160),
  }
  return {
    account: accountOf(record),
    quote: quoteOf(quote),
    opening: encodeOpening(fields, quote),
    client: encodeClient(client),
    model: quote.model,
  }
}

/** True if the request is charged in another group or for another model than it was admitted to, whose prices the pending event has. */
export const hasMoved = ({ admission }: Pick<Held, 'admission'>, { group }: Pick<Calls, 'group'>): boolean =>
  group.group !== admission.group || group.model !== admission.model

/** The shared fields at the end, with the group and prices that served the request. */
export function finalOpeningOf({ context, caller, admission, opening }: Held, { group }: Calls): EventOpening {
  if (!hasMoved({ admission }, { group })) return opening
  return encodeEventOpening(context, {
    record: caller.record,
    model: group.model,
    group: group.group,
    quote: group.costEstimate.quote,
  })
}
