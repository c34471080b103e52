import type { EndpointType } from '@tollgate/contracts/resources/pricing'

type Rule<T> = readonly [pattern: RegExp, value: T]

const CHAT = ['openai', 'openai-response', 'anthropic', 'gemini'] as const satisfies readonly EndpointType[]

const ENDPOINTS: readonly Rule<readonly EndpointType[]>[] = [
  [/rerank/i, ['jina-rerank']],
  [/embed|(^|\/)(bge|m3e|bce)-/i, ['embeddings']],
  [/moderation/i, ['moderation']],
  [/realtime/i, ['realtime']],
  [/whisper|transcribe|sensevoice/i, ['audio-transcription']],
  [/(^|[-/])tts(-|$)|speech|kokoro|cosyvoice|^eleven_/i, ['audio-speech']],
  [/dall-e|imagen-|gpt-image|stable-diffusion|(^|\/)flux|image-\d|-image$|cogview|seedream/i, ['image-generation']],
  // Drawing and music tasks have no endpoint here.
  [/^(mj_|swap_face|suno_)/i, []],
]

/** The endpoints that serve a model, as far as its name tells; models of unknown kind chat. */
export function endpointTypesOf(model: string): readonly EndpointType[] {
  return ENDPOINTS.find(([pattern]) => pattern.test(model))?.[1] ?? CHAT
}

const VENDORS: readonly Rule<string>[] = [
  [
    /^(gpt-|chatgpt|o[1-9](-|$)|text-embedding-(3|ada)|text-moderation|omni-moderation|dall-e|whisper|tts-|codex|davinci|babbage)/i,
    'OpenAI',
  ],
  [/claude/i, 'Anthropic'],
  [/gemini|gemma|imagen|palm|text-embedding-004|^embedding-001/i, 'Google'],
  [/deepseek/i, 'DeepSeek'],
  [/qwen|qwq|qvq|^text-embedding-v\d/i, 'Alibaba'],
  [/grok/i, 'xAI'],
  [/llama/i, 'Meta'],
  [/mistral|mixtral|codestral|pixtral|ministral|magistral/i, 'Mistral'],
  [/glm|cogview|chatglm/i, 'Zhipu'],
  [/moonshot|kimi/i, 'Moonshot'],
  [/doubao|seedream/i, 'ByteDance'],
  [/ernie|^bloomz/i, 'Baidu'],
  [/hunyuan/i, 'Tencent'],
  [/spark/i, 'iFLYTEK'],
  [/^(abab|minimax)/i, 'MiniMax'],
  [/^(yi-|01-ai)/i, '01.AI'],
  [/^(command|c4ai|rerank-)/i, 'Cohere'],
  [/sonar/i, 'Perplexity'],
  [/jina/i, 'Jina'],
  [/(^|\/)bge-/i, 'BAAI'],
  [/^m3e-/i, 'Moka AI'],
  [/^(mj_|swap_face)/i, 'Midjourney'],
  [/^suno/i, 'Suno'],
  [/^(360|semantic_similarity)/i, '360'],
]

/** The vendor of a model, as far as its name tells; else undefined. */
export function vendorOfModel(model: string): string | undefined {
  return VENDORS.find(([pattern]) => pattern.test(model))?.[1]
}
