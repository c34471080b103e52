import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const RESOURCE = /\/libs\/contracts\/src\/(resources\/[\w-]+|units)\.ts$/
const AS_IS = /\/libs\/contracts\/src\/(resources\/[\w-]+|units)\.ts\?schemas$/
const SCHEMAS = '?schemas'

/**
 * In the browser a call needs an endpoint's method and path; what it may carry is checked by the compiler here and by zod on the server.
 * So the endpoint tables of contracts enter the bundle as plain data, and zod comes only with the chunks that use a schema by name
 * (28 KB gzip off the sign-in page). Constants beside them stay constants; everything
 * else these files export is passed through untouched.
 */
export function endpointsWithoutSchemas(): Plugin {
  return {
    name: 'tollgate:endpoints-without-schemas',
    enforce: 'pre',
    async transform(code, id) {
      if (AS_IS.test(id)) return { code, map: null, moduleSideEffects: false }
      if (!RESOURCE.test(id)) return null
      // The same file under a second name: schemas have no side effects, so the bundler drops those that no importer names.
      const version = statSync(id).mtimeMs
      const exported: unknown = await import(`${pathToFileURL(id).href}?${version}`)
      return { code: sourceOf(id, exported), map: null, moduleSideEffects: false }
    },
  }
}

function sourceOf(file: string, exported: unknown): string {
  const lines = Object.entries(isRecord(exported) ? exported : {}).map(([name, value]) => {
    if (isTable(value)) return `export const ${name} = ${JSON.stringify(plain(value))}`
    if (isConstant(value)) return `export const ${name} = ${JSON.stringify(value)}`
    return `export { ${name} } from ${JSON.stringify(`./${basename(file)}${SCHEMAS}`)}`
  })
  return lines.join('\n')
}

type Row = { readonly method: string; readonly path: string; readonly answer: unknown; readonly right?: unknown }

/** `answer` says only whether the whole body is the result, `right` whether the call can be made for an organisation. */
function plain(table: Record<string, Row>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { method, path, answer, right }]) => [
      name,
      { method, path, ...(answer === undefined ? {} : { answer: true }), ...(right === undefined ? {} : { right: true }) },
    ]),
  )
}

/** Texts, numbers and lists of them. */
function isConstant(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string' || (Array.isArray(value) && value.every(isConstant))
}

function isTable(value: unknown): value is Record<string, Row> {
  return (
    isRecord(value) &&
    Object.values(value).length > 0 &&
    Object.values(value).every((row) => isRecord(row) && 'method' in row && 'path' in row && 'access' in row)
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
