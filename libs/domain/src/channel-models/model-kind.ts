/** Call by which a model can be tested; `costly`: each call makes a file, needs one, or is no single call. */
export type ModelKind = 'chat' | 'embeddings' | 'rerank' | 'moderation' | 'costly'

/** Kinds by name, because lists of vendors state none. Rerankers first: some are named after an embedding family. */
const KINDS: readonly (readonly [Exclude<ModelKind, 'chat'>, RegExp])[] = [
  ['rerank', /re-?rank/i],
  ['moderation', /moderation|guard-text|shieldgemma/i],
  ['embeddings', /embed|bge-|^m3e|^gte-|^e5-/i],
  [
    'costly',
    /dall-e|image|imagen|flux|diffusion|sd3|sdxl|cogview|cogvideo|wanx|^wan\d|kolors|seedream|seedance|recraft|ideogram|sora|veo-|kling|vidu|hailuo|midjourney|suno|^tts-|-tts|speech|cosyvoice|kokoro|^eleven_|whisper|transcri|sensevoice|paraformer|realtime|-live-|lyria|music/i,
  ],
]

export function modelKindOf(model: string): ModelKind {
  return KINDS.find(([, names]) => names.test(model))?.[0] ?? 'chat'
}
