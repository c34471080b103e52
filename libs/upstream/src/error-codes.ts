import type { Translator } from '@tollgate/providers/calls/operation'
import { failureByCode, type ErrorCodes } from '@tollgate/providers/vendors/error-codes'

/** A translator that also knows the vendor's own error codes, in error answers and in answers with status 200. */
export function readingErrorCodes(translator: Translator, codes: ErrorCodes): Translator {
  return {
    ...translator,
    readWhole: (bytes, content_type) => {
      const read = translator.readWhole(bytes, content_type)
      if (read.kind === 'answer') return read
      const failure = failureByCode(codes, bytes.toString())
      return failure === undefined ? read : { kind: 'failed', failure }
    },
    decodeError: (status, body) => {
      const failure = failureByCode(codes, body)
      return failure === undefined ? translator.decodeError(status, body) : failure
    },
  }
}
