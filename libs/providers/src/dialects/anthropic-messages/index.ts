import type { Dialect } from '../../conversation/dialect.ts'
import { createDecoder, decodeAnswer } from './decoder.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { createEncoder, encodeAnswer, PING } from './encoder.ts'
import { decodeError, renderError, renderStreamError } from './errors.ts'
import { decodeAsk, encodeSame } from './request.ts'
import { readAnswer } from './response.ts'
import { createTap } from './stream.ts'

export { decodeCountAsk } from './request.ts'

/** Anthropic's Messages format: https://platform.claude.com/docs/en/api/messages/create */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  client: { decodeAsk, decodeRequest, encodeAnswer, createEncoder, renderError, renderStreamError, ping: PING },
  vendor: { encodeRequest, createDecoder, decodeAnswer, decodeError, wantsInlineMedia: false },
  same: { encodeSame, createTap, readAnswer },
}
