import { LogType } from '@tollgate/contracts/enums'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation, UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { cardFor, promptTokensOf, ratiosOf } from '../pricing/ratios.ts'
import { redactAccount } from '../secrets/redact-account.ts'

/** Fields of a log row that follow from its usage event. */

/** The text of the column `other` for a row of this type, in the format that existing consoles and scripts read. */
export function otherOf(body: UsageEventBody, type: number): string {
  return JSON.stringify(type === LogType.error ? errorOther(body) : consumeOther(body))
}

export function storedExplanationOf({ explanation, ended_by, client_status, token_charge }: UsageEventBody): StoredExplanation {
  return { ...explanation, ended_by, client_status, token_charge }
}

/** The quote with the ratios of the price card for the prompt's length. */
export function withCard<Q extends Quote>(quote: Q, usage: Usage): Q {
  const card = quote.mode === 'ratio' ? cardFor(quote, promptTokensOf(usage)) : undefined
  return card === undefined ? quote : { ...quote, ...card }
}

export const hasAudio = (usage: Usage): boolean => usage.audio_in + usage.audio_out > 0

type Other = Record<string, unknown>

function consumeOther(body: UsageEventBody): Other {
  const { usage } = body
  const quote = withCard(body.quote, usage)
  const isRatio = quote.mode === 'ratio'
  const { cache_write_1h = 0 } = usage
  return {
    model_ratio: isRatio ? quote.model_ratio : 0,
    group_ratio: quote.group_ratio,
    ...(quote.user_group === undefined ? {} : { user_group_ratio: quote.group_ratio }),
    completion_ratio: isRatio ? quote.completion_ratio : 0,
    cache_tokens: usage.cache_read,
    cache_ratio: isRatio ? quote.cache_ratio : 0,
    // −1 tells consoles that the request was billed by usage.
    model_price: isRatio ? -1 : quote.model_price,
    frt: body.first_token_ms,
    ...(body.reasoning_effort ? { reasoning_effort: body.reasoning_effort } : {}),
    ...mappingOther(body),
    ...(isRatio && (isRealtime(body) || hasAudio(usage)) ? audioOther(quote, body) : {}),
    ...(isRatio && body.is_claude !== true && usage.cache_write > 0
      ? { cache_creation_tokens: usage.cache_write, cache_creation_ratio: quote.cache_creation_ratio }
      : {}),
    ...(isRatio && cache_write_1h > 0
      ? { cache_creation_tokens_1h: cache_write_1h, cache_creation_ratio_1h: quote.cache_creation_1h_ratio }
      : {}),
    ...(isRatio && body.is_claude === true ? claudeOther(quote, usage) : {}),
    ...toolsOther(quote, usage),
    ...(isRatio && usage.image_in > 0 ? { image: true, image_ratio: quote.image_ratio, image_output: usage.image_in } : {}),
    admin_info: { use_channel: usedChannels(body) },
  }
}

/** Consoles know one ratio for tokens written to a cache: both durations are one number, at their average price. */
function claudeOther(quote: Extract<Quote, { mode: 'ratio' }>, { cache_write, cache_write_1h = 0 }: Usage): Other {
  const { cache_creation_ratio, cache_creation_1h_ratio } = ratiosOf(quote, undefined)
  const written = cache_write + cache_write_1h
  const priced = cache_write * cache_creation_ratio + cache_write_1h * cache_creation_1h_ratio
  return {
    claude: true,
    cache_creation_tokens: written,
    cache_creation_ratio: cache_write_1h === 0 ? cache_creation_ratio : priced / written,
  }
}

/** Tool calls under the field names that consoles know. */
function toolsOther({ tools = {} }: Quote, { tool_calls = {} }: Usage): Other {
  const other: Other = {}
  for (const name of ['web_search', 'web_search_preview', 'file_search']) {
    const price = tools[name]?.price
    const count = Math.max(tool_calls[name] ?? 0, tools[name]?.at_least ?? 0)
    if (price === undefined || count === 0) continue
    const kind = name === 'file_search' ? name : 'web_search'
    Object.assign(other, { [kind]: true, [`${kind}_call_count`]: count, [`${kind}_price`]: price })
  }
  return other
}

/** Consoles mark a response of a realtime session by `ws` instead of `audio`. */
const isRealtime = ({ explanation }: UsageEventBody): boolean => explanation.client.path.startsWith('/v1/realtime')

function audioOther(quote: Extract<Quote, { mode: 'ratio' }>, body: UsageEventBody): Other {
  const { usage } = body
  return {
    [isRealtime(body) ? 'ws' : 'audio']: true,
    audio_input: usage.audio_in,
    audio_output: usage.audio_out,
    text_input: usage.text_in,
    text_output: usage.text_out,
    audio_ratio: quote.audio_ratio,
    audio_completion_ratio: quote.audio_completion_ratio,
  }
}

function mappingOther({ model_name, upstream_model }: UsageEventBody): Other {
  const isMapped = upstream_model !== '' && upstream_model !== model_name
  return isMapped ? { is_model_mapped: true, upstream_model_name: upstream_model } : {}
}

function errorOther(body: UsageEventBody): Other {
  return {
    error_type: body.error_type ?? 'new_api_error',
    error_code: errorCodeOf(body),
    status_code: body.client_status,
    channel_id: body.channel_id,
    channel_name: body.channel_name,
    channel_type: body.channel_type,
    frt: body.first_token_ms,
    ...(isVendorText(body) ? { is_vendor_message: true } : {}),
    admin_info: { use_channel: usedChannels(body), ...hiddenMessage(body) },
  }
}

/** True if the text of a failed request is what its last channel answered; customers read it without names of the operator's account. */
function isVendorText({ error_message, explanation }: UsageEventBody): boolean {
  const { status, message = '' } = explanation.attempts.at(-1) ?? {}
  if (status === undefined || message === '' || !error_message) return false
  return error_message.startsWith(message) || error_message.startsWith(redactAccount(message))
}

/** A vendor's text that the client got another one for; the whole text is in the explanation. In characters. */
const MAX_HIDDEN = 300

/** The last vendor's text where the customer's is ours, for example after a 429. */
function hiddenMessage(body: UsageEventBody): { vendor_message?: string } {
  const { status, message = '' } = body.explanation.attempts.at(-1) ?? {}
  if (status === undefined || message === '' || isVendorText(body)) return {}
  return { vendor_message: message.slice(0, MAX_HIDDEN) }
}

export const errorCodeOf = ({ error_code, ended_by }: UsageEventBody): string => error_code ?? ended_by

/** Channel ids as text, in the order they were tried. */
function usedChannels(body: UsageEventBody): string[] {
  const tried = body.explanation.attempts.map((attempt) => String(attempt.channel_id))
  return tried.length === 0 && body.channel_id > 0 ? [String(body.channel_id)] : tried
}
