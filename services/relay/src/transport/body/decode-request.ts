import { AppError } from '@tollgate/contracts/app-error'
import { otherModels, readPricedOptions } from '@tollgate/providers/chat/priced-options'
import type { DecodedRequest, ModelRequest, RouteFacts } from '@tollgate/providers/chat/model-request'
import { findCaseVariant } from '@tollgate/providers/unambiguous-json'
import type { Operation } from '@tollgate/providers/calls/operation'
import { parseJsonObject } from './parse-json.ts'

type Target = { readonly operation: Operation; readonly route: RouteFacts }

/** Decodes a body for its operation; throws AppError when it is invalid. */
export function decodeRequest(body: unknown, { operation, route }: Target): ModelRequest {
  const decoded = readRequest(body, { operation, route })
  if (decoded.kind === 'ok') return decoded.request
  const { code, detail, field } = decoded
  throw new AppError(code, field === undefined ? { detail } : { detail, field })
}

/** Decodes the bytes of a JSON body. */
export function decodeJsonRequest(bytes: Buffer, target: Target): ModelRequest {
  const body = parseJsonObject(bytes)
  const variant = findCaseVariant(body)
  if (variant !== undefined) throw new AppError('request.field', { detail: `field ${variant} must be written in its documented case` })
  const request = decodeRequest(body, target)
  const options = readPricedOptions(body)
  const other_models = otherModels(body)
  if (options === undefined && other_models.length === 0) return request
  return { ...request, ...(options === undefined ? {} : { options }), ...(other_models.length === 0 ? {} : { other_models }) }
}

function readRequest(body: unknown, { operation, route }: Target): DecodedRequest {
  try {
    return operation.readRequest(body, route)
  } catch (cause) {
    // Tool schemas are stringified, which takes one stack frame per level.
    if (cause instanceof RangeError) throw new AppError('request.invalid', { detail: 'the body is nested too deeply' }, { cause })
    throw cause
  }
}
