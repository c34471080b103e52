import { isUtf8 } from 'node:buffer'
import { AppError } from '@tollgate/contracts/app-error'
import { isDeeperThan, MAX_JSON_DEPTH } from '@tollgate/contracts/values/json-depth'
import type { JsonObject } from '@tollgate/providers/json'
import { estimateJsonHeapBytes } from '@tollgate/providers/json-heap-size'
import { hasRepeatedKey } from '@tollgate/providers/unambiguous-json'

/**
 * Maximum heap for the values of one body, because a body of 128 MB can contain values that take 4 GB. It allows about five million
 * numbers or two million lists; the largest bodies that vendors accept have a few texts and 300 000 tokens
 * (https://platform.openai.com/docs/api-reference/embeddings/create).
 */
const MAX_HEAP = 128 * 1024 * 1024
/** Shorter bodies cannot exceed it. */
const MIN_WEIGHED = 1024 * 1024

/** Parses a body that must be a JSON object. Errors name the problem and repeat no part of the body. */
export function parseJsonObject(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw new AppError('request.invalid', { detail: 'the body is empty' })
  if (!isUtf8(bytes)) throw new AppError('request.invalid', { detail: 'the body is not valid UTF-8' })
  if (bytes.length > MIN_WEIGHED && estimateJsonHeapBytes(bytes, MAX_HEAP) > MAX_HEAP) {
    throw new AppError('request.invalid', { detail: 'the body has too many values' })
  }
  const value = parse(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('request.invalid', { detail: 'the body must be a JSON object' })
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) throw new AppError('request.invalid', { detail: 'the body is nested too deeply' })
  const body = value as JsonObject // a JSON object has string keys; its values stay unknown
  if (hasRepeatedKey(bytes, body)) throw new AppError('request.invalid', { detail: 'the body repeats a key in an object' })
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('request.invalid', { detail: 'the body is not valid JSON' })
  }
}
