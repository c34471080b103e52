import type { Usage } from '@tollgate/contracts/pricing/quote'

/** Tokens that count against a limit per minute: all prompt and completion tokens, cached ones included. */
export function tokensOf(usage: Usage): number {
  const { text_in, text_out, cache_read, cache_write, image_in, audio_in, audio_out } = usage
  const { cache_read_image = 0, cache_read_audio = 0, cache_write_1h = 0, image_out = 0, video_in = 0 } = usage
  return (
    text_in +
    text_out +
    cache_read +
    cache_read_image +
    cache_read_audio +
    cache_write +
    cache_write_1h +
    image_in +
    video_in +
    image_out +
    audio_in +
    audio_out
  )
}
