import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

type Json = Record<string, unknown>
type Media = { readonly schema: Json; readonly example?: unknown }
type Response = { readonly $ref?: string; readonly content?: Record<string, Media> }
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<string, Response>
}
type Document = {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Json>; readonly responses: Record<string, Response> }
}

describe.each(['openapi.json', 'relay-openapi.json'])('%s', (file) => {
  const document = JSON.parse(readFileSync(join(root, 'docs/generated', file), 'utf8')) as Document // written by `npm run gen`
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const validatorOf = validators(document)

  test('every example is valid against the schema beside it', () => {
    const invalid = operations.flatMap((operation) =>
      mediaOf(operation).flatMap((media) => {
        const validate = validatorOf(media.schema)
        return validate(media.example) ? [] : [`${operation.operationId}: ${JSON.stringify(validate.errors?.[0])}`]
      }),
    )
    expect(invalid).toEqual([])
    // Compiling several hundred schemas takes longer than a test may, on a busy machine.
  }, 90_000)

  test('every operation has a summary, an example of its answer and typed failures', () => {
    const bare = operations.filter((operation) => {
      const success = Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content))
      const failures = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status))
      return (
        operation.summary === undefined ||
        success.length === 0 ||
        success.some(({ example }) => example === undefined) ||
        failures.length === 0 ||
        failures.some(([, { $ref }]) => document.components.responses[$ref?.split('/').at(-1) ?? '']?.content === undefined)
      )
    })
    expect(bare.map(({ operationId }) => operationId)).toEqual([])
  })

  test('a schema has one type beside null, because generators of Go clients take no list of types', () => {
    const lists = JSON.stringify(document).match(/"type":\[[^\]]*\]/g) ?? []
    expect(lists.filter((list) => list.replace('"null"', '').split('"').length > 5)).toEqual([])
  })

  test('operations share schemas by name', () => {
    const uses = JSON.stringify(document).match(/"#\/components\/(?:schemas|responses)\/\w+"/g) ?? []
    expect(uses.length).toBeGreaterThan(operations.length)
  })
})

const mediaOf = ({ requestBody, responses }: Operation): Media[] =>
  [requestBody?.content ?? {}, ...Object.values(responses).map(({ content = {} }) => content)].flatMap((content) => Object.values(content))

/** A function that compiles a schema of the document. */
function validators(document: Document): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components })
  return (schema) => ajv.compile(absolute(schema))
}

/** References of a part are those of its document. */
const absolute = (schema: Json): Json => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json // a copy with other references
