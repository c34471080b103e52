import type { ChatCodec } from '../../codec.ts'
import { messagesDemands } from './demands.ts'
import { createDecoder, decodeAnswer } from './decoder.ts'
import { decodeChat } from './decode-request.ts'
import { encodeChat } from './encode-request.ts'
import { createEncoder, encodeAnswer, PING } from './encoder.ts'
import { decodeError, renderError, renderStreamError } from './errors.ts'
import { decodeRequest, encodePassThrough } from './request.ts'
import { createUsageReader } from './usage-reader.ts'
import { messagesCarries, messagesContents } from './contents.ts'

/** Anthropic's Messages format: https://platform.claude.com/docs/en/api/messages/create */
export const anthropicMessages: ChatCodec = {
  name: 'anthropic-messages',
  client: {
    decodeRequest,
    decodeChat,
    listContents: messagesContents,
    listDemands: messagesDemands,
    encodeAnswer,
    createEncoder,
    renderError,
    renderStreamError,
    objectCalls: () => () => true,
    ping: PING,
  },
  vendor: {
    encodeChat,
    carries: messagesCarries,
    createDecoder,
    decodeAnswer,
    decodeError,
    wantsInlineMedia: false,
    takesObjectArguments: true,
  },
  passThrough: { encodeBody: encodePassThrough, createUsageReader },
}
