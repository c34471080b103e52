import type { JsonObject } from '../json.ts'

/** The chat formats. Each has a folder under `chat/formats/`. */
export type ChatFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

/** Chat formats that vendors speak and clients do not. Each has a folder under `vendor-formats/`. */
export type VendorChatFormat =
  | 'baidu-chat'
  | 'bedrock-converse'
  | 'coze-chat'
  | 'dify-chat'
  | 'replicate-chat'
  | 'tencent-chat'
  | 'xunfei-chat'

/** Formats whose reasoning can be signed. */
export type SigningFormat = ChatFormat | 'bedrock-converse'

/**
 * A conversation in the canonical chat model: decoded from a client's body and encoded as a vendor's body when the two use different
 * formats. Order is kept. What the model cannot express is kept as `vendorSpecific` and either written by its own format or reported as a
 * warning.
 */
export type ChatRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly tool_choice?: ToolChoice
  /** One answer can call several tools; absent: the vendor's default. */
  readonly parallel_tool_calls?: boolean
  /** Token limit of the answer, reasoning included. */
  readonly max_tokens?: number
  readonly temperature?: number
  readonly top_p?: number
  readonly top_k?: number
  readonly stop: readonly string[]
  readonly seed?: number
  readonly frequency_penalty?: number
  readonly presence_penalty?: number
  /** Number of answers; absent: 1. */
  readonly n?: number
  /** How many alternatives per token to return log probabilities for (0: only the chosen token). */
  readonly top_logprobs?: number
  readonly thinking?: Thinking
  readonly format?: OutputFormat
  readonly verbosity?: 'low' | 'medium' | 'high'
  /** Kinds of content that the answer can have besides text. */
  readonly modalities?: readonly ('text' | 'image' | 'audio')[]
  /** The client's own name for its user. */
  readonly user?: string
  readonly metadata?: JsonObject
  readonly service_tier?: string
  readonly is_stream: boolean
  /** Fields of the body that no field above can express, unchanged, with the format they belong to. */
  readonly vendorSpecific?: VendorSpecific
}

export type VendorSpecific = { readonly by: ChatFormat; readonly fields: JsonObject }

/** `developer` is OpenAI's newer name for `system`; both can appear anywhere. Tool results are parts of `user` messages. */
export type Message = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant'
  readonly parts: readonly Part[]
  readonly name?: string
}

/** The vendor should cache the prefix up to here. */
export type CacheControl = { readonly ttl?: '5m' | '1h' }

export type MediaSource =
  /** `data` is plain base64, without the head of a data URL. */
  | { readonly kind: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly media_type?: string }
  /** A file stored by a vendor: only that vendor can read it. */
  | { readonly kind: 'file'; readonly id: string; readonly by: ChatFormat }

type Cacheable = { readonly cache?: CacheControl }

export type TextPart = Cacheable & { readonly kind: 'text'; readonly text: string }
export type ImagePart = Cacheable & {
  readonly kind: 'image'
  readonly source: MediaSource
  readonly detail?: 'low' | 'high' | 'auto' | 'original'
}
export type AudioPart = Cacheable & { readonly kind: 'audio'; readonly source: MediaSource }
export type VideoPart = { readonly kind: 'video'; readonly source: MediaSource }
export type DocumentPart = Cacheable & {
  readonly kind: 'document'
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string }
  readonly name?: string
  readonly context?: string
  readonly has_citations?: boolean
}
/** Only the vendor that made a signature accepts it. */
export type ThinkingPart = { readonly kind: 'thinking'; readonly text: string; readonly signature?: string; readonly by: SigningFormat }
export type RedactedThinkingPart = { readonly kind: 'redacted-thinking'; readonly data: string; readonly by: SigningFormat }
export type ToolCallPart = Cacheable & {
  readonly kind: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; can be broken or empty. */
  readonly arguments: string
  /** Gemini's thought signature of the call. */
  readonly signature?: string
  /** The called tool takes free text (`FunctionTool.custom`); `arguments` is `{"input":"<the text>"}`. */
  readonly is_custom?: boolean
}
export type ToolResultPart = Cacheable & {
  readonly kind: 'tool-result'
  readonly call_id: string
  /** The tool's name, if the format states it; encoders that need it look it up by `call_id` (see `toolNames`). */
  readonly name?: string
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[]
  readonly is_error?: boolean
}
export type RefusalPart = { readonly kind: 'refusal'; readonly text: string }
/** A part that exists only in its own format. */
export type VendorSpecificPart = {
  readonly kind: 'vendor-specific'
  readonly by: ChatFormat
  readonly type: string
  readonly raw: JsonObject
}

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | DocumentPart
  | ThinkingPart
  | RedactedThinkingPart
  | ToolCallPart
  | ToolResultPart
  | RefusalPart
  | VendorSpecificPart

export type FunctionTool = Cacheable & {
  readonly kind: 'function'
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments; absent: no arguments. */
  readonly schema?: JsonObject
  readonly strict?: boolean
  /**
   * Set for OpenAI's custom tools, which take free text instead of JSON: the definition as received (`name`, `description`, `format`).
   * `schema` then asks for the single string `input`, so that every other format can carry it as a function.
   */
  readonly custom?: JsonObject
}
/** The vendor's own web search. */
export type WebSearchTool = {
  readonly kind: 'web-search'
  readonly context_size?: 'low' | 'medium' | 'high'
  readonly max_uses?: number
  readonly allowed_domains?: readonly string[]
  readonly blocked_domains?: readonly string[]
  readonly location?: { readonly city?: string; readonly region?: string; readonly country?: string; readonly timezone?: string }
}
export type CodeTool = { readonly kind: 'code-execution' }
export type VendorSpecificTool = {
  readonly kind: 'vendor-specific'
  readonly by: ChatFormat
  readonly type: string
  readonly raw: JsonObject
}
export type Tool = FunctionTool | WebSearchTool | CodeTool | VendorSpecificTool

/** Tools that vendors run themselves and that several formats have. */
export type HostedTool = 'web-search' | 'code-execution'

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string }
  /** A tool that the vendor runs. */
  | { readonly kind: 'hosted'; readonly tool: HostedTool }
  | { readonly kind: 'allowed'; readonly mode: 'auto' | 'required'; readonly names: readonly string[] }

export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** How much the model should think first. `budget` is in tokens; `is_shown`: the client wants to read the reasoning. */
export type Thinking =
  | { readonly mode: 'off' }
  | { readonly mode: 'on' | 'adaptive'; readonly budget?: number; readonly effort?: Effort; readonly is_shown?: boolean }

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly description?: string
      readonly strict?: boolean
    }

/** Names of called tools by call id: a tool result often has the id only. */
export function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { parts } of messages) for (const part of parts) if (part.kind === 'tool-call') names.set(part.id, part.name)
  return names
}

/** All media URLs of the conversation, for the fetcher. */
export function mediaUrls({ messages }: ChatRequest): string[] {
  const urls = new Set<string>()
  const collect = (part: Part): void => {
    if (part.kind === 'tool-result') part.content.forEach(collect)
    else if ('source' in part && part.source.kind === 'url') urls.add(part.source.url)
  }
  for (const { parts } of messages) parts.forEach(collect)
  return [...urls]
}

/** The request with fetched sources in place of their URLs; URLs that are not in the map stay. */
export function withMedia(request: ChatRequest, fetched: ReadonlyMap<string, MediaSource>): ChatRequest {
  const swap = <S extends DocumentPart['source']>(source: S): S | MediaSource =>
    source.kind === 'url' ? (fetched.get(source.url) ?? source) : source
  const swapInner = <P extends TextPart | ImagePart | DocumentPart>(part: P): P =>
    part.kind === 'text' ? part : { ...part, source: swap(part.source) }
  const swapPart = (part: Part): Part => {
    if (part.kind === 'tool-result') return { ...part, content: part.content.map(swapInner) }
    if (part.kind === 'audio' || part.kind === 'video') return { ...part, source: swap(part.source) }
    return part.kind === 'image' || part.kind === 'document' ? swapInner(part) : part
  }
  return { ...request, messages: request.messages.map((message) => ({ ...message, parts: message.parts.map(swapPart) })) }
}
