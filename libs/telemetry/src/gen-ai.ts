/**
 * Names of the OpenTelemetry conventions for generative AI, and of this gateway beside them. The conventions are experimental and have no
 * npm package. https://github.com/open-telemetry/semantic-conventions-genai
 */

/** Version of the conventions that the names are of. */
export const GEN_AI_SCHEMA = 'https://opentelemetry.io/schemas/gen-ai/1.42.0'

/** Value of `OTEL_SEMCONV_STABILITY_OPT_IN` (a list) that turns them on. */
const OPT_IN = 'gen_ai_latest_experimental'

export const optsInToGenAi = (list: string): boolean => list.split(',').some((entry) => entry.trim() === OPT_IN)

/** Attributes of the spans of calls, with what they say. */
export const GEN_AI_ATTRIBUTES = {
  'gen_ai.operation.name': '`chat`, `generate_content`, `text_completion`, `embeddings`, or the name of another operation of the gateway',
  'gen_ai.provider.name': 'the vendor of the channel',
  'gen_ai.request.model': 'the model that the vendor was asked for',
  'gen_ai.request.stream': 'present on streams',
  'gen_ai.response.finish_reasons': '`stop`, `length`, `tool_call`, `content_filter` or `other`, whatever the format',
  'gen_ai.conversation.id': 'the conversation that the client named',
  'gen_ai.usage.input_tokens': 'all tokens of the prompt, those of a cache included',
  'gen_ai.usage.output_tokens': 'all tokens of the answer, reasoning included',
  'gen_ai.usage.cache_read.input_tokens': 'the part of the prompt that was read from a cache',
  'gen_ai.usage.cache_creation.input_tokens': 'the part of the prompt that was written to a cache',
  'gen_ai.usage.reasoning.output_tokens': 'the part of the answer that is reasoning',
  'gen_ai.response.time_to_first_chunk': 'seconds until the first byte of a stream’s answer',
  'gen_ai.input.messages':
    'the conversation as JSON text; only where the site’s option `TelemetryContentEnabled` and the token’s own switch are on',
  'gen_ai.output.messages': 'the answer that the client was sent, under the same conditions',
  'error.type': 'how an attempt failed: `refused`, `limited`, `timeout`, `network`, `malformed`, `aborted`',
  'http.response.status_code': 'status of the vendor’s answer',
  'tollgate.request.id': 'id of the request, as in its log entry and in the response',
  'tollgate.request.model': 'the model that the client asked for',
  'tollgate.channel.id': 'the channel',
  'tollgate.channel.type': 'type of the channel',
  'tollgate.group': 'the group whose prices apply',
  'tollgate.attempt': 'number of the attempt, from 1',
  'tollgate.charge': 'quota that the request was charged; on the attempt that answered',
  'tollgate.content.is_cut': 'present when the messages are longer than 16,384 characters: older ones are left out and texts are cut',
  'tollgate.usage.source': '`upstream`: reported by the vendor; `estimated`: counted here',
} as const satisfies Readonly<Record<string, string>>
export type GenAiAttribute = keyof typeof GEN_AI_ATTRIBUTES

/** Histograms, with their units and upper bounds. */
export const GEN_AI_METRICS = {
  'gen_ai.client.token.usage': {
    description: 'Tokens of answered requests by `gen_ai.token.type`: `input` or `output`',
    unit: '{token}',
    buckets: Array.from({ length: 14 }, (_, at) => 4 ** at),
  },
  'gen_ai.client.operation.duration': {
    description: 'Seconds from sending an attempt to the end of its answer',
    unit: 's',
    buckets: Array.from({ length: 14 }, (_, at) => 0.01 * 2 ** at),
  },
  'gen_ai.client.operation.time_to_first_chunk': {
    description: 'Seconds from sending an attempt to the first byte of its answer, of streams',
    unit: 's',
    buckets: Array.from({ length: 14 }, (_, at) => 0.001 * 2 ** (at + 1)),
  },
} as const

/** Names of vendors in the conventions, by channel type; others are named by their catalogue. */
export const PROVIDER_NAMES: Readonly<Record<number, string>> = {
  1: 'openai',
  3: 'azure.ai.openai',
  14: 'anthropic',
  24: 'gcp.gemini',
  27: 'perplexity',
  33: 'aws.bedrock',
  34: 'cohere',
  41: 'gcp.vertex_ai',
  42: 'mistral_ai',
  43: 'deepseek',
  48: 'x_ai',
  55: 'openai',
  57: 'openai',
}
