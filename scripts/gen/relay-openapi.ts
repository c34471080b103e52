import { VERSION } from '../../libs/config/src/version.ts'
import { listed } from '../sdk-calls/listed.ts'
import { OFFERED, shapeOf, type Answered } from '../sdk-calls/offered.ts'
import { SDKS } from '../sdk-calls/read-calls.ts'
import { BODIES, type Json } from './openapi/relay-bodies.ts'
import { SERVERS } from './openapi/servers.ts'

type Api = 'openai' | 'anthropic' | 'gemini'

/** The reference of each API has the fields that the relay passes on. */
const APIS = {
  openai: { title: 'OpenAI', reference: 'https://platform.openai.com/docs/api-reference', security: ['apiKey'] },
  anthropic: { title: 'Anthropic', reference: 'https://docs.anthropic.com/en/api/overview', security: ['anthropicKey', 'apiKey'] },
  gemini: { title: 'Gemini', reference: 'https://ai.google.dev/api', security: ['googleKey', 'googleKeyInQuery', 'apiKey'] },
} as const

const ANSWERED: Readonly<Record<Answered, string>> = {
  converts: 'Any channel that has the ability serves it; where its vendor speaks the same format, the body passes unchanged.',
  passes: 'Channels whose vendor has this API serve it.',
  answers: 'The gateway itself answers.',
}

const error = (fields: Json, example: Json): Json => ({ type: 'object', required: Object.keys(fields), properties: fields, example })
const text = { type: 'string' }
const inner = (...names: string[]): Json => ({
  type: 'object',
  required: ['message'],
  properties: Object.fromEntries(names.map((name) => [name, text])),
})
const ERRORS: Record<`${Api}Error`, Json> = {
  openaiError: error(
    { error: { ...inner('message', 'type', 'code'), description: 'As SDKs of OpenAI read it' } },
    { error: { message: 'The token has no quota left', type: 'insufficient_quota', code: 'insufficient_quota' } },
  ),
  anthropicError: error(
    { type: { const: 'error' }, error: inner('type', 'message') },
    { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests' } },
  ),
  geminiError: error(
    { error: { ...inner('message', 'status'), description: 'As SDKs of Google read it' } },
    { error: { message: 'The API key is not valid', status: 'UNAUTHENTICATED' } },
  ),
}

/** The relay's HTTP calls as OpenAPI 3.1; WebSockets are in docs/generated/sdk-calls.md. */
export function renderRelayOpenApi(): string {
  const paths: Record<string, Json> = {}
  for (const [method, path, answered] of OFFERED) {
    if (method === 'WebSocket') continue
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(method, path, answered) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate relay',
      version: VERSION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'Calls in the formats of three APIs. The schemas have the fields that the relay needs; what else a vendor knows passes.',
    },
    servers: SERVERS,
    tags: Object.entries(APIS).map(([name, { title, reference }]) => ({
      name,
      description: `The API of ${title}`,
      externalDocs: { url: reference },
    })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: ERRORS, responses: failures(), securitySchemes: SECURITY },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const SECURITY = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'API key, sk-…' },
  anthropicKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  googleKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
  googleKeyInQuery: { type: 'apiKey', in: 'query', name: 'key' },
}

const failures = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([name, { example }]) => [
      name,
      {
        description: 'A failure in the format of the client',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } },
      },
    ]),
  )

function apiOf(path: string): Api {
  if (path.includes('{version}')) return 'gemini'
  return path.startsWith('/v1/messages') || path === '/api/hello' ? 'anthropic' : 'openai'
}

function toOperation(method: string, path: string, answered: Answered): Json {
  const api = apiOf(path)
  const failure = { $ref: `#/components/responses/${api}Error` }
  return {
    operationId: idOf(method, path),
    tags: [api],
    summary: summaryOf(method, path),
    description: ANSWERED[answered],
    security: APIS[api].security.map((name) => ({ [name]: [] })),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: name === 'version' ? { type: 'string', enum: ['v1beta', 'v1alpha', 'v1'] } : text,
    })),
    ...(method === 'POST' || method === 'PATCH' ? { requestBody: bodyOf(method, path, 'request') } : {}),
    responses: { '200': { description: 'Done', ...bodyOf(method, path, 'answer') }, '4XX': failure, '5XX': failure },
  }
}

/** The names that SDKs have for the call. */
function summaryOf(method: string, path: string): string {
  const names = listed.calls
    .filter((call) => call.method === method && shapeOf(call.path) === shapeOf(path))
    .map(({ sdk, call }) => `${call} (${SDKS[sdk]})`)
  return names.length === 0 ? `${method} ${path}` : names.join(', ')
}

/** `POST /v1/chat/completions` is `postV1ChatCompletions`. */
const idOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path.replaceAll(/[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g, (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1))

function bodyOf(method: string, path: string, side: 'request' | 'answer'): Json {
  const { type = 'application/json', example = { id: 'example' } } = BODIES[`${method} ${path}`]?.[side] ?? {}
  return { content: { [type]: { schema: schemaOf(example), example } } }
}

/** The example's fields are those that the call needs; others may be added. */
function schemaOf(value: unknown): Json {
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, schemaOf(part)]))
    return { type: 'object', properties, additionalProperties: true }
  }
  return { type: Number.isInteger(value) ? 'integer' : typeof value }
}
