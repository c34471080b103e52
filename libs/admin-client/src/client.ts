import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './schema.gen.ts'

export type AdminClient = Client<paths>

export type AdminClientOptions = {
  /** `https://gateway.example`: where the console is served. */
  readonly address: string
  /** A system access token; absent: public calls only. */
  readonly accessToken?: string
  /** The account that the token belongs to, or an organisation of it. */
  readonly userId?: number
  /** Language of messages; default English. */
  readonly language?: 'en' | 'zh'
  /** A call that takes longer fails. */
  readonly timeoutMs?: number
  /** Further headers, for example a session cookie. */
  readonly headers?: Readonly<Record<string, string>>
}

const TIMEOUT_MS = 30_000

/** Calls by path and method, as openapi-fetch has them: `client.GET('/api/token/{id}', { params: { path: { id: 1 } } })`. */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  const { accessToken, userId, language = 'en', timeoutMs = TIMEOUT_MS } = options
  return createClient<paths>({
    baseUrl: options.address.replace(/\/+$/, ''),
    headers: {
      'Accept-Language': language,
      ...(accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }),
      ...(userId === undefined ? {} : { 'New-Api-User': String(userId) }),
      ...options.headers,
    },
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
  })
}
