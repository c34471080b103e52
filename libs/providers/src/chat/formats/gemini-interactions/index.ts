import type { ChatCodec } from '../../codec.ts'
import { geminiDemands } from '../gemini/demands.ts'
import { geminiContents } from '../gemini/contents.ts'
import { gemini } from '../gemini/index.ts'
import { createInteractionEncoder, encodeInteraction, renderInteractionStreamError } from './encoder.ts'
import { decodeInteraction, decodeInteractionChat, generateBodyOf, answerSettingsOf } from './request.ts'

/**
 * Google's Interactions, for clients: the conversation of a body and its answer are those of `generateContent`, which every vendor
 * serves. Vendors are never called with it. https://ai.google.dev/api/interactions-api
 */
export const geminiInteractions: ChatCodec = {
  ...gemini,
  client: {
    decodeRequest: decodeInteraction,
    decodeChat: decodeInteractionChat,
    listContents: (body) => geminiContents(generateBodyOf(body)),
    listDemands: (body) => geminiDemands(generateBodyOf(body)),
    answerSettings: answerSettingsOf,
    encodeAnswer: encodeInteraction,
    createEncoder: createInteractionEncoder,
    keptAnswer: ({ steps, ...interaction }) => ({ ...interaction, output: steps }),
    renderError: gemini.client.renderError,
    renderStreamError: renderInteractionStreamError,
    ping: '\n',
  },
}
