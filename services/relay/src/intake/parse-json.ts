import { isUtf8 } from 'node:buffer'
import { AppError } from '@tollgate/contracts/app-error'

/** The JSON object in a body. Says what is wrong without repeating any of it. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) throw new AppError('request.invalid', { detail: 'the body is empty' })
  if (!isUtf8(bytes)) throw new AppError('request.invalid', { detail: 'the body is not valid UTF-8' })
  const value = parse(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('request.invalid', { detail: 'the body must be a JSON object' })
  }
  return value as Record<string, unknown> // a JSON object has string keys; its values stay unknown
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('request.invalid', { detail: 'the body is not valid JSON' })
  }
}
