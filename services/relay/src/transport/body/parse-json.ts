import { isUtf8 } from 'node:buffer'
import { AppError } from '@tollgate/contracts/app-error'
import { weighJson } from '@tollgate/providers/json-weight'

/**
 * Heap that the values of one body may take: a body of 128 MB can be made of values that take 4 GB. Some five million numbers or two
 * million lists; the largest bodies that vendors take are a few texts and 300 000 tokens
 * (https://platform.openai.com/docs/api-reference/embeddings/create).
 */
const HEAVIEST = 128 * 1024 * 1024
/** Shorter ones cannot weigh as much. */
const LIGHT = 1024 * 1024

/** The JSON object in a body. Says what is wrong without repeating any of it. */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) throw new AppError('request.invalid', { detail: 'the body is empty' })
  if (!isUtf8(bytes)) throw new AppError('request.invalid', { detail: 'the body is not valid UTF-8' })
  if (bytes.length > LIGHT && weighJson(bytes, HEAVIEST) > HEAVIEST) {
    throw new AppError('request.invalid', { detail: 'the body has too many values' })
  }
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
