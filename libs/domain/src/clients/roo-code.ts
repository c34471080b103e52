import { OUTPUT_TOKENS, PROVIDER_ID, WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { inJson } from './encode.ts'

/** Importing adds the profile to those that exist and makes it the current one. */
export const rooCode: Client = {
  id: 'roo-code',
  name: 'Roo Code',
  kind: 'agent',
  format: 'openai-chat',
  setups: [
    {
      name: 'Roo Code',
      note: 'roo-code',
      parts: (values) => [{ kind: 'code', language: 'json', file: 'roo-code-settings.json', code: settingsOf(values) }],
    },
  ],
}

function settingsOf({ address, key, model }: ClientValues): string {
  const profile = {
    id: PROVIDER_ID,
    apiProvider: 'openai',
    openAiBaseUrl: `${address}/v1`,
    openAiApiKey: key,
    openAiModelId: model,
    openAiCustomModelInfo: { maxTokens: OUTPUT_TOKENS, contextWindow: WINDOW_TOKENS, supportsImages: true, supportsPromptCache: false },
  }
  return inJson({ providerProfiles: { currentApiConfigName: PROVIDER_ID, apiConfigs: { [PROVIDER_ID]: profile } } })
}
