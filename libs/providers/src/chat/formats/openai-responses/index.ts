import type { ChatCodec } from '../../codec.ts'
import { responsesDemands } from './demands.ts'
import { SSE_PING } from '../../../sse/encoder.ts'
import { decodeUpstreamError, renderOpenAiError, toOpenAiError } from '../openai-chat/errors.ts'
import { clientToolOf } from './client-tools.ts'
import { declaredTools, namesOnly } from './declared-tools.ts'
import { decodeResponsesConversation } from './decode-request.ts'
import { createResponsesDecoder, decodeResponsesAnswer } from './decoder.ts'
import { encodeResponsesConversation } from './encode-request.ts'
import { createResponsesEncoder, encodeResponsesAnswer } from './encoder.ts'
import { renderResponsesStreamError } from './errors.ts'
import { decodeResponsesRequest, encodeResponsesBody } from './request.ts'
import { createResponsesUsageReader } from './usage-reader.ts'
import { responsesCarries, responsesContents } from './contents.ts'

/** OpenAI's Responses. https://developers.openai.com/api/reference/resources/responses */
export const openAiResponses: ChatCodec = {
  name: 'openai-responses',
  client: {
    decodeRequest: decodeResponsesRequest,
    decodeChat: decodeResponsesConversation,
    listContents: responsesContents,
    listDemands: responsesDemands,
    // The response object repeats every setting, but not the input; calls of the answer need the names of tools in it.
    answerSettings: ({ input, ...settings }) => {
      const added = namesOnly({ input })
      return added.length === 0 ? settings : { ...settings, input: added }
    },
    objectCalls: (settings) => {
      const tools = new Map(declaredTools(settings).map(({ name, tool }) => [name, tool]))
      return (name) => clientToolOf(tools.get(name) ?? {}) !== undefined
    },
    encodeAnswer: encodeResponsesAnswer,
    createEncoder: createResponsesEncoder,
    renderError: (error) => JSON.stringify(renderOpenAiError(toOpenAiError(error))),
    renderStreamError: (error) => renderResponsesStreamError(error),
    ping: SSE_PING,
  },
  vendor: {
    encodeChat: encodeResponsesConversation,
    carries: responsesCarries,
    createDecoder: createResponsesDecoder,
    decodeAnswer: decodeResponsesAnswer,
    decodeError: decodeUpstreamError,
    wantsInlineMedia: false,
  },
  passThrough: { encodeBody: encodeResponsesBody, createUsageReader: createResponsesUsageReader },
}
