export type SpokenFormat = 'chat' | 'responses' | 'messages' | 'gemini'

export type FormatCall = {
  readonly format: SpokenFormat
  readonly body: Record<string, unknown>
  readonly is_stream: boolean
  /** Names of the tools that are offered. */
  readonly tools: readonly string[]
  /** What the last user said, results of tools left out. */
  readonly asked: string
  /** The last turn brings results of tools. */
  readonly hasResult: boolean
  /** The body as JSON text, to look things up in. */
  readonly text: string
}

export type FormatReply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly ScriptedCall[] }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }

export type ScriptedCall = { readonly id: string; readonly name: string; readonly input: Record<string, unknown> }

export type Script = (call: FormatCall) => FormatReply

/** How one format is read and written. */
export type Words = {
  /** What the body says; undefined: the address is of another format. */
  read(path: string, body: Record<string, unknown>): Pick<FormatCall, 'is_stream' | 'tools' | 'asked' | 'hasResult'> | undefined
  whole(reply: Exclude<FormatReply, { kind: 'error' }>, model: string): object
  stream(reply: Exclude<FormatReply, { kind: 'error' }>, model: string): string
  error(status: number, message: string): object
}

/** What every answer reports. */
export const FORMAT_USAGE = { input: 21, output: 9 } as const
