import { fieldAt, listAt, textAt, textsOf, type Fields } from './reading.ts'
import type { ChatFormat, FormatCall } from './script.ts'

/** The real vendor's refusal of a call; undefined: it serves the call. */
export type Rule = (call: FormatCall) => string | undefined

/** The first refusal of the format's rules. */
export function refusalOf(call: FormatCall): string | undefined {
  for (const rule of RULES[call.format]) {
    const refusal = rule(call)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

const first = <Item>(items: readonly Item[], check: (item: Item, at: number) => string | undefined): string | undefined => {
  for (const [at, item] of items.entries()) {
    const refusal = check(item, at)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
const unknownField =
  (known: ReadonlySet<string>, where: (call: FormatCall) => Fields = ({ body }) => body): Rule =>
  (call) => {
    const found = Object.keys(where(call)).filter((key) => !known.has(key))
    return found.length === 0 ? undefined : `unknown fields: ${found.join(', ')}`
  }
const fieldSet = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))
const modelOf = ({ body, path }: FormatCall): string => textAt(body, 'model') || (/\/models\/([^:/]+)/.exec(path)?.[1] ?? '')

/** https://developers.openai.com/api/docs/guides/latest-model: reasoning models take no sampling fields. */
const IS_REASONING = /^(?:o\d|gpt-5(?!-chat))/
/** Refused beside function tools in chat: "Function tools with reasoning_effort are not supported …, please use /v1/responses". */
const TOOLS_BY_RESPONSES_ONLY = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/
const CHAT_SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs', 'stop', 'max_tokens']
const MAX_USER = 64
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const refusedOfReasoning =
  (fields: readonly string[]): Rule =>
  (call) => {
    const found = IS_REASONING.test(modelOf(call)) ? fields.filter((field) => (call.body[field] ?? null) !== null) : []
    return found.length === 0 ? undefined : `Unsupported parameter with this model: ${found.join(', ')}`
  }
const longUser: Rule = ({ body }) =>
  textAt(body, 'user').length > MAX_USER ? `string too long: user has ${textAt(body, 'user').length} of at most ${MAX_USER}` : undefined

// Chat Completions: https://developers.openai.com/api/reference/resources/chat

const chatTools: Rule = (call) =>
  first(listAt(call.body, 'tools'), (tool) => {
    if (tool['type'] !== 'function') return `tools: unknown type ${String(tool['type'])}`
    const name = textAt(fieldAt(tool, 'function'), 'name')
    if (!TOOL_NAME.test(name)) return `tools: bad name ${name}`
    if (TOOLS_BY_RESPONSES_ONLY.test(modelOf(call)) && fieldAt(call.body, 'reasoning_effort') !== 'none')
      return 'Function tools are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.'
    return undefined
  })

/** Every call has exactly one result, and its results follow it at once. */
const chatTurns: Rule = ({ body }) => {
  let open: string[] = []
  const found = first(listAt(body, 'messages'), (message, at) => {
    const role = textAt(message, 'role')
    if (role === 'tool') {
      const id = textAt(message, 'tool_call_id')
      if (!open.includes(id)) return `messages[${at}]: a tool message must answer a preceding call of tool_calls (${id})`
      open = open.filter((one) => one !== id)
      return undefined
    }
    if (open.length > 0) return `messages[${at}]: calls without a result: ${open.join(', ')}`
    if (!CHAT_ROLES.has(role)) return `messages[${at}]: unknown role ${role}`
    const calls = listAt(message, 'tool_calls')
    if (role === 'assistant' && calls.length === 0 && (message['content'] ?? null) === null)
      return `messages[${at}]: content or tool_calls must be set`
    if (message['content'] === null) return `messages[${at}]: The content field is a required field.`
    open = calls.map((call) => textAt(call, 'id'))
    return first(calls, (call) => {
      if (call['type'] !== 'function') return `messages[${at}]: unknown type of call ${String(call['type'])}`
      return isObjectText(textAt(call['function'], 'arguments')) ? undefined : `messages[${at}]: arguments must be JSON`
    })
  })
  return found ?? (open.length === 0 ? undefined : `calls without a result: ${open.join(', ')}`)
}
/** Mistral's own validators (mistral-common 1.13.1, V3 to V11). */
const mistralTurns: Rule = (call) => {
  if (!/^(?:mistral|magistral|codestral|devstral)/.test(modelOf(call))) return undefined
  const messages = listAt(call.body, 'messages')
  const last = messages.at(-1)
  if (last?.['role'] === 'assistant' && last['prefix'] !== true) return 'Expected last role User or Tool (or Assistant with prefix)'
  return first(messages, (message, at) => {
    if (message['role'] === 'system' && at > 0) return `messages[${at}]: Unexpected role 'system'`
    const ids = [
      ...listAt(message, 'tool_calls').map((one) => textAt(one, 'id')),
      ...(message['role'] === 'tool' ? [textAt(message, 'tool_call_id')] : []),
    ]
    const bad = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
    return bad === undefined ? undefined : `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`
  })
}

/** https://api-docs.deepseek.com/guides/thinking_mode: turns with calls carry their reasoning, which may be empty. */
const deepseekThinking: Rule = (call) => {
  if (!/^deepseek-(?:reasoner|v\d)/.test(modelOf(call)) || textAt(call.body['thinking'], 'type') === 'disabled') return undefined
  return first(listAt(call.body, 'messages'), (message, at) =>
    listAt(message, 'tool_calls').length > 0 && typeof message['reasoning_content'] !== 'string'
      ? `messages[${at}]: The reasoning_content in the thinking mode must be passed back to the API.`
      : undefined,
  )
}

const CHAT_ROLES = new Set(['system', 'user', 'assistant', 'tool'])

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

const CHAT_FIELDS = fieldSet(`
  model messages stream stream_options tools tool_choice parallel_tool_calls response_format n seed max_tokens
  max_completion_tokens temperature top_p stop presence_penalty frequency_penalty logit_bias logprobs top_logprobs user
  reasoning_effort thinking service_tier metadata store prompt_cache_key safety_identifier verbosity modalities audio
  prediction
`)

// Messages: https://platform.claude.com/docs/en/api/messages

const MESSAGES_FIELDS = fieldSet(`
  model messages max_tokens system stream tools tool_choice temperature top_p top_k stop_sequences metadata thinking
  service_tier container mcp_servers context_management output_config output_format speed inference_geo cache_control
  fallbacks thread diagnostics
`)
const MAX_USER_ID = 256

const messagesHead: Rule = ({ body }) => {
  if (typeof body['max_tokens'] !== 'number') return 'max_tokens: Field required'
  if (textAt(body['metadata'], 'user_id').length > MAX_USER_ID) return `metadata.user_id: at most ${MAX_USER_ID} characters`
  return first(listAt(body, 'tools'), (tool, at) =>
    tool['type'] === undefined || tool['type'] === 'custom'
      ? TOOL_NAME.test(textAt(tool, 'name').padEnd(1, ' '))
        ? undefined
        : `tools.${at}.name: bad name`
      : undefined,
  )
}

const messagesTurns: Rule = ({ body }) => {
  const seen = new Set<string>()
  let open: string[] = []
  const found = first(listAt(body, 'messages'), (message, at) => {
    const role = textAt(message, 'role')
    const parts = listAt(message, 'content')
    if (at === 0 && role !== 'user') return 'messages: first message must use the "user" role'
    const results = parts.filter((part) => part['type'] === 'tool_result').map((part) => textAt(part, 'tool_use_id'))
    const missing = open.filter((id) => !results.includes(id))
    if (missing.length > 0) return `messages.${at}: tool_use ids without tool_result blocks immediately after: ${missing.join(', ')}`
    const extra = results.filter((id, index) => !open.includes(id) || results.indexOf(id) !== index)
    if (extra.length > 0) return `messages.${at}: unexpected tool_result of ${extra.join(', ')}`
    const calls = parts.filter((part) => part['type'] === 'tool_use')
    open = calls.map((part) => textAt(part, 'id'))
    if (open.some((id) => seen.has(id) || !/^[a-zA-Z0-9_-]+$/.test(id)))
      return `messages.${at}: tool_use ids must be unique and well-formed`
    for (const id of open) seen.add(id)
    if (calls.some((part) => typeof part['input'] !== 'object')) return `messages.${at}: tool_use.input: Input should be an object`
    if (parts.some((part) => part['type'] === 'text' && textAt(part, 'text') === '')) return `messages.${at}: text blocks must be non-empty`
    if (role === 'assistant' && /^(?:redacted_)?thinking$/.test(textAt(parts.at(-1), 'type')))
      return `messages.${at}: The final block in an assistant message cannot be thinking`
    if (parts.some((part) => part['type'] === 'thinking' && textAt(part, 'signature') === '')) return `messages.${at}: signature required`
    return undefined
  })
  const last = listAt(body, 'messages').at(-1)
  if (found !== undefined || textAt(last, 'role') !== 'assistant') return found
  return /\s$/.test(textsOf(last?.['content'])) ? 'messages: final assistant content cannot end with trailing whitespace' : undefined
}

/** A turn with calls in it begins with the thinking that led to them. */
const messagesThinking: Rule = ({ body }) => {
  if (!/^(?:enabled)$/.test(textAt(body['thinking'], 'type'))) return undefined
  const messages = listAt(body, 'messages')
  const turn = messages.findLastIndex(
    (one) => one['role'] === 'user' && !listAt(one, 'content').some((part) => part['type'] === 'tool_result'),
  )
  return first(messages.slice(turn + 1), (message) => {
    const [begin, ...rest] = listAt(message, 'content')
    const hasCall = [begin, ...rest].some((part) => part?.['type'] === 'tool_use')
    return message['role'] === 'assistant' && hasCall && !/thinking/.test(textAt(begin, 'type'))
      ? 'Expected `thinking` or `redacted_thinking`, but found `tool_use`'
      : undefined
  })
}

// Responses: https://developers.openai.com/api/reference/resources/responses

const RESPONSES_FIELDS = fieldSet(`
  model input instructions stream stream_options tools tool_choice parallel_tool_calls max_output_tokens max_tool_calls
  temperature top_p top_logprobs text reasoning include store metadata user truncation service_tier prompt_cache_key
  prompt_cache_retention safety_identifier previous_response_id conversation prompt background client_metadata
  context_management
`)
const MAX_CALL_ID = 64

/** Calls and results belong together: "No tool output found for function call …". */
const responsesTurns: Rule = ({ body }) => {
  const open = new Map<string, string>()
  const done = new Set<string>()
  const found = first(listAt(body, 'input'), (item, at) => {
    const type = textAt(item, 'type')
    const id = textAt(item, 'call_id')
    if (id.length > MAX_CALL_ID) return `input[${at}].call_id: string too long`
    if (type === 'function_call' || type === 'custom_tool_call') open.set(id, `${type}_output`)
    if (!/^(?:function_call|custom_tool_call)_output$/.test(type)) return undefined
    if (done.has(id)) return `input[${at}]: a second output of ${id}`
    if (open.get(id) !== type) return `input[${at}]: No tool call found for ${type} with call_id ${id}`
    done.add(id)
    return undefined
  })
  const without = [...open.keys()].filter((id) => !done.has(id))
  return found ?? (without.length === 0 ? undefined : `No tool output found for function call ${without.join(', ')}`)
}

// Gemini: https://ai.google.dev/api/generate-content

const GEMINI_FIELDS = fieldSet(`
  contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent model serviceTier
`)
const GENERATION_FIELDS = fieldSet(`
  stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities candidateCount
  maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs speechConfig
  thinkingConfig imageConfig mediaResolution enableEnhancedCivicAnswers
`)
/** Fields of Google's Schema: https://ai.google.dev/api/caching#Schema */
const SCHEMA_FIELDS = fieldSet(`
  type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength
  maxLength pattern example anyOf propertyOrdering default items minimum maximum
`)

function unknownInSchema(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const unknown = Object.keys(schema).find((key) => !SCHEMA_FIELDS.has(key))
  const inner = [...Object.values(fieldAt(schema, 'properties') ?? {}), fieldAt(schema, 'items'), ...listAt(schema, 'anyOf')]
  return unknown ?? first(inner, unknownInSchema)
}

const geminiTools: Rule = ({ body }) =>
  first(
    listAt(body, 'tools').flatMap((tool) => listAt(tool, 'functionDeclarations')),
    (declared) => {
      const unknown = unknownInSchema(declared['parameters'])
      return unknown === undefined ? undefined : `Unknown name "${unknown}" at tools of ${textAt(declared, 'name')}: Cannot find field.`
    },
  )

/** The number of results equals that of calls, by name, in the turn after them. */
const geminiTurns: Rule = ({ body }) => {
  let open: string[] = []
  const found = first(listAt(body, 'contents'), (content, at) => {
    const parts = listAt(content, 'parts')
    if (parts.length === 0) return `contents[${at}]: parts must not be empty`
    // Gemini CLI repeats results of a resumed session: those of one id count once.
    const responses = parts.flatMap((part) => (part['functionResponse'] === undefined ? [] : [part['functionResponse']]))
    const ids = responses.map((response) => textAt(response, 'id'))
    const results = responses
      .filter((_, index) => ids[index] === '' || ids.indexOf(ids[index] ?? '') === index)
      .map((one) => textAt(one, 'name'))
    if ((open.length > 0 || results.length > 0) && open.toSorted().join() !== results.toSorted().join())
      return `contents[${at}]: the function response parts must equal the function call parts of the turn before (${open.join()} / ${results.join()})`
    open = parts.flatMap((part) => (part['functionCall'] === undefined ? [] : [textAt(part['functionCall'], 'name')]))
    return undefined
  })
  return found ?? (open.length === 0 ? undefined : `function calls without responses: ${open.join()}`)
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures: Gemini 3 requires that of the first call of each step of the current turn. */
const geminiSignatures: Rule = (call) => {
  if (!modelOf(call).startsWith('gemini-3')) return undefined
  const contents = listAt(call.body, 'contents')
  const turn = contents.findLastIndex(
    (content) => content['role'] !== 'model' && !listAt(content, 'parts').some((part) => part['functionResponse'] !== undefined),
  )
  return first(contents.slice(turn + 1), (content) => {
    const begun = listAt(content, 'parts').find((part) => part['functionCall'] !== undefined)
    return begun === undefined || textAt(begun, 'thoughtSignature') !== '' ? undefined : 'Function call is missing a thought_signature'
  })
}

const RULES: Readonly<Record<ChatFormat, readonly Rule[]>> = {
  chat: [unknownField(CHAT_FIELDS), longUser, refusedOfReasoning(CHAT_SAMPLING), chatTools, chatTurns, mistralTurns, deepseekThinking],
  responses: [unknownField(RESPONSES_FIELDS), longUser, refusedOfReasoning(['temperature', 'top_p', 'top_logprobs']), responsesTurns],
  messages: [unknownField(MESSAGES_FIELDS), messagesHead, messagesTurns, messagesThinking],
  gemini: [
    unknownField(GEMINI_FIELDS),
    unknownField(GENERATION_FIELDS, ({ body }) => ({ ...(fieldAt(body, 'generationConfig') as Fields | undefined) })), // an object or nothing
    geminiTools,
    geminiTurns,
    geminiSignatures,
  ],
}
