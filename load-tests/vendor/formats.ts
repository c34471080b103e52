/** Response templates of the simulator's three formats, by the vendors' public references:
 * https://platform.openai.com/docs/api-reference/chat-streaming, https://docs.anthropic.com/en/api/messages-streaming,
 * https://ai.google.dev/api/generate-content. */
export type FormatTemplates = {
  whole(text: string): string
  /** Events before the first text. */
  readonly opening: string
  /** One text event; `text` must need no escaping in JSON. */
  chunk(text: string): string
  /** Events after the last text, with usage unless `hasUsage` is false. */
  closing(outputTokens: number, hasUsage: boolean): string
}

/** Where the fault `cut-usage` cuts the closing events: inside the name of the usage field. */
export const USAGE_FIELD: Readonly<Record<ChatFormat, string>> = { openai: '"usage"', anthropic: '"usage"', gemini: '"usageMetadata"' }

export type ChatFormat = 'openai' | 'anthropic' | 'gemini'

const PROMPT_TOKENS = 25
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const TEXT = '%TEXT%'

const openAiBase = { id: 'chatcmpl-simulated', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'simulated' }
const openAiChunk = (delta: object, finish_reason: string | null) => event({ ...openAiBase, choices: [{ index: 0, delta, finish_reason }] })
const openAiUsage = (completion_tokens: number) => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens,
  total_tokens: PROMPT_TOKENS + completion_tokens,
})

const openai: FormatTemplates = {
  whole: (text) =>
    JSON.stringify({
      ...openAiBase,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: openAiUsage(200),
    }),
  opening: openAiChunk({ role: 'assistant', content: '' }, null),
  chunk: template(openAiChunk({ content: TEXT }, null)),
  closing: (tokens, hasUsage) =>
    `${openAiChunk({}, 'stop')}${hasUsage ? event({ ...openAiBase, choices: [], usage: openAiUsage(tokens) }) : ''}data: [DONE]\n\n`,
}

const anthropicMessage = { id: 'msg_simulated', type: 'message', role: 'assistant', model: 'simulated', stop_sequence: null }

const anthropic: FormatTemplates = {
  whole: (text) =>
    JSON.stringify({
      ...anthropicMessage,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: PROMPT_TOKENS, output_tokens: 200 },
    }),
  opening:
    named('message_start', {
      message: { ...anthropicMessage, content: [], stop_reason: null, usage: { input_tokens: PROMPT_TOKENS, output_tokens: 1 } },
    }) + named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  chunk: template(named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: TEXT } })),
  closing: (output_tokens, hasUsage) =>
    named('content_block_stop', { index: 0 }) +
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      ...(hasUsage ? { usage: { output_tokens } } : {}),
    }) +
    named('message_stop', {}),
}

const geminiBase = { modelVersion: 'simulated', responseId: 'simulated' }
const geminiCandidate = (text: string) => ({ content: { parts: [{ text }], role: 'model' }, index: 0 })
const geminiUsage = (candidatesTokenCount: number) => ({
  promptTokenCount: PROMPT_TOKENS,
  candidatesTokenCount,
  totalTokenCount: PROMPT_TOKENS + candidatesTokenCount,
})

const gemini: FormatTemplates = {
  whole: (text) =>
    JSON.stringify({ ...geminiBase, candidates: [{ ...geminiCandidate(text), finishReason: 'STOP' }], usageMetadata: geminiUsage(200) }),
  opening: '',
  chunk: template(event({ ...geminiBase, candidates: [geminiCandidate(TEXT)] })),
  closing: (tokens, hasUsage) =>
    event({
      ...geminiBase,
      candidates: [{ ...geminiCandidate(' '), finishReason: 'STOP' }],
      ...(hasUsage ? { usageMetadata: geminiUsage(tokens) } : {}),
    }),
}

export const TEMPLATES: Readonly<Record<ChatFormat, FormatTemplates>> = { openai, anthropic, gemini }

/** The format of a path; OpenAI chat completions by default. */
export function formatOf(path: string): ChatFormat {
  if (path.includes('/v1/messages')) return 'anthropic'
  return path.includes('enerateContent') ? 'gemini' : 'openai'
}

function template(line: string): (text: string) => string {
  const [before = '', after = ''] = line.split(TEXT)
  return (text) => before + text + after
}
