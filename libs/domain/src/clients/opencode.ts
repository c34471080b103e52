import { OUTPUT_TOKENS, PROVIDER, PROVIDER_ID, WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { homePath, inJson } from './encode.ts'

/** It shortens a conversation by `limit`, and asks `small_model` for titles (1.18.33, 2026-11). */
export const openCode: Client = {
  id: 'opencode',
  name: 'OpenCode',
  kind: 'agent',
  format: 'openai-chat',
  setups: [
    {
      name: 'OpenCode',
      note: 'opencode',
      parts: (values, system) => [
        { kind: 'code', language: 'json', file: homePath(system, '.config/opencode/opencode.json'), code: configOf(values) },
      ],
    },
  ],
}

function configOf({ address, key, model }: ClientValues): string {
  const gateway = {
    npm: '@ai-sdk/openai-compatible',
    name: PROVIDER,
    options: { baseURL: `${address}/v1`, apiKey: key },
    models: { [model]: { limit: { context: WINDOW_TOKENS, output: OUTPUT_TOKENS } } },
  }
  const chosen = `${PROVIDER_ID}/${model}`
  return withoutPlaceholders(inJson({ provider: { [PROVIDER_ID]: gateway }, model: chosen, small_model: chosen }))
}

/** It replaces `{env:…}` and `{file:…}` in the text of the file, before it reads the JSON. */
const withoutPlaceholders = (json: string): string => json.replace(/\{(?=(?:env|file):)/g, String.raw`\u007b`)
