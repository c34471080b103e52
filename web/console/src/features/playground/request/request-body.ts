import { readJson } from '../../../ui/form/json-text.ts'
import { toSent, withQuestion, type ChatMessage } from '../chat/messages.ts'
import type { OpenAiBody } from './request-formats.ts'
import { countOf, type PlaygroundSettings } from '../settings/settings.ts'

/** The body of a call for the last question. */
export function toBody(messages: readonly ChatMessage[], settings: PlaygroundSettings) {
  const channel = countOf(settings.channel)
  const tools = jsonOf(settings.tools)
  const schema = jsonOf(settings.schema)
  return {
    messages: [...toSent(messages, settings.system)],
    stream: true,
    stream_options: { include_usage: true },
    model: settings.model,
    group: settings.group,
    max_tokens: countOf(settings.maxTokens),
    temperature: settings.temperature,
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
    ...(channel === 0 ? {} : { channel }),
  }
}

/** Undefined for a text that is empty or no JSON; the field says what is wrong with it. */
export function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined
  const reading = readJson(text)
  return reading.kind === 'problem' ? undefined : reading.value
}

/** The next request of this conversation as an application would send it: what was asked last, or an example. */
export function toApplicationBody(messages: readonly ChatMessage[], settings: PlaygroundSettings, example: string): OpenAiBody {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user')
  const said =
    lastQuestion === -1
      ? withQuestion([], { content: example, images: [] }, { model: settings.model, now: 0 })
      : messages.slice(0, lastQuestion + 1)
  const {
    group: _group,
    channel: _channel,
    stream: _stream,
    stream_options: _options,
    max_tokens,
    temperature,
    ...rest
  } = toBody(said, settings)
  return { ...rest, ...(temperature === 0 ? {} : { temperature }), ...(max_tokens === 0 ? {} : { max_tokens }) }
}
