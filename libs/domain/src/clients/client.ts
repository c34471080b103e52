/** Values that a client needs: the site's address, a key as applications send it (`sk-…`), and a model that the key may use. */
export type ClientValues = { readonly address: string; readonly key: string; readonly model: string }

/** `unix`: macOS and Linux. */
export const SYSTEMS = ['unix', 'windows'] as const
export type System = (typeof SYSTEMS)[number]

/** The API that a client calls. */
export type ClientFormat = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

export const CLIENT_KINDS = ['agent', 'editor', 'app', 'library'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

export type CodeLanguage = 'shell' | 'powershell' | 'python' | 'javascript' | 'toml' | 'json' | 'yaml' | 'dotenv'

/** Code to run, the content of a file, fields of a settings page, or links that open the application. */
export type SetupPart =
  | { readonly kind: 'code'; readonly language: CodeLanguage; readonly file?: string; readonly code: string }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly value: string }[] }
  | { readonly kind: 'links'; readonly links: readonly { readonly name: string; readonly url: string }[] }

/** Instructions for the parts: a key of the namespace `snippets`. */
export type SetupNote =
  | 'terminal'
  | 'python'
  | 'node'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'cline'
  | 'roo-code'
  | 'zed'
  | 'cursor'
  | 'continue'
  | 'open-webui'
  | 'librechat'
  | 'dify'
  | 'cherry-studio'
  | 'cc-switch'

/** `install`: the command that the note asks for first. */
export type Setup = {
  readonly name: string
  readonly note: SetupNote
  readonly install?: string
  readonly parts: (values: ClientValues, system: System) => readonly SetupPart[]
}

/** A client and how it is set up; the official SDKs have a set-up per programming language. */
export type Client = {
  readonly id: string
  readonly name: string
  readonly kind: ClientKind
  readonly format: ClientFormat
  /** Models that the client is made for, which are proposed first. */
  readonly prefers?: RegExp
  /** Environment variables that the set-up sets. */
  readonly variables?: readonly string[]
  readonly setups: readonly [Setup, ...Setup[]]
}

/** A key of which only the ends are known, or none at all, has this character. */
export const isWholeKey = (key: string): boolean => !key.includes('…')

/** Name of the provider in the files of clients that name one. */
export const PROVIDER = 'Gateway'
export const PROVIDER_ID = 'gateway'
export const KEY_VARIABLE = 'GATEWAY_API_KEY'

/** A window that most current models have at least; the notes ask for the model's own number. */
export const WINDOW_TOKENS = 128_000
export const OUTPUT_TOKENS = 16_384
