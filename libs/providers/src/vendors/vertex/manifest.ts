import type { CallFacts, ApiFormat } from '../../calls/api-format.ts'
import { objectAt, type JsonObject } from '../../json.ts'
import { hostOfRegion, locationOf, regionOf } from '../../vertex-location.ts'
import { GEMINI_TOOLS } from '../gemini/hosted-tools.ts'
import { IMAGEN } from '../gemini/imagen-models.ts'
import { ChannelType } from '../channel-types.ts'
import { mistral } from '../mistral/manifest.ts'
import { vertexAI as models } from '../preset-models.ts'
import { vendor } from '../vendor.ts'

/** As in Anthropic's own client for Vertex AI (@anthropic-ai/vertex-sdk 1.1.3). */
const ANTHROPIC_VERSION = '2026-10-21'

/** Features of Anthropic's that Vertex AI has: https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai (read 2026-11-27) */
const BETAS = [
  'interleaved-thinking-',
  'context-1m-',
  'context-management-',
  'effort-',
  'output-128k-',
  'token-efficient-tools-',
  'fine-grained-tool-streaming-',
  'computer-use-',
  'web-search-',
  'tool-search-tool-',
  'tool-examples-',
]

/** The same format at the address of their publisher: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/partner-models/mistral */
const MISTRAL_MODELS = /^(?:mistral|codestral|ministral|magistral)-(?!.*-maas$)/

const common = {
  channelType: ChannelType.VertexAI,
  name: { zh: 'Vertex AI', en: 'Vertex AI' },
  ownedBy: 'vertex-ai',
  baseUrl: '',
  address: { kind: 'derived', url: urlFor },
  auth: { kind: 'google' },
  dropsQuery: true,
  models,
  listing: 'models',
  streamOptions: false,
} as const

/** They differ from OpenAI's format as Mistral's own API does. */
const mistralModels = vendor({
  ...common,
  formats: ['openai-chat'],
  ...(mistral.quirks === undefined ? {} : { quirks: mistral.quirks }),
  ...(mistral.traits === undefined ? {} : { traits: mistral.traits }),
  ...(mistral.systemMessages === undefined ? {} : { systemMessages: mistral.systemMessages }),
})

/**
 * Google's, Anthropic's and open models, each in its own format.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference ·
 * https://docs.anthropic.com/en/api/claude-on-vertex-ai
 */
export const vertex = vendor({
  ...common,
  formats: formatsFor,
  otherApis: [{ serves: ({ model }) => MISTRAL_MODELS.test(model), vendor: mistralModels }],
  betas: { names: BETAS, inBody: false },
  patch: (body, { format, model }) => {
    // The fields of a wrapped request stand at the top, as in @google/genai 3.3.0.
    if (format === 'gemini-token-count') return withoutModel({ ...body, generateContentRequest: undefined, ...objectAt(body, WRAPPED) })
    // The address of a count names no model.
    if (format === 'anthropic-token-count') return { anthropic_version: ANTHROPIC_VERSION, ...body, model: claudeIdOf(model) }
    return format === 'anthropic-messages' ? { anthropic_version: ANTHROPIC_VERSION, ...withoutModel(body) } : body
  },
  keyHint: { zh: '完整的服务账号 JSON', en: 'The complete service account JSON' },
  otherHint: {
    zh: '部署地区，例如 us-central1（默认 global），或模型到地区的 JSON（含 default）',
    en: 'Region, for example us-central1 (default: global), or JSON from model to region with a default',
  },
  // https://docs.cloud.google.com/vertex-ai/generative-ai/docs/grounding/overview · of Claude's tools only the search:
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool (read 2026-11-27)
  traits: {
    hosted_tools: [...GEMINI_TOOLS, { format: 'anthropic-messages', tools: ['web-search'] }],
  },
  reference: { url: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference', checked: '2026-11-20' },
})

const WRAPPED = 'generateContentRequest'

function withoutModel({ model: _model, ...rest }: JsonObject): JsonObject {
  return rest
}

/** Gemini embedding models after 001 take one content per call, as in Google's own client (@google/genai 3.3.0). */
const EMBEDS_CONTENT = /gemini-embedding-(?!001)/

/**
 * Models of other makers are served in OpenAI's format: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-models
 * (read 2026-11-27). Their names begin with the maker's, end with `-maas`, or are those of a family.
 */
const OPEN_MODELS = /^(?!google\/)[a-z][\w-]*\/|-maas$|llama|gpt-oss|qwen|kimi|glm-|deepseek|minimax/

/** https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
const VEO = /^veo-/

const COUNTS = ['anthropic-token-count', 'gemini-token-count'] as const

function formatsFor(model: string): readonly ApiFormat[] {
  if (IMAGEN.test(model)) return ['gemini-predict']
  if (VEO.test(model)) return ['video']
  if (EMBEDS_CONTENT.test(model)) return ['gemini-embed-content']
  if (/embed/.test(model)) return ['vertex-embeddings']
  if (model === '')
    return [
      'gemini',
      'openai-chat',
      'anthropic-messages',
      'vertex-embeddings',
      'gemini-embed-content',
      'gemini-predict',
      'video',
      ...COUNTS,
    ]
  if (model.includes('claude')) return ['anthropic-messages', 'anthropic-token-count']
  return OPEN_MODELS.test(model) || MISTRAL_MODELS.test(model) ? ['openai-chat'] : ['gemini', 'gemini-token-count']
}

function urlFor(call: CallFacts, base: string): string | undefined {
  const region = regionOf(call.other, call.model)
  const location = locationOf(call.key, region)
  if (location === undefined) return undefined
  const host = base === '' ? hostOfRegion(region) : base
  if (call.format === 'openai-chat' && !MISTRAL_MODELS.test(call.model))
    return `${host}/v1beta1/${location}/endpoints/openapi/chat/completions`
  return `${host}/v1/${location}/publishers/${PUBLISHERS[call.format] ?? 'google'}/models/${modelInPath(call)}:${methodOf(call)}`
}

const PUBLISHERS: Partial<Record<ApiFormat, string>> = {
  'openai-chat': 'mistralai',
  'anthropic-messages': 'anthropic',
  'anthropic-token-count': 'anthropic',
}

function methodOf({ format, is_stream }: CallFacts): string {
  if (format === 'vertex-embeddings' || format === 'gemini-predict') return 'predict'
  if (format === 'gemini-embed-content') return 'embedContent'
  if (format === 'gemini-token-count') return 'countTokens'
  if (PUBLISHERS[format] !== undefined) return is_stream ? 'streamRawPredict' : 'rawPredict'
  return is_stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
}

function modelInPath({ format, model }: CallFacts): string {
  if (format === 'anthropic-token-count') return 'count-tokens'
  return encodeURIComponent(format === 'anthropic-messages' ? claudeIdOf(model) : model)
}

/** Vertex separates the date with `@`: https://docs.anthropic.com/en/api/claude-on-vertex-ai#api-model-ids */
function claudeIdOf(model: string): string {
  if (model === 'claude-3-5-sonnet-20241022') return 'claude-3-5-sonnet-v2@20241022'
  return model.replace(/-(\d{8})$/, '@$1')
}
