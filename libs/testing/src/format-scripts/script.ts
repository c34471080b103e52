import type { IncomingHttpHeaders } from 'node:http'

export type ChatFormat = 'chat' | 'responses' | 'messages' | 'gemini'

export type FormatCall = {
  readonly format: ChatFormat
  readonly body: Record<string, unknown>
  readonly is_stream: boolean
  /** Names of the offered tools. */
  readonly tools: readonly string[]
  /** The last user message, without tool results. */
  readonly userText: string
  /** The last message is a tool result. */
  readonly hasToolResult: boolean
  /** The body as JSON text. */
  readonly text: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export type FormatReply =
  | { readonly kind: 'text'; readonly text: string; readonly reasoning?: string }
  | { readonly kind: 'calls'; readonly calls: readonly ScriptedCall[] }
  | ErrorReply
  /** An answer that the vendor's filter ended without content. */
  | { readonly kind: 'filtered' }

/** `body`: the vendor's own words; absent: an error of the format with the message. */
export type ErrorReply = {
  readonly kind: 'error'
  readonly status: number
  readonly message: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers of a format. */
export type Answered = Exclude<FormatReply, ErrorReply>

/** `is_custom`: of a free-form tool, whose text is `input.input`. Only the Responses format has such calls and namespaces. */
export type ScriptedCall = {
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
  readonly is_custom?: boolean
  readonly namespace?: string
}

export type Script = (call: FormatCall) => FormatReply

/** Reads requests and writes answers of one format. */
export type ScriptedFormat = {
  /** Reads the request; undefined: the path belongs to another format. */
  read(path: string, body: Record<string, unknown>): Pick<FormatCall, 'is_stream' | 'tools' | 'userText' | 'hasToolResult'> | undefined
  whole(reply: Answered, model: string): object
  stream(reply: Answered, model: string): string
  error(status: number, message: string): object
}

/** Usage that every answer reports. */
export const FORMAT_USAGE = { input: 21, output: 9 } as const

/** Signature of every answer with reasoning, in the formats that sign. */
export const REASONING_SIGNATURE = 'c2NyaXB0ZWQtc2lnbmF0dXJl'
