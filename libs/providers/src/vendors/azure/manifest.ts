import { OPENAI_COMPATIBLE_FORMATS, type CallFacts } from '../../calls/api-format.ts'
import { ChannelType } from '../channel-types.ts'
import { OPENAI_TOOLS } from '../openai/hosted-tools.ts'
import { openAiModelApis } from '../openai/model-apis.ts'
import { makerModels } from '../../catalogue/maker-models.gen.ts'
import { openAiPaths, vendor } from '../vendor.ts'

/** Used if neither the client nor the channel sets one. */
const DEFAULT_VERSION = '2025-04-01-preview'

/** Versions of the v1 API, which has no deployment in its path: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/api-version-lifecycle */
const V1_QUERIES: Readonly<Record<string, string>> = { v1: '', latest: '', preview: '?api-version=preview' }

const deployment = (path: string) => (call: CallFacts) => {
  const version = versionOf(call)
  const query = V1_QUERIES[version]
  if (query !== undefined) return `/openai/v1/${path}${query}`
  return `/openai/deployments/${encodeURIComponent(call.model)}/${path}?api-version=${encodeURIComponent(version)}`
}

/** The path contains the deployment: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference */
export const azure = vendor({
  channelType: ChannelType.AzureOpenAI,
  name: { zh: 'Azure OpenAI', en: 'Azure OpenAI' },
  ownedBy: 'custom',
  baseUrl: '',
  formats: [
    ...OPENAI_COMPATIBLE_FORMATS.filter((format) => format !== 'rerank' && format !== 'openai-moderations'),
    'openai-responses',
    'openai-realtime',
  ],
  modelApis: openAiModelApis,
  address: openAiPaths({
    'openai-chat': deployment('chat/completions'),
    'openai-completions': deployment('completions'),
    'openai-embeddings': deployment('embeddings'),
    'openai-images': deployment('images/generations'),
    'openai-image-edits': deployment('images/edits'),
    'openai-speech': deployment('audio/speech'),
    'openai-transcriptions': deployment('audio/transcriptions'),
    'openai-translations': deployment('audio/translations'),
    'openai-responses': '/openai/v1/responses?api-version=preview',
    // The preview's address was deprecated on 2026-04-30: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/realtime-audio-quickstart
    'openai-realtime': ({ model }) => `/openai/v1/realtime?model=${encodeURIComponent(model)}`,
  }),
  dropsQuery: true,
  knowsDeveloper: true,
  auth: { kind: 'header', name: 'api-key' },
  otherHint: {
    zh: '默认 API 版本，例如 2025-04-01-preview；v1 使用新版接口',
    en: 'Default API version, for example 2025-04-01-preview; v1 for the new API',
  },
  models: makerModels.OpenAI,
  listing: 'console',
  traits: { hosted_tools: OPENAI_TOOLS },
  streamOptions: true,
  reference: { url: 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference', checked: '2026-11-20' },
})

function versionOf({ query, other }: CallFacts): string {
  return new URLSearchParams(query).get('api-version') ?? (other.trim() === '' ? DEFAULT_VERSION : other.trim())
}
