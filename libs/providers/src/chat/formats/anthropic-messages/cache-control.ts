import type { CacheControl } from '../../request.ts'
import { isObject, type JsonObject } from '../../../json.ts'

/** Decodes `cache_control` of a block or tool. */
export function decodeCacheControl({ cache_control }: JsonObject): { readonly cache?: CacheControl } {
  if (!isObject(cache_control)) return {}
  const { ttl } = cache_control
  return { cache: ttl === '5m' || ttl === '1h' ? { ttl } : {} }
}

/** Encodes `cache_control`: https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
export function encodeCacheControl({ cache }: { readonly cache?: CacheControl }): JsonObject {
  return cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...cache } }
}
