import { z } from 'zod'
import { VERSION } from '../../libs/config/src/version.ts'
import { resources } from '../../libs/contracts/src/endpoints.ts'
import type { Endpoint } from '../../libs/contracts/src/endpoint.ts'
import { boundEndpoints } from './bound.ts'
import { Components, type Json } from './openapi/components.ts'
import { exampleOf } from './openapi/examples.ts'
import { contractSchemas } from './openapi/schema-names.ts'
import { SERVERS } from './openapi/servers.ts'
import { TAGS } from './openapi/tags.ts'

/** A failure of a call, with any status. */
const REFUSAL = {
  type: 'object',
  required: ['success', 'message'],
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'For people, in the language of Accept-Language' },
    field: { type: 'string', description: 'The field of the body that is wrong' },
    data: { type: 'object', additionalProperties: true, description: 'What a program needs to go on' },
  },
}
const REFUSAL_REFERENCE = { $ref: '#/components/schemas/Refusal' }

const refusalOf = (description: string, message: string, headers?: Json): Json => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: { 'application/json': { schema: REFUSAL_REFERENCE, example: { success: false, message } } },
})

const RESPONSES: Record<string, Json> = {
  NotSignedIn: refusalOf('Not signed in, or the access token is not valid', 'You are not signed in'),
  NotAllowed: refusalOf('The account may not do this', 'You do not have permission to do this'),
  TooManyRequests: refusalOf('Too many requests', 'Too many requests, please try again later', {
    'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  }),
  Failed: refusalOf('The server cannot answer now', 'A store cannot be reached, please try again'),
}

/** OpenAPI 3.1: its schemas are JSON Schema 2020-12, which is what zod writes. */
export async function renderOpenApi(): Promise<string> {
  const bound = boundEndpoints()
  const components = new Components(await contractSchemas())
  const paths: Record<string, Json> = {}
  for (const [resource, calls] of Object.entries(resources)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(calls)) {
      const operation = toOperation(endpoint, { id: `${resource}.${name}`, tag: resource, components })
      // Served with and without the slash at the end.
      const path = endpoint.path.replace(/(?<=.)\/$/, '')
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: bound.has(endpoint) ? operation : { ...operation, 'x-unbound': true },
      }
    }
  }
  const document = components.finish(describe(paths), { Refusal: REFUSAL })
  addExamples(document.paths, document.components.schemas)
  return `${JSON.stringify(document, null, 2)}\n`
}

function describe(paths: Record<string, Json>): { readonly paths: Record<string, Json> } & Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate control plane', version: VERSION, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: SERVERS,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      responses: RESPONSES,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'System access token' },
        userId: { type: 'apiKey', in: 'header', name: 'New-Api-User', description: "The account's id" },
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key, sk-…' },
      },
    },
  }
}

type Where = { readonly id: string; readonly tag: string; readonly components: Components }

function toOperation(endpoint: Endpoint, { id, tag, components }: Where): Json {
  const { body } = endpoint
  return {
    operationId: id,
    tags: [tag],
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: securityOf(endpoint),
    parameters: [...parametersOf(endpoint.params, 'path', components), ...parametersOf(endpoint.query, 'query', components)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: components.convert(body, 'input') } } } }),
    responses: {
      '200': { description: 'Done, or a refusal with success false', content: answerOf(endpoint, components) },
      ...(endpoint.access === 'public' || endpoint.access === 'optional' ? {} : { '401': toResponse('NotSignedIn') }),
      ...(endpoint.access === 'public' ? {} : { '403': toResponse('NotAllowed') }),
      '429': toResponse('TooManyRequests'),
      '5XX': toResponse('Failed'),
    },
  }
}

const toResponse = (name: keyof typeof RESPONSES): Json => ({ $ref: `#/components/responses/${name}` })

function answerOf({ answer: declared, data: given }: Endpoint, components: Components): Json {
  const isPlain = declared instanceof z.ZodObject && 'success' in declared.shape && Object.keys(declared.shape).every(isEnvelopeKey)
  const [answer, data] = isPlain ? [undefined, declared.shape['data'] as z.ZodType | undefined] : [declared, given] // fields are schemas
  if (answer instanceof z.ZodString) return { 'text/*': { schema: { type: 'string' } } }
  if (answer !== undefined) return { 'application/json': { schema: { anyOf: [components.convert(answer, 'output'), REFUSAL_REFERENCE] } } }
  const success = {
    type: 'object',
    required: ['success', 'message', ...(data === undefined ? [] : ['data'])],
    properties: {
      success: { type: 'boolean', const: true },
      message: { type: 'string', description: 'Empty, or what was done' },
      ...(data === undefined ? {} : { data: components.convert(data, 'output') }),
    },
  }
  return { 'application/json': { schema: { oneOf: [success, REFUSAL_REFERENCE] } } }
}

const isEnvelopeKey = (key: string): boolean => ['success', 'message', 'data'].includes(key)

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', components: Components): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || !part.safeParse(undefined).success,
    schema: components.convert(part, 'input'),
  }))
}

function securityOf({ access }: Endpoint): Json[] {
  if (access === 'public') return []
  if (access === 'key') return [{ apiKey: [] }]
  if (access === 'session') return [{ session: [] }]
  const pairs = [
    { session: [], userId: [] },
    { accessToken: [], userId: [] },
  ]
  return access === 'optional' ? [{}, { session: [] }] : pairs
}

type Media = { readonly schema: Json; example?: unknown }
type Operation = {
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: { readonly '200': { readonly content: Record<string, Media> } }
}

/** Every body and answer gets an example. */
function addExamples(paths: Record<string, Json>, schemas: Record<string, Json>): void {
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as Operation[])) {
    for (const content of [operation.requestBody?.content ?? {}, operation.responses['200'].content]) {
      for (const media of Object.values(content)) media.example = exampleOf(media.schema, schemas)
    }
  }
}
