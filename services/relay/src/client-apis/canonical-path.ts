import type { IncomingMessage } from 'node:http'
import { readCredential } from '../identity/credentials.ts'
import { queryOf } from '../transport/query.ts'

/** First segments of OpenAI's and Anthropic's routes, which are also answered without their `/v1`. */
const HEADS = new Set([
  'chat',
  'completions',
  'embeddings',
  'moderations',
  'images',
  'audio',
  'rerank',
  'responses',
  'messages',
  'models',
  'engines',
  'files',
  'uploads',
  'batches',
  'fine-tunes',
  'realtime',
])

/** A version that is followed by another one: a base address with `/v1` in a client that adds its own. */
const REPEATED_VERSION = /^\/v1(?:beta|alpha)?(?=\/v1(?:beta|alpha)?(?:\/|$))/
/** A prefix that clients of Groq and Azure add by themselves, also behind a base address with a version. */
const OPENAI = /^(?:\/v1)?\/openai(?:\/v1\/openai)*(?=\/v1(?:\/|$))/
/** Google's prefix of its OpenAI-compatible routes: https://ai.google.dev/gemini-api/docs/openai */
const GOOGLE_OPENAI = /^\/v1(?:beta|alpha)\/openai(?=\/|$)/
/** Models of Google's own as its SDK calls them at Vertex AI, with a key or with a project. */
const VERTEX = /^\/v1(?:beta1?)?(?:\/projects\/[^/]+\/locations\/[^/]+)?\/publishers\/google(?=\/models\/)/
const ALPHA = /^\/v1alpha(?=\/|$)/
const VERSIONED = /^\/v1(?:beta)?(?:\/|$)/

type Meant = {
  readonly method: string
  /** A page of the console may have the same address as a route without `/v1`, but a browser sends no key for it. */
  readonly hasKey: boolean
}

/** The URL that a client meant by another spelling of its path; undefined: the path has no other. Only for paths that match no route. */
export function canonicalUrl(incoming: IncomingMessage): string | undefined {
  const { url = '', method = '' } = incoming
  const query = queryOf(url)
  const path = canonicalPath(url.slice(0, url.length - query.length), { method, hasKey: readCredential(incoming) !== '' })
  return path === undefined ? undefined : path + query
}

/** The address that a client meant by another spelling; undefined: the path has no other. Only for paths that match no route. */
export function canonicalPath(path: string, { method, hasKey }: Meant): string | undefined {
  let meant = path
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/%3a/gi, ':')
    .replace(/\/$/, '')
  while (REPEATED_VERSION.test(meant)) meant = meant.replace(REPEATED_VERSION, '')
  meant = meant.replace(OPENAI, '').replace(GOOGLE_OPENAI, '/v1').replace(ALPHA, '/v1beta').replace(VERTEX, '/v1beta')
  while (REPEATED_VERSION.test(meant)) meant = meant.replace(REPEATED_VERSION, '')
  if (!VERSIONED.test(meant) && (hasKey || method !== 'GET')) meant = withVersion(meant)
  return VERSIONED.test(meant) && meant !== path ? meant : undefined
}

function withVersion(path: string): string {
  const [, head = ''] = path.split('/', 2)
  if (!HEADS.has(head)) return path
  return head === 'models' && path.includes(':') ? `/v1beta${path}` : `/v1${path}`
}
