import type { Usage } from '@tollgate/contracts/pricing/quote'

/** A vendor's counts of a prompt; what it does not state is 0. `audio` and `image` include cached tokens of their kind. */
export type StatedPrompt = {
  readonly prompt: number
  readonly audio?: number
  readonly image?: number
  /** Tokens read from a cache, of every kind. */
  readonly cached?: number
  readonly cached_audio?: number
  readonly cached_image?: number
  /** Tokens written to a cache, those for an hour and longer included. */
  readonly written?: number
  readonly written_1h?: number
}

type PromptClasses = Pick<
  Usage,
  'text_in' | 'cache_read' | 'cache_read_image' | 'cache_read_audio' | 'cache_write' | 'cache_write_1h' | 'image_in' | 'audio_in'
>

/**
 * Splits a prompt into disjoint classes whose sum is the prompt: kind (text, image, audio) by state (fresh, cached, written). Counts that
 * exceed the prompt are cut. Cached tokens whose kind is not stated are `cache_read`, whatever the prompt consists of.
 */
export function promptClasses(stated: StatedPrompt): PromptClasses {
  const { prompt } = stated
  const cached = Math.min(stated.cached ?? 0, prompt)
  const fresh = prompt - cached
  const audio = Math.min(stated.audio ?? 0, prompt)
  const image = Math.min(stated.image ?? 0, prompt - audio)
  const cache_read_audio = Math.min(stated.cached_audio ?? 0, audio, cached)
  const cache_read_image = Math.min(stated.cached_image ?? 0, image, cached - cache_read_audio)
  const left = { audio: Math.min(audio - cache_read_audio, fresh), image: 0, text: 0 }
  left.image = Math.min(image - cache_read_image, fresh - left.audio)
  left.text = fresh - left.audio - left.image
  const written = Math.min(stated.written ?? 0, fresh)
  const cache_write_1h = Math.min(stated.written_1h ?? 0, written)
  take(left, written)
  return {
    text_in: left.text,
    cache_read: cached - cache_read_audio - cache_read_image,
    ...(cache_read_image === 0 ? {} : { cache_read_image }),
    ...(cache_read_audio === 0 ? {} : { cache_read_audio }),
    cache_write: written - cache_write_1h,
    ...(cache_write_1h === 0 ? {} : { cache_write_1h }),
    image_in: left.image,
    audio_in: left.audio,
  }
}

/** Written tokens are text as far as there is text. */
function take(left: { audio: number; image: number; text: number }, written: number): void {
  let rest = written
  for (const kind of ['text', 'image', 'audio'] as const) {
    const taken = Math.min(left[kind], rest)
    left[kind] -= taken
    rest -= taken
  }
}

type Cached = Pick<Usage, 'cache_read' | 'cache_read_image' | 'cache_read_audio'>

/** All tokens of a usage that were read from a cache. */
export function cachedTokensOf({ cache_read, cache_read_image = 0, cache_read_audio = 0 }: Cached): number {
  return cache_read + cache_read_image + cache_read_audio
}
