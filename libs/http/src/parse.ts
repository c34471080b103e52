import { AppError } from '@tollgate/contracts/app-error'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { isDeeperThan, MAX_JSON_DEPTH } from '@tollgate/contracts/values/json-depth'
import { z } from 'zod'
import type { Language } from './language.ts'

/** Maximum size of a console call's body: enough for a price list of every model. */
export const MAX_CONSOLE_BODY = 4 * 1024 * 1024

const localeErrors = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError }

export type RawCall = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

export type ParsedCall = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

/** Validates the parts that an endpoint declares and drops unknown fields. Throws `params.detail` with the first problem. */
export function parseCall(endpoint: Endpoint, raw: RawCall, language: Language): ParsedCall {
  return {
    params: endpoint.params === undefined ? undefined : parseWith(endpoint.params, raw.params, language),
    query: endpoint.query === undefined ? undefined : parseWith(endpoint.query, raw.query, language),
    body: endpoint.body === undefined ? undefined : parseWith(endpoint.body, raw.body, language),
  }
}

function parseWith(schema: z.ZodType, value: unknown, language: Language): unknown {
  refuseUnstorable(value)
  const parsed = schema.safeParse(value, { error: localeErrors[language] })
  if (parsed.success) return parsed.data
  const [first] = parsed.error.issues
  if (first === undefined) throw new AppError('params.invalid')
  const path = first.path.map(String).join('.')
  // A page of entries that the filter should have left out would look right.
  const code = first.code === 'custom' && first.message === 'not a number' ? 'params.filter' : 'params.detail'
  throw new AppError(code, { detail: describe(path, first.message, language) })
}

/** The validator's names of types, in Chinese. Its Chinese texts translate some of these names only. */
const TYPES: Readonly<Record<string, string>> = {
  string: '字符串',
  number: '数字',
  int: '整数',
  boolean: '布尔值',
  array: '数组',
  object: '对象',
  record: '对象',
  null: '空值',
  undefined: '空值',
  nan: '非数字',
}

/** The place and what is wrong there, to follow "Invalid parameters:"; the validator's own "Invalid input:" would be a second colon. */
function describe(path: string, message: string, language: Language): string {
  const plain = message.replace(/^(?:无效输入：|Invalid input: )/, '')
  if (language === 'en') return path === '' ? plain : `${path} (${plain})`
  const text = plain.replace(/ ?\b([a-z]+)\b/g, (word, name: string) => TYPES[name] ?? word).replace('实际接收 ', '实际接收')
  return path === '' ? text : `${path}（${text}）`
}

/** No console call has a deeper body; a walk without a limit would use up the stack. */
const MAX_DEPTH = 64

/** Postgres text can hold neither U+0000 nor half a surrogate pair. */
function refuseUnstorable(value: unknown, depth = 0): void {
  if (typeof value === 'string' && (value.includes('\u0000') || !value.isWellFormed())) throw new AppError('params.invalid')
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw new AppError('params.invalid')
  for (const part of Object.values(value)) refuseUnstorable(part, depth + 1)
}

/** Reads a JSON body: size limit, UTF-8, syntax. An empty body is undefined. */
export async function readJson(request: Request, limit: number = MAX_CONSOLE_BODY): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? '0')
  if (declared > limit) throw new AppError('params.too-large', { limit })
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return undefined
  const value = parseBytes(bytes)
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw new AppError('params.too-deep', { limit: MAX_JSON_DEPTH })
  return value
}

function parseBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('params.detail', { detail: 'JSON' }, { cause })
  }
}

/** Reads a body; throws `params.too-large` at the first byte over the limit. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.length
      if (size > limit) throw new AppError('params.too-large', { limit })
      chunks.push(chunk)
    }
  } catch (cause) {
    // A caller that disconnects while sending its body is not a server error.
    throw cause instanceof AppError ? cause : new AppError('params.invalid', {}, { cause })
  }
  return Buffer.concat(chunks)
}
