import { geminiInteractions } from '@tollgate/providers/chat/formats/gemini-interactions/index'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { toInputMessages, type GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { ChatCodec } from '@tollgate/providers/chat/codec'

/** The chat format of an operation; undefined: its calls are no chats. */
export const chatCodecOf = (operation: string): ChatCodec | undefined =>
  operation === 'interactions' ? geminiInteractions : Object.values<ChatCodec>(chatCodecs).find(({ name }) => name === operation)

/** The conversation of a request for its trace; undefined: the request is no chat. */
export function promptMessages(operation: string, request: ModelRequest): GenAiMessages | undefined {
  const codec = chatCodecOf(operation)
  return codec === undefined ? undefined : toInputMessages(codec.client.decodeChat(request))
}
