/**
 * Content types of responses to clients. A vendor's own type is never sent as it is: a browser would run `text/html` or `image/svg+xml`
 * on the gateway's origin.
 */
export type ResponseType =
  | 'application/json'
  | 'text/event-stream'
  | 'text/plain; charset=utf-8'
  | 'text/vtt; charset=utf-8'
  | 'application/x-subrip'
  | 'application/octet-stream'
  | `audio/${string}`

/** `audio/L16;codec=pcm;rate=24000`: the parameters describe raw samples. */
const AUDIO = /^audio\/[a-z0-9][a-z0-9.+-]{0,40}(?:; ?(?:rate|channels|codecs?)="?[a-z0-9.,-]{1,20}"?){0,3}$/i

/** https://platform.openai.com/docs/api-reference/audio/createSpeech#audio-createspeech-response_format */
const AUDIO_TYPES: ReadonlyMap<unknown, ResponseType> = new Map([
  ['mp3', 'audio/mpeg'],
  ['opus', 'audio/opus'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['wav', 'audio/wav'],
  ['pcm', 'audio/pcm'],
])

/** The type of an audio response: the vendor's if it is audio, otherwise by the format that the client asked for. */
export function audioType(vendorType: string, response_format: unknown): ResponseType {
  const type = vendorType.trim()
  if (isAudio(type)) return type
  return type === '' || type.toLowerCase() === 'application/octet-stream'
    ? 'application/octet-stream'
    : (AUDIO_TYPES.get(response_format) ?? 'application/octet-stream')
}

export function isAudio(type: string): type is `audio/${string}` {
  return AUDIO.test(type)
}

/** The type of a transcript that is not JSON. */
export function transcriptType(vendorType: string): ResponseType {
  const type = vendorType.toLowerCase()
  if (type.startsWith('text/vtt')) return 'text/vtt; charset=utf-8'
  return type.startsWith('application/x-subrip') ? 'application/x-subrip' : 'text/plain; charset=utf-8'
}
