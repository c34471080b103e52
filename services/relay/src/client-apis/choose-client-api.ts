import type { IncomingMessage } from 'node:http'
import { anthropicApi } from './anthropic/client-api.ts'
import { geminiApiOf } from './gemini/client-api.ts'
import { flatApi } from './ranking/routes.ts'
import { midjourneyApi } from './midjourney/client-api.ts'
import { sharedApiOf } from './shared-api.ts'
import { jimengApi, klingApi } from './videos/client-api.ts'
import { sunoApi } from './suno/client-api.ts'
import type { ClientApi } from '../request/client-api.ts'

/** The client API in whose format an unknown path is refused; undefined: the path belongs to the control plane. */
export function chooseClientApi(incoming: IncomingMessage, { CONSOLE_ORIGIN }: { readonly CONSOLE_ORIGIN: string }): ClientApi | undefined {
  const { url = '' } = incoming
  if (isBelow(url, '/v1/messages')) return anthropicApi
  if (GOOGLE.some((path) => isBelow(url, path))) return geminiApiOf(incoming)
  if (isBelow(url, '/v2')) return flatApi
  if (isBelow(url, '/mj')) return midjourneyApi
  if (isBelow(url, '/suno')) return sunoApi
  if (isBelow(url, '/kling')) return klingApi
  if (isBelow(url, '/jimeng')) return jimengApi
  return isBelow(url, '/v1') || CONSOLE_ORIGIN === '' ? sharedApiOf(incoming) : undefined
}

/** Google's paths, those of uploads and WebSockets too; its SDK for Node writes two slashes before the latter. */
const GOOGLE = ['/v1beta', '/v1beta1', '/upload/v1', '/upload/v1beta', '/upload/v1beta1', '/ws', '//ws']

function isBelow(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || '/?'.includes(url.charAt(path.length)))
}
