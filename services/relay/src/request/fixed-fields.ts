import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { Explanation, UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { visible } from '@tollgate/telemetry/visible'
import type { Calls } from './calls.ts'
import type { RequestContext } from './context.ts'
import type { Held } from './phases.ts'

export type FixedBody = Pick<
  UsageEventBody,
  'by' | 'user_id' | 'token_id' | 'username' | 'token_name' | 'group' | 'model_name' | 'started_at' | 'quote'
>
/** JSON in parts. Many requests share the strings of the first two, which a stream keeps until it ends. */
export type FixedFields = { readonly account: string; readonly quote: string; readonly rest: string; readonly client: string }

type AccountFields = Pick<FixedBody, 'by' | 'user_id' | 'token_id' | 'username' | 'token_name'>
const encodeAccount = memoizedMembers(({ user_id, token_id, username, name }: TokenRecord): AccountFields => ({
  by: 'relay',
  user_id,
  token_id,
  username,
  token_name: name,
}))
const encodeQuote = memoizedMembers((quote: Quote): Pick<FixedBody, 'quote'> => ({ quote }))

/** Encodes an object to its JSON without the braces, once per object. */
function memoizedMembers<T extends object>(toJson: (value: T) => object): (value: T) => string {
  const known = new WeakMap<T, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const text = JSON.stringify(toJson(value)).slice(1, -1)
    known.set(value, text)
    return text
  }
}

type FixedInput = { readonly record: TokenRecord; readonly model: string; readonly group: string; readonly quote: Quote }

export function encodeFixedFields(context: RequestContext, { record, model, group, quote }: FixedInput): FixedFields {
  const body: Omit<FixedBody, keyof AccountFields | 'quote'> = {
    group,
    model_name: visible(model, 200),
    started_at: context.clock.started_at,
    ...(context.clientApi.name === 'anthropic' ? { is_claude: true } : {}),
  }
  const client: Explanation['client'] = {
    ip: context.ip,
    user_agent: visible(context.incoming.headers['user-agent'] ?? '', 160),
    method: context.incoming.method ?? '',
    path: visible(context.path, 160),
  }
  return {
    account: encodeAccount(record),
    quote: encodeQuote(quote),
    rest: JSON.stringify(body).slice(1, -1),
    client: JSON.stringify(client),
  }
}

/** The beginning that the pending event and the final event share. */
export const openingOf = ({ account, quote, rest }: FixedFields): string => `{${account},${quote},${rest},`

/** True if the request is charged in another group or for another model than it was admitted to, whose prices the pending event has. */
export const hasMoved = ({ admission }: Pick<Held, 'admission'>, { group }: Pick<Calls, 'group'>): boolean =>
  group.group !== admission.group || group.model !== admission.model

/** The shared fields at the end, with the group and prices that served the request. */
export function finalFieldsOf({ context, caller, admission, fixed }: Held, { group }: Calls): FixedFields {
  if (!hasMoved({ admission }, { group })) return fixed
  return encodeFixedFields(context, {
    record: caller.record,
    model: group.model,
    group: group.group,
    quote: group.costEstimate.quote,
  })
}
