import { accountText } from '@tollgate/domain/display/account-text'
import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { TFunction } from 'i18next'
import type { VendorMessage } from '../../ui/display/vendor-message.ts'
import { otherOf } from '../../ui/display/log-other.ts'

const DECIMALS = 4
const short = (ratio: number | undefined): string => String(Number((ratio ?? 1).toFixed(DECIMALS)))
const BY_USAGE = -1
/** A ratio of 1 is 2 US dollars per million tokens; the module that says so would be one more request of this page. */
const USD_PER_MILLION_AT_RATIO_1 = 2

/**
 * The details of an entry in the reader's language. The server stores the price of a request as a Chinese sentence with two decimals
 * and the exact numbers in `other`; this builds the sentence from the numbers. Other entries are shown as stored, a vendor's text marked;
 * administrators read the vendor's text where customers got ours.
 */
export function detailsText(log: Log, t: TFunction<'logs'>, language: string, asVendors: VendorMessage['mark']): string {
  if (log.state === REFUNDED) return t('details.refunded')
  const other = otherOf(log)
  const isChinese = language === 'zh'
  if (log.type === LogType.consume && other.model_price !== undefined && other.model_price !== BY_USAGE) {
    const text = t('details.price', { price: short(other.model_price), group: short(other.group_ratio) })
    return isChinese ? text + storedSuffix(log.content) : text
  }
  if (log.type === LogType.consume && other.model_ratio !== undefined) {
    const parts = { model: short(other.model_ratio), completion: short(other.completion_ratio), group: short(other.group_ratio) }
    const audio = { audio: short(other.audio_ratio), spoken: short(other.audio_completion_ratio) }
    const text = hasAudio(other) ? t('details.audio', { ...parts, ...audio }) : t('details.ratio', parts)
    if (isChinese) return text + storedSuffix(log.content)
    return log.prompt_tokens + log.completion_tokens === 0 ? `${text} ${t('details.no-tokens')}` : text
  }
  if (log.type === LogType.error) {
    const status = other.status_code === undefined || other.status_code === 0 ? '' : String(other.status_code)
    const code = other.error_code ?? ''
    const hidden = other.admin_info?.vendor_message
    if (hidden !== undefined) return [status, asVendors(hidden)].filter((part) => part !== '').join(' · ')
    // A stored text in the other language says less to this reader than the code.
    const isForeign = !isChinese && HAN.test(log.content) && `${status}${code}` !== ''
    return isForeign
      ? [status, code].filter((part) => part !== '').join(' ')
      : [status, other.is_vendor_message === true ? asVendors(log.content) : log.content].filter((part) => part !== '').join(' · ')
  }
  return accountText(log.content, language)
}

/** Dollars for a million tokens of a request, or for one call, with the group in them; undefined where the entry has no such price. */
export function dollarsText(log: Log, t: TFunction<'logs'>, language: string): string | undefined {
  const other = otherOf(log)
  const group = other.group_ratio ?? 1
  if (log.type !== LogType.consume || log.state === REFUNDED) return undefined
  if (other.model_price !== undefined && other.model_price !== BY_USAGE)
    return withSuffix(t('details.per-call', { price: dollars(other.model_price * group) }), log, language)
  if (other.model_ratio === undefined || hasAudio(other)) return undefined
  const input = other.model_ratio * USD_PER_MILLION_AT_RATIO_1 * group
  const output = input * (other.completion_ratio ?? 1)
  const text =
    output === 0
      ? t('details.per-million-input', { input: dollars(input) })
      : t('details.per-million', { input: dollars(input), output: dollars(output) })
  return withSuffix(text, log, language)
}

const withSuffix = (text: string, { content }: Log, language: string): string => (language === 'zh' ? text + storedSuffix(content) : text)

/** Four digits, and cents where there are any: `$2.50`, `$0.0375`. */
function dollars(value: number): string {
  const short = Number(value.toPrecision(4))
  const isCents = Math.abs(short * 100 - Math.round(short * 100)) < 1e-6
  return `$${isCents ? short.toFixed(short >= 100 ? 0 : 2) : String(short)}`
}

/** A realtime session may have none. */
const hasAudio = ({ audio, ws, audio_input = 0, audio_output = 0 }: ReturnType<typeof otherOf>): boolean =>
  audio === true || (ws === true && audio_input + audio_output > 0)

const HAN = /\p{Script=Han}/u
/** The leading list of names and two-decimal numbers, separated by fullwidth commas. */
const STORED_RATIOS = /^\p{Script=Han}+ \d+\.\d{2}(?:\uFF0C\p{Script=Han}+ \d+\.\d{2})*/u

/** The end of the stored Chinese sentence after its ratios: tool calls, or the note on a request without tokens. */
function storedSuffix(content: string): string {
  return STORED_RATIOS.test(content) ? content.replace(STORED_RATIOS, '') : ''
}
