import openapiTS, { astToString } from 'openapi-typescript'

/** The types of all calls of an OpenAPI document. */
export async function renderTypes(document: string): Promise<string> {
  // A field with a default may be absent from a body; answers list what they always have as required.
  const nodes = await openapiTS(JSON.stringify(withoutExamples(JSON.parse(document))), { alphabetize: true, defaultNonNullable: false })
  return `// Written by \`npm run gen\` from docs/generated/openapi.json; do not edit.\n${astToString(nodes)}`
}

/** Examples stand beside the schema of a body; in the types they would be long comments. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'example' || !('schema' in value))
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutExamples(inner)]))
}
