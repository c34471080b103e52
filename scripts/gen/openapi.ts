import { z } from 'zod'
import { VERSION } from '../../libs/config/src/version.ts'
import { resources } from '../../libs/contracts/src/endpoints.ts'
import type { Endpoint } from '../../libs/contracts/src/endpoint.ts'
import { boundEndpoints } from './bound.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1: its schemas are JSON Schema 2020-12, which is what zod writes. */
export function renderOpenApi(): string {
  const bound = boundEndpoints()
  const paths: Record<string, Json> = {}
  for (const [resource, calls] of Object.entries(resources)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(calls)) {
      const operation = toOperation(endpoint, `${resource}.${name}`, resource)
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: bound.has(endpoint) ? operation : { ...operation, 'x-unbound': true },
      }
    }
  }
  const sorted = Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const document = {
    openapi: '3.1.0',
    info: { title: 'Tollgate control plane', version: VERSION, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    tags: Object.keys(resources).map((name) => ({ name })),
    paths: sorted,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'http', scheme: 'bearer', description: 'System access token' },
        userId: { type: 'apiKey', in: 'header', name: 'New-Api-User' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key, sk-…' },
      },
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function toOperation(endpoint: Endpoint, operationId: string, tag: string): Json {
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    'x-access': endpoint.access,
    security: securityOf(endpoint),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: toSchema(endpoint.body, 'input') } } } }),
    responses: {
      '200': { description: 'Done, or a refusal with success false', content: { 'application/json': { schema: answerSchema(endpoint) } } },
      ...(endpoint.access === 'public' || endpoint.access === 'optional' ? {} : { '401': { description: 'Not signed in' } }),
      '429': { description: 'Too many requests; see Retry-After' },
    },
  }
}

function answerSchema({ answer, data }: Endpoint): Json {
  if (answer !== undefined) return toSchema(answer, 'output')
  return {
    type: 'object',
    required: ['success', 'message'],
    properties: {
      success: { type: 'boolean' },
      message: { type: 'string' },
      ...(data === undefined ? {} : { data: toSchema(data, 'output') }),
    },
  }
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || !part.safeParse(undefined).success,
    schema: toSchema(part, 'input'),
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

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
