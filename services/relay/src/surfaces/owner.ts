import type { IncomingMessage } from 'node:http'
import { anthropicSurface } from './anthropic/surface.ts'
import { geminiSurfaceOf } from './gemini/surface.ts'
import { openAiSurface } from './openai/surface.ts'
import type { Surface } from './surface.ts'

/** In whose format a path that nobody serves is refused; undefined: it is the control plane's. */
export function ownerOf(incoming: IncomingMessage, { CONSOLE_ORIGIN }: { readonly CONSOLE_ORIGIN: string }): Surface | undefined {
  const { url = '' } = incoming
  if (isBelow(url, '/v1/messages')) return anthropicSurface
  if (isBelow(url, '/v1beta')) return geminiSurfaceOf(incoming)
  return isBelow(url, '/v1') || CONSOLE_ORIGIN === '' ? openAiSurface : undefined
}

function isBelow(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || '/?'.includes(url.charAt(path.length)))
}
