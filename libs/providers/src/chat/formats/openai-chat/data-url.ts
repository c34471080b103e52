import type { MediaSource } from '../../request.ts'

/** A URL of OpenAI's formats: a data URL gives its bytes, any other stays a URL. */
export function decodeUrl(url: string): MediaSource {
  const comma = url.indexOf(',')
  if (url.slice(0, 5).toLowerCase() !== 'data:' || comma === -1) return { kind: 'url', url }
  const head = url.slice(5, comma)
  const media_type = (head.split(';')[0] ?? '').trim().toLowerCase() || 'text/plain'
  const rest = url.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(head)) return { kind: 'base64', media_type, data: rest }
  return { kind: 'base64', media_type, data: Buffer.from(unescape(rest)).toString('base64') }
}

export function toDataUrl({ media_type, data }: { readonly media_type: string; readonly data: string }): string {
  return `data:${media_type};base64,${data}`
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: the text is not encoded.
    return text
  }
}
