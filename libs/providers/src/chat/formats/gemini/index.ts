import type { ChatCodec, RenderedError, StreamPlace } from '../../codec.ts'
import { geminiDemands } from './demands.ts'
import { createGeminiDecoder } from './decoder.ts'
import { decodeGeminiChat } from './decode-request.ts'
import { encodeGeminiRequest } from './encode-request.ts'
import { createGeminiEncoder, encodeGeminiAnswer } from './encoder.ts'
import { decodeGeminiError, renderGeminiError } from './errors.ts'
import { frameChunk, frameEnd } from './frame.ts'
import { decodeGeminiRequest, encodeGeminiBody } from './request.ts'
import { decodeGeminiAnswer } from './answer-reader.ts'
import { createGeminiUsageReader } from './usage-reader.ts'
import { geminiCarries, geminiContents } from './contents.ts'

/** Google's `generateContent` and `streamGenerateContent`. https://ai.google.dev/api/generate-content */
export const gemini: ChatCodec = {
  name: 'gemini',
  client: {
    decodeRequest: decodeGeminiRequest,
    decodeChat: decodeGeminiChat,
    listContents: geminiContents,
    listDemands: geminiDemands,
    encodeAnswer: encodeGeminiAnswer,
    createEncoder: createGeminiEncoder,
    renderError: (error) => JSON.stringify(renderGeminiError(error)),
    renderStreamError,
    // Google's client for Python fails on a comment.
    ping: '\n',
    arrayPing: '\n',
  },
  vendor: {
    encodeChat: encodeGeminiRequest,
    carries: geminiCarries,
    createDecoder: createGeminiDecoder,
    decodeAnswer: decodeGeminiAnswer,
    decodeError: decodeGeminiError,
    wantsInlineMedia: true,
    takesObjectArguments: true,
  },
  passThrough: { encodeBody: encodeGeminiBody, createUsageReader: createGeminiUsageReader },
}

/** An error as the last chunk; Google's clients raise it because of its `error` field. */
function renderStreamError(error: RenderedError, place: StreamPlace = { frame: 'sse', isFirst: true }): string {
  return frameChunk(place.frame, JSON.stringify(renderGeminiError(error)), place.isFirst) + frameEnd(place.frame)
}
