import type { Dialect, RenderedError, StreamPlace } from '../../conversation/dialect.ts'
import { SSE_PING } from '../../sse/encoder.ts'
import { createGeminiDecoder } from './decoder.ts'
import { decodeGeminiRequest } from './decode-request.ts'
import { encodeGeminiRequest } from './encode-request.ts'
import { createGeminiEncoder, encodeGeminiAnswer } from './encoder.ts'
import { decodeGeminiError, renderGeminiError } from './errors.ts'
import { frameChunk, frameEnd } from './frame.ts'
import { decodeGeminiAsk, encodeGeminiBody } from './request.ts'
import { decodeGeminiAnswer } from './answer-reader.ts'
import { readGeminiAnswer } from './response.ts'
import { createGeminiTap } from './tap.ts'

/** Google's `generateContent` and `streamGenerateContent`. https://ai.google.dev/api/generate-content */
export const gemini: Dialect = {
  name: 'gemini',
  client: {
    decodeAsk: decodeGeminiAsk,
    decodeRequest: decodeGeminiRequest,
    encodeAnswer: encodeGeminiAnswer,
    createEncoder: createGeminiEncoder,
    renderError: (error) => JSON.stringify(renderGeminiError(error)),
    renderStreamError,
    ping: SSE_PING,
    arrayPing: '\n',
  },
  vendor: {
    encodeRequest: encodeGeminiRequest,
    createDecoder: createGeminiDecoder,
    decodeAnswer: decodeGeminiAnswer,
    decodeError: decodeGeminiError,
    wantsInlineMedia: true,
  },
  same: { encodeSame: encodeGeminiBody, createTap: createGeminiTap, readAnswer: readGeminiAnswer },
}

/** An error as the last chunk; Google's clients raise it by its `error`. */
function renderStreamError(error: RenderedError, place: StreamPlace = { frame: 'sse', isFirst: true }): string {
  return frameChunk(place.frame, JSON.stringify(renderGeminiError(error)), place.isFirst) + frameEnd(place.frame)
}
