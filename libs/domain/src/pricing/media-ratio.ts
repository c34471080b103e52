/** A published price relation to a prompt text token, by model name. */
type Relation = { readonly applies: (name: string) => boolean; readonly ratio: number; readonly isGuess?: true }

const starts =
  (...heads: string[]) =>
  (name: string) =>
    heads.some((head) => name.startsWith(head))

/** Gemini's audio tokens cost the same as text tokens, except: https://ai.google.dev/gemini-api/docs/pricing */
const GEMINI_AUDIO: readonly Relation[] = [
  { applies: (name) => name.startsWith('gemini-2.5-flash') && name.includes('native-audio'), ratio: 3 / 0.5 },
  { applies: starts('gemini-2.5-flash-lite', 'gemini-2.5-flash-preview-lite'), ratio: 3 },
  { applies: starts('gemini-2.5-flash-preview'), ratio: 1 / 0.15 },
  { applies: starts('gemini-2.5-flash', 'gemini-robotics-er-1.5'), ratio: 1 / 0.3 },
  { applies: starts('gemini-2.0-flash-lite'), ratio: 1 },
  { applies: starts('gemini-2.0-flash'), ratio: 7 },
  { applies: starts('gemini-'), ratio: 1 },
]

/** https://platform.openai.com/docs/pricing#audio-tokens */
const OPENAI_AUDIO: readonly Relation[] = [
  // Dated snapshots of a model have the same published price.
  { applies: (name) => name.includes('gpt-4o-mini-realtime-preview'), ratio: 10 / 0.6 },
  { applies: (name) => name.includes('gpt-4o-realtime-preview'), ratio: 8 },
  { applies: starts('gpt-realtime-mini', 'gpt-audio-mini'), ratio: 10 / 0.6 },
  { applies: starts('gpt-realtime'), ratio: 8 },
  { applies: starts('gpt-audio'), ratio: 12.8 },
  { applies: (name) => name.includes('-realtime'), ratio: 20, isGuess: true },
  { applies: starts('gpt-4o-audio-preview'), ratio: 16 },
  { applies: starts('gpt-4o-mini-audio-preview'), ratio: 10 / 0.15 },
  { applies: starts('gpt-4o-transcribe', 'gpt-4o-mini-transcribe'), ratio: 2.4 },
  { applies: starts('gpt-4o-mini-tts'), ratio: 10 },
  { applies: (name) => name.includes('-audio'), ratio: 40, isGuess: true },
]

/** Price of an audio prompt token relative to a text prompt token. */
export function audioRatioOf(model: string): number {
  return relationOf(model)?.ratio ?? 20
}

/** True if the vendor publishes a price of audio tokens for the model. */
export function hasPublishedAudioPrice(model: string): boolean {
  const relation = relationOf(model)
  return relation !== undefined && relation.isGuess !== true
}

function relationOf(model: string): Relation | undefined {
  const relations = model.startsWith('gemini-') ? GEMINI_AUDIO : OPENAI_AUDIO
  return relations.find(({ applies }) => applies(model))
}

/** Price of a generated audio token relative to an audio prompt token. */
export function audioCompletionRatioOf(_model: string): number {
  return 2
}

/** Price of an image prompt token relative to a text prompt token. */
export function imageRatioOf(model: string): number {
  return model === 'gpt-image-1' ? 2 : 1
}

/**
 * Price of writing a prompt token to the vendor's cache relative to an uncached prompt token. Where a vendor other than Anthropic states
 * none, such a token costs what an uncached one costs: https://docs.anthropic.com/en/docs/about-claude/pricing
 */
export function cacheCreationRatioOf(model: string): number {
  return model.includes('claude') ? 1.25 : 1
}
