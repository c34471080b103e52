import { ownValue } from '@tollgate/contracts/values/own-value'
import { LogType } from '@tollgate/contracts/enums'
import { END_TEXTS } from '@tollgate/contracts/failures/request-failures'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import type { NewLogRow } from '@tollgate/db/log-store'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { cardFor, promptTokensOf, ratiosOf } from '@tollgate/domain/pricing/ratios'
import { redactAccount } from '@tollgate/domain/secrets/redact-account'
import type { PostedEvent } from './posted-event.ts'

/** The log row of an event. `other` and `content` have the formats that existing consoles and scripts read. */
export function toLogRow(event: PostedEvent): NewLogRow {
  const { body } = event
  const isError = logTypeOf(event) === LogType.error
  return {
    created_at: Math.floor(event.at / 1000),
    type: logTypeOf(event),
    user_id: event.user_id,
    username: body.username,
    token_id: event.token_id,
    token_name: body.token_name,
    channel_id: body.channel_id,
    model_name: body.model_name,
    group: body.group,
    quota: event.charge,
    prompt_tokens: shownPromptTokens(body),
    completion_tokens: body.usage.completion_tokens,
    use_time: Math.round(body.duration_ms / 1000),
    is_stream: body.is_stream,
    content: isError ? (body.error_message ?? END_TEXTS[body.ended_by].en) : contentOf(body),
    other: JSON.stringify(isError ? errorOther(body) : consumeOther(body)),
    request_id: event.request_id,
    error_code: isError ? errorCodeOf(body) : '',
    session: body.session ?? '',
    state: event.kind === 'late' ? 'late' : body.state,
    usage: body.usage,
    quote: body.quote,
    explanation: {
      ...body.explanation,
      ended_by: body.ended_by,
      client_status: body.client_status,
      token_charge: body.token_charge,
    },
  }
}

/** Existing consoles multiply this number by the model ratio: characters count as tokens, and cached tokens are separate for Claude. */
function shownPromptTokens({ usage, is_claude = false }: UsageEventBody): number {
  const { cache_read, cache_write, cache_read_image = 0, cache_read_audio = 0, cache_write_1h = 0 } = usage
  if (usage.prompt_tokens === 0) return usage.characters ?? 0
  if (!is_claude) return usage.prompt_tokens
  return Math.max(0, usage.prompt_tokens - cache_read - cache_read_image - cache_read_audio - cache_write - cache_write_1h)
}

/** Released requests are errors in the log. */
export function logTypeOf({ kind, body }: Pick<PostedEvent, 'kind' | 'body'>): number {
  return kind === 'final' && body.state === 'released' ? LogType.error : LogType.consume
}

/** The exact texts of the specification's log. */
export function contentOf({ quote, usage, task }: Pick<UsageEventBody, 'quote' | 'usage' | 'task'>): string {
  if (task !== undefined && quote.mode === 'price')
    return `模型固定价格 ${two(quote.model_price)}，分组倍率 ${two(quote.group_ratio)}，操作 ${task.action}`
  const base = quote.mode === 'price' ? priceText(quote) : ratioText(withCard(quote, usage), usage)
  if (quote.mode === 'ratio' && isNothingCounted(usage)) return `${base}（可能是上游超时）`
  return base + toolText(quote, usage)
}

/** The quote with the ratios of the price card for the prompt's length. */
function withCard<Q extends Quote>(quote: Q, usage: Usage): Q {
  const card = quote.mode === 'ratio' ? cardFor(quote, promptTokensOf(usage)) : undefined
  return card === undefined ? quote : { ...quote, ...card }
}

/** Speech and transcription count characters or seconds instead of tokens. */
const isNothingCounted = ({ prompt_tokens, completion_tokens, characters = 0, seconds = 0 }: Usage): boolean =>
  prompt_tokens + completion_tokens + characters + seconds === 0

const TOOL_NAMES: Readonly<Record<string, string>> = {
  web_search: 'Web Search',
  web_search_preview: 'Web Search',
  file_search: 'File Search',
  google_search: 'Google Search',
  image_generation: 'Image Generation',
}

/** Charges of vendors' tools, in the exact texts of the specification's log. */
function toolText(quote: Quote, usage: Usage): string {
  if (quote.tools === undefined) return ''
  const lines = chargeOf(quote, usage).lines.filter(({ kind }) => kind === 'tool')
  return lines
    .map(({ label = '', count = 0, quota }) => {
      const [name = '', ...rest] = label.split('/')
      const variant = quote.tools?.[label]?.variant ?? (rest.length === 0 ? undefined : rest.join('/'))
      const size = variant === undefined ? '' : `，上下文大小 ${variant}`
      return `，${ownValue(TOOL_NAMES, name) ?? name} 调用 ${count} 次${size}，调用花费 ${quota}`
    })
    .join('')
}

function priceText(quote: Extract<Quote, { mode: 'price' }>): string {
  const { size, quality } = quote
  const image = size === undefined && quality === undefined ? '' : `，大小 ${size ?? ''}, 品质 ${quality ?? ''}`
  return `模型价格 ${two(quote.model_price)}，分组倍率 ${two(quote.group_ratio)}${image}`
}

function ratioText(quote: Extract<Quote, { mode: 'ratio' }>, usage: Usage): string {
  const audio = hasAudio(usage) ? `，音频倍率 ${two(quote.audio_ratio)}，音频补全倍率 ${two(quote.audio_completion_ratio)}` : ''
  return `模型倍率 ${two(quote.model_ratio)}，补全倍率 ${two(quote.completion_ratio)}${audio}，分组倍率 ${two(quote.group_ratio)}`
}

/** At least two decimals, and every one that the number has. */
const decimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 12, useGrouping: false })
const two = (value: number): string => decimals.format(value)
const hasAudio = (usage: Usage): boolean => usage.audio_in + usage.audio_out > 0

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
    admin_info: { use_channel: usedChannels(body) },
  }
}

/** True if the text of a failed request is what its last channel answered; customers read it without names of the operator's account. */
function isVendorText({ error_message, explanation }: UsageEventBody): boolean {
  const { status, message = '' } = explanation.attempts.at(-1) ?? {}
  if (status === undefined || message === '' || !error_message) return false
  return error_message.startsWith(message) || error_message.startsWith(redactAccount(message))
}

const errorCodeOf = ({ error_code, ended_by }: UsageEventBody): string => error_code ?? ended_by

/** Channel ids as text, in the order they were tried. */
function usedChannels(body: UsageEventBody): string[] {
  const tried = body.explanation.attempts.map((attempt) => String(attempt.channel_id))
  return tried.length === 0 && body.channel_id > 0 ? [String(body.channel_id)] : tried
}
