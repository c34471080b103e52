import { textOf } from '../fields.ts'
import { shortSideOf, type VideoRequest } from './video-request.ts'

/** Pixels of a picture by resolution, in the shape that has most. */
const PIXELS: Readonly<Record<string, number>> = { '480p': 864 * 496, '720p': 1280 * 720, '1080p': 1920 * 1088 }
const FRAMES_PER_SECOND = 24
/** Where neither the request nor a command in its prompt names a length. */
const DEFAULT_SECONDS = 5
const MARGIN = 1.05

/**
 * The most tokens that a video takes at Volcengine, the only vendor that bills videos by token: pixels × frames ÷ 1 024.
 * https://www.volcengine.com/docs/82379/1544106 (read as copies, 2026-11-28)
 */
export function mostTokens(request: VideoRequest): number {
  const { prompt, seconds, metadata } = request
  const command = Number(/--(?:dur|duration)\s+(\d{1,3})\b/.exec(prompt)?.[1] ?? 0)
  const length = Math.max(seconds ?? 0, command) || DEFAULT_SECONDS
  const named = textOf(metadata, 'resolution') || (/--(?:rs|resolution)\s+(\w+)/.exec(prompt)?.[1] ?? '')
  const side = shortSideOf(request)
  const bySize = side === undefined ? '' : side <= 600 ? '480p' : side <= 900 ? '720p' : '1080p'
  const pixels = PIXELS[named] ?? PIXELS[bySize] ?? PIXELS['1080p'] ?? 0
  return Math.ceil(((pixels * FRAMES_PER_SECOND * length) / 1024) * MARGIN)
}
