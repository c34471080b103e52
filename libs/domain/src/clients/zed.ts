import { KEY_VARIABLE, PROVIDER, WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { inJson } from './encode.ts'

/** The key is kept in the keychain, or comes from a variable that is named after the provider. */
export const zed: Client = {
  id: 'zed',
  name: 'Zed',
  kind: 'editor',
  format: 'openai-chat',
  variables: [KEY_VARIABLE],
  setups: [
    {
      name: 'Zed',
      note: 'zed',
      parts: (values, system) => [
        { kind: 'code', language: 'json', file: FILES[system], code: settingsOf(values) },
        { kind: 'fields', fields: [{ name: `${PROVIDER} API Key`, value: values.key }] },
      ],
    },
  ],
}

const FILES = { unix: '~/.config/zed/settings.json', windows: String.raw`%APPDATA%\Zed\settings.json` } as const

function settingsOf({ address, model }: ClientValues): string {
  const provider = { api_url: `${address}/v1`, available_models: [{ name: model, display_name: model, max_tokens: WINDOW_TOKENS }] }
  return inJson({
    language_models: { openai_compatible: { [PROVIDER]: provider } },
    agent: { default_model: { provider: PROVIDER, model } },
  })
}
