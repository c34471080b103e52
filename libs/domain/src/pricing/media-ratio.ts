/** Ratios that no option holds: published relations of audio and image tokens to prompt text tokens, by model name. */

/** Price of an audio prompt token relative to a text prompt token. */
export function audioRatioOf(model: string): number {
  if (model.includes('-realtime')) {
    // Dated names are the same model: the published prices do not differ by snapshot.
    if (model.includes('gpt-4o-mini-realtime-preview')) return 10 / 0.6
    return model.includes('gpt-4o-realtime-preview') ? 8 : 20
  }
  if (model.includes('-audio')) {
    if (model.startsWith('gpt-4o-audio-preview')) return 16
    return model.startsWith('gpt-4o-mini-audio-preview') ? 10 / 0.15 : 40
  }
  return 20
}

/** Price of an answered audio token relative to an audio prompt token. */
export function audioCompletionRatioOf(_model: string): number {
  return 2
}

/** Price of an image prompt token relative to a text prompt token. */
export function imageRatioOf(model: string): number {
  return model === 'gpt-image-1' ? 2 : 1
}

/** Price of writing a prompt token to the vendor's cache relative to reading it uncached. */
export const CACHE_CREATION_RATIO = 1.25
