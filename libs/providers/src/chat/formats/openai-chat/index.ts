import type { ChatCodec } from '../../codec.ts'
import { chatDemands } from './demands.ts'
import { SSE_PING } from '../../../sse/encoder.ts'
import { decodeChatConversation } from './decode-request.ts'
import { createChatDecoder, decodeChatAnswer } from './decoder.ts'
import { encodeChatConversation } from './encode-request.ts'
import { answerSettings } from './answer-state.ts'
import { createChatEncoder, encodeChatAnswer } from './encoder.ts'
import { decodeUpstreamError, renderOpenAiError, renderOpenAiStreamError, toOpenAiError } from './errors.ts'
import { decodeChatRequest, encodeChatBody } from './request.ts'
import { createChatUsageReader } from './usage-reader.ts'
import { chatCarries, chatContents } from './contents.ts'

/** OpenAI's chat completions, which most vendors and most clients speak. https://developers.openai.com/api/reference/resources/chat */
export const openAiChat: ChatCodec = {
  name: 'openai-chat',
  client: {
    decodeRequest: decodeChatRequest,
    decodeChat: decodeChatConversation,
    listContents: chatContents,
    listDemands: chatDemands,
    answerSettings,
    encodeAnswer: encodeChatAnswer,
    createEncoder: createChatEncoder,
    renderError: (error) => JSON.stringify(renderOpenAiError(toOpenAiError(error))),
    renderStreamError: (error) => renderOpenAiStreamError(toOpenAiError(error)),
    ping: SSE_PING,
  },
  vendor: {
    encodeChat: encodeChatConversation,
    carries: chatCarries,
    createDecoder: createChatDecoder,
    decodeAnswer: decodeChatAnswer,
    decodeError: decodeUpstreamError,
    wantsInlineMedia: false,
  },
  passThrough: { encodeBody: encodeChatBody, createUsageReader: createChatUsageReader },
}
