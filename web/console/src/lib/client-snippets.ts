/** Values for a client: the site's real address, the caller's real key, and a model it may use. */
export type SnippetInput = { readonly address: string; readonly key: string; readonly model: string }

/** Code or a file to paste, or the fields of a settings page. */
export type SnippetPart =
  | {
      readonly kind: 'code'
      readonly language: 'shell' | 'python' | 'javascript' | 'toml' | 'json'
      readonly file?: string
      readonly code: string
    }
  | { readonly kind: 'fields'; readonly fields: readonly { readonly name: string; readonly value: string }[] }

/** `note` is a key of the namespace `snippets`: what to do with the parts. */
export type Snippet = { readonly name: string; readonly note: SnippetNote; readonly parts: readonly SnippetPart[] }
export type SnippetNote = 'terminal' | 'python' | 'node' | 'claude-code' | 'codex' | 'gemini-cli' | 'opencode' | 'cursor' | 'cherry-studio'
export type SnippetId =
  | 'curl'
  | 'openai'
  | 'anthropic'
  | 'gemini'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'opencode'
  | 'cursor'
  | 'cherry-studio'

/** One client; the official SDKs come in two programming languages. */
export type Client = { readonly id: SnippetId; readonly name: string; readonly snippets: readonly Snippet[] }

/** The first request by every client that the address serves, ready to paste. */
export function clientsFor(input: SnippetInput): readonly Client[] {
  const sdk = (python: string, node: string): readonly Snippet[] => [
    { name: 'Python', note: 'python', parts: [{ kind: 'code', language: 'python', code: python }] },
    { name: 'Node', note: 'node', parts: [{ kind: 'code', language: 'javascript', code: node }] },
  ]
  return [
    {
      id: 'curl',
      name: 'curl',
      snippets: [{ name: 'curl', note: 'terminal', parts: [{ kind: 'code', language: 'shell', code: curl(input) }] }],
    },
    { id: 'openai', name: 'OpenAI SDK', snippets: sdk(openaiPython(input), openaiNode(input)) },
    { id: 'anthropic', name: 'Anthropic SDK', snippets: sdk(anthropicPython(input), anthropicNode(input)) },
    { id: 'gemini', name: 'Google Gen AI SDK', snippets: sdk(geminiPython(input), geminiNode(input)) },
    { id: 'claude-code', name: 'Claude Code', snippets: [{ name: 'Claude Code', note: 'claude-code', parts: [claudeCode(input)] }] },
    { id: 'codex', name: 'Codex', snippets: [{ name: 'Codex', note: 'codex', parts: codex(input) }] },
    { id: 'gemini-cli', name: 'Gemini CLI', snippets: [{ name: 'Gemini CLI', note: 'gemini-cli', parts: geminiCli(input) }] },
    { id: 'opencode', name: 'OpenCode', snippets: [{ name: 'OpenCode', note: 'opencode', parts: [openCode(input)] }] },
    { id: 'cursor', name: 'Cursor', snippets: [{ name: 'Cursor', note: 'cursor', parts: [cursor(input)] }] },
    {
      id: 'cherry-studio',
      name: 'Cherry Studio',
      snippets: [{ name: 'Cherry Studio', note: 'cherry-studio', parts: [cherryStudio(input)] }],
    },
  ]
}

/** Where clients send their requests: the configured address, else the one this page came from. */
export function clientAddress(configured: string | undefined, origin: string): string {
  const address = configured === undefined || configured === '' ? origin : configured
  return address.replace(/\/+$/, '')
}

/** The model for a first request: one that chats, and a small one of several, where the names tell. */
export function chatModelOf(models: readonly string[], preferred?: string | null): string {
  const isUsable = preferred !== undefined && preferred !== null && (models.length === 0 || models.includes(preferred))
  const chats = models.filter((model) => !OTHER_PURPOSE.test(model))
  if (isUsable && (chats.length === 0 || !OTHER_PURPOSE.test(preferred))) return preferred
  return chats.find((model) => SMALL.test(model)) ?? chats[0] ?? models[0] ?? ''
}

const OTHER_PURPOSE =
  /embed|tts|whisper|transcribe|dall-e|image|rerank|moderation|speech|realtime|audio|babbage|davinci|instruct|^(mj|suno|sora|veo|bge|flux)[-_]/i
const SMALL = /mini|flash|haiku|lite/i

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curl({ address, key, model }: SnippetInput): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  return [
    `curl -N ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(body)}`,
  ].join('\n')
}

function openaiPython({ address, key, model }: SnippetInput): string {
  return `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${address}/v1`)}, api_key=${JSON.stringify(key)})
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`
}

function openaiNode({ address, key, model }: SnippetInput): string {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(`${address}/v1`)}, apiKey: ${JSON.stringify(key)} })
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`
}

function anthropicPython({ address, key, model }: SnippetInput): string {
  return `from anthropic import Anthropic

client = Anthropic(base_url=${JSON.stringify(address)}, api_key=${JSON.stringify(key)})
message = client.messages.create(
    model=${JSON.stringify(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`
}

function anthropicNode({ address, key, model }: SnippetInput): string {
  return `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${JSON.stringify(address)}, apiKey: ${JSON.stringify(key)} })
const message = await client.messages.create({
  model: ${JSON.stringify(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content[0].text)`
}

function geminiPython({ address, key, model }: SnippetInput): string {
  return `from google import genai

client = genai.Client(api_key=${JSON.stringify(key)}, http_options={"base_url": ${JSON.stringify(address)}})
answer = client.models.generate_content(model=${JSON.stringify(model)}, contents="Hello")
print(answer.text)`
}

function geminiNode({ address, key, model }: SnippetInput): string {
  return `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: ${JSON.stringify(key)}, httpOptions: { baseUrl: ${JSON.stringify(address)} } })
const answer = await client.models.generateContent({ model: ${JSON.stringify(model)}, contents: 'Hello' })
console.log(answer.text)`
}

/** A window that most current models have at least; the notes ask for the model's own number. */
const WINDOW_TOKENS = 128_000
const OUTPUT_TOKENS = 16_384

/**
 * The models whose window the client knows itself. Claude Code takes 1 000 000 tokens for other names, and Codex prints a warning, so
 * neither shortens a conversation before the vendor refuses it (seen with Claude Code 2.1.332 and Codex 0.171.0, 2026-11).
 */
const KNOWS_WINDOW = { 'claude-code': /^claude-/, codex: /^(gpt-|o\d|codex)/ } as const

function claudeCode({ address, key, model }: SnippetInput): SnippetPart {
  const env = { ANTHROPIC_BASE_URL: address, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model, ...claudeWindow(model) }
  return { kind: 'code', language: 'json', file: '~/.claude/settings.json', code: JSON.stringify({ env }, null, 2) }
}

const claudeWindow = (model: string) =>
  KNOWS_WINDOW['claude-code'].test(model) ? {} : { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(WINDOW_TOKENS) }

function codex({ address, key, model }: SnippetInput): readonly SnippetPart[] {
  const config = [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "gateway"',
    ...(KNOWS_WINDOW.codex.test(model) ? [] : [`model_context_window = ${WINDOW_TOKENS}`]),
    '',
    '[model_providers.gateway]',
    'name = "Gateway"',
    `base_url = ${JSON.stringify(`${address}/v1`)}`,
    'env_key = "GATEWAY_API_KEY"',
    'wire_api = "responses"',
  ]
  return [
    { kind: 'code', language: 'toml', file: '~/.codex/config.toml', code: config.join('\n') },
    { kind: 'code', language: 'shell', code: `export GATEWAY_API_KEY=${quoted(key)}` },
  ]
}

/** Without `-m` it asks a flash-lite model first, and takes the dearest one when that is refused (Gemini CLI 0.61.0, 2026-11). */
function geminiCli({ address, key, model }: SnippetInput): readonly SnippetPart[] {
  const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
  const commands = [
    `export GOOGLE_GEMINI_BASE_URL=${quoted(address)}`,
    `export GEMINI_API_KEY=${quoted(key)}`,
    `gemini -m ${quoted(model)}`,
  ]
  return [
    { kind: 'code', language: 'json', file: '~/.gemini/settings.json', code: JSON.stringify(settings, null, 2) },
    { kind: 'code', language: 'shell', code: commands.join('\n') },
  ]
}

/** It shortens a conversation by `limit`, and asks `small_model` for titles (OpenCode 1.18.33, 2026-11). */
function openCode({ address, key, model }: SnippetInput): SnippetPart {
  const gateway = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Gateway',
    options: { baseURL: `${address}/v1`, apiKey: key },
    models: { [model]: { limit: { context: WINDOW_TOKENS, output: OUTPUT_TOKENS } } },
  }
  const config = { provider: { gateway }, model: `gateway/${model}`, small_model: `gateway/${model}` }
  return { kind: 'code', language: 'json', file: '~/.config/opencode/opencode.json', code: JSON.stringify(config, null, 2) }
}

function cursor({ address, key, model }: SnippetInput): SnippetPart {
  return {
    kind: 'fields',
    fields: [
      { name: 'OpenAI API Key', value: key },
      { name: 'Override OpenAI Base URL', value: `${address}/v1` },
      { name: 'Add Custom Model', value: model },
    ],
  }
}

/** Cherry Studio adds /v1 itself. */
function cherryStudio({ address, key, model }: SnippetInput): SnippetPart {
  return {
    kind: 'fields',
    fields: [
      { name: 'Provider Type', value: 'OpenAI' },
      { name: 'API Key', value: key },
      { name: 'API Host', value: address },
      { name: 'Model ID', value: model },
    ],
  }
}
