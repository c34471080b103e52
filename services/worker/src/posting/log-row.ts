import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { LogType } from '@tollgate/contracts/enums'
import { END_TEXTS } from '@tollgate/contracts/failures/request-failures'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import type { NewLogRow } from '@tollgate/db/log-store'
import type { LogFacts } from '@tollgate/db/logged-event'
import { packEvent } from '@tollgate/db/packed-event'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { errorCodeOf, hasAudio, otherOf, storedExplanationOf, withCard } from '@tollgate/domain/display/logged-fields'
import type { PostedEvent } from './posted-event.ts'

/** The complete log row of an event. `other` and `content` have the formats that existing consoles and scripts read. */
export function toLogRow(event: PostedEvent): NewLogRow {
  const { body } = event
  const { usage, quote } = body
  return { ...columnsOf(event), other: otherOf(body, logTypeOf(event)), usage, quote, explanation: storedExplanationOf(body) }
}

function columnsOf(event: PostedEvent): Omit<NewLogRow, keyof LogFacts> {
  const { body } = event
  const type = logTypeOf(event)
  const isError = type === LogType.error
  return {
    created_at: Math.floor(event.at / 1000),
    type,
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
    request_id: event.request_id,
    error_code: isError ? errorCodeOf(body) : '',
    session: body.session ?? '',
    state: event.kind === 'late' ? 'late' : body.state,
  }
}

/** The row as Postgres keeps it: with the event, from which readers make the rest. */
export function toPackedRow(event: PostedEvent): NewLogRow {
  return { ...columnsOf(event), other: '', usage: null, quote: null, explanation: null, event: packEvent(event.text) }
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
/** Few ratios are in use, and formatting one takes as long as the rest of the text. */
const known = new BoundedMap<string, number>(1000)
function two(value: number): string {
  const text = known.get(value)
  if (text !== undefined) return text
  const made = decimals.format(value)
  known.set(value, made)
  return made
}
