import type { Codec } from './record-codec.ts'

/**
 * Usage objects as vendors send them, each number replaced by `#`. The list only grows: events name them by place. OpenAI chat and its
 * followers, OpenAI responses, Anthropic, Gemini.
 */
const FORMS = [
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#}',
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#,"prompt_tokens_details":{"cached_tokens":#,"audio_tokens":#},"completion_tokens_details":{"reasoning_tokens":#,"audio_tokens":#,"accepted_prediction_tokens":#,"rejected_prediction_tokens":#}}',
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#,"prompt_tokens_details":{"cached_tokens":#},"completion_tokens_details":{"reasoning_tokens":#}}',
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#,"prompt_tokens_details":{"cached_tokens":#}}',
  '{"prompt_tokens":#,"total_tokens":#,"completion_tokens":#,"prompt_tokens_details":null}',
  '{"prompt_tokens":#,"total_tokens":#,"completion_tokens":#}',
  '{"prompt_tokens":#,"total_tokens":#}',
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#,"prompt_tokens_details":{"cached_tokens":#},"prompt_cache_hit_tokens":#,"prompt_cache_miss_tokens":#}',
  '{"prompt_tokens":#,"completion_tokens":#,"total_tokens":#,"prompt_tokens_details":{"cached_tokens":#},"completion_tokens_details":{"reasoning_tokens":#},"prompt_cache_hit_tokens":#,"prompt_cache_miss_tokens":#}',
  '{"input_tokens":#,"input_tokens_details":{"cached_tokens":#},"output_tokens":#,"output_tokens_details":{"reasoning_tokens":#},"total_tokens":#}',
  '{"input_tokens":#,"output_tokens":#}',
  '{"input_tokens":#,"output_tokens":#,"total_tokens":#}',
  '{"input_tokens":#,"cache_creation_input_tokens":#,"cache_read_input_tokens":#,"output_tokens":#}',
  '{"input_tokens":#,"cache_creation_input_tokens":#,"cache_read_input_tokens":#,"cache_creation":{"ephemeral_5m_input_tokens":#,"ephemeral_1h_input_tokens":#},"output_tokens":#,"service_tier":"standard"}',
  '{"promptTokenCount":#,"candidatesTokenCount":#,"totalTokenCount":#}',
  '{"promptTokenCount":#,"candidatesTokenCount":#,"totalTokenCount":#,"promptTokensDetails":[{"modality":"TEXT","tokenCount":#}]}',
  '{"promptTokenCount":#,"candidatesTokenCount":#,"totalTokenCount":#,"promptTokensDetails":[{"modality":"TEXT","tokenCount":#}],"thoughtsTokenCount":#}',
] as const
const PLACES = new Map<string, number>(FORMS.map((form, place) => [form, place]))

const ZERO = 48
const NINE = 57
const COMMA = 44
const BRACE = 125
const MAX_DIGITS = 15

/**
 * The text with `#` in place of each number, and the numbers, each after a comma; undefined: a number would not come out as it is. A number stands after a
 * colon, so that `5m` in a name is none. Without regular expressions, which cost more than the rest of the event.
 */
function toForm(text: string): { readonly form: string; readonly numbers: string } | undefined {
  let numbers = ''
  let form = ''
  let from = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at)) {
    at += 1
    let end = at
    for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) {
      end += 1
    }
    if (end === at) continue
    const next = text.charCodeAt(end)
    const isShortest = end === at + 1 || text.charCodeAt(at) !== ZERO
    if (!isShortest || end - at > MAX_DIGITS || (next !== COMMA && next !== BRACE)) return undefined
    form += `${text.slice(from, at)}#`
    numbers += `,${text.slice(at, end)}`
    from = end
  }
  return { form: form + text.slice(from), numbers }
}

/** The vendor's usage object as text: the place of its form and its numbers, or the text itself. It comes out letter by letter. */
export const rawUsage: Codec<string> = {
  encode: (text) => {
    const found = toForm(text)
    const place = found === undefined ? undefined : PLACES.get(found.form)
    return found === undefined || place === undefined ? JSON.stringify(text) : `[${place}${found.numbers}]`
  },
  decode: (json) => (Array.isArray(json) ? textOf(json) : json),
}

function textOf([place, ...numbers]: readonly unknown[]): string | undefined {
  let at = 0
  return FORMS[Number(place)]?.replace(/#/g, () => String(numbers[at++]))
}
