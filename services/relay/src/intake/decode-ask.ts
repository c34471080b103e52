import { AppError } from '@tollgate/contracts/app-error'
import type { DecodedAsk, ModelAsk, RouteFacts } from '@tollgate/providers/conversation/ask'
import type { Operation } from '@tollgate/providers/exchange/operation'
import { parseJsonObject } from './parse-json.ts'

type Asked = { readonly operation: Operation; readonly route: RouteFacts }

/** What a body asks for. */
export function decodeAsk(body: unknown, { operation, route }: Asked): ModelAsk {
  const decoded = readAsk(body, { operation, route })
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return decoded.ask
}

/** The same of a body's bytes. */
export function decodeJsonAsk(bytes: Buffer, asked: Asked): ModelAsk {
  return decodeAsk(parseJsonObject(bytes), asked)
}

function readAsk(body: unknown, { operation, route }: Asked): DecodedAsk {
  try {
    return operation.readAsk(body, route)
  } catch (cause) {
    // Schemas of tools are written out again, which takes a frame of the stack per level.
    if (cause instanceof RangeError) throw new AppError('request.invalid', { detail: 'the body is nested too deeply' }, { cause })
    throw cause
  }
}
