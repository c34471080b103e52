import { AppError } from '@tollgate/contracts/app-error'
import type { DecodedRequest, ModelRequest, RouteFacts } from '@tollgate/providers/chat/model-request'
import type { Operation } from '@tollgate/providers/operations/operation'
import { parseJsonObject } from './parse-json.ts'

type Asked = { readonly operation: Operation; readonly route: RouteFacts }

/** What a body asks for. */
export function decodeRequest(body: unknown, { operation, route }: Asked): ModelRequest {
  const decoded = readRequest(body, { operation, route })
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return decoded.request
}

/** The same of a body's bytes. */
export function decodeJsonRequest(bytes: Buffer, asked: Asked): ModelRequest {
  return decodeRequest(parseJsonObject(bytes), asked)
}

function readRequest(body: unknown, { operation, route }: Asked): DecodedRequest {
  try {
    return operation.readRequest(body, route)
  } catch (cause) {
    // Schemas of tools are written out again, which takes a frame of the stack per level.
    if (cause instanceof RangeError) throw new AppError('request.invalid', { detail: 'the body is nested too deeply' }, { cause })
    throw cause
  }
}
