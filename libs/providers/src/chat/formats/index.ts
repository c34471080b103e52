import type { ChatCodec, VendorCodec } from '../codec.ts'
import type { ChatFormat, VendorChatFormat } from '../request.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { baiduChat } from '../../vendor-formats/baidu-chat/index.ts'
import { bedrockConverse } from '../../vendor-formats/bedrock-converse/index.ts'
import { cozeChat } from '../../vendor-formats/coze-chat/index.ts'
import { difyChat } from '../../vendor-formats/dify-chat/index.ts'
import { gemini } from './gemini/index.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'
import { replicateChat } from '../../vendor-formats/replicate-chat/index.ts'
import { tencentChat } from '../../vendor-formats/tencent-chat/index.ts'
import { xunfeiChat } from '../../vendor-formats/xunfei-chat/index.ts'

/** The chat formats that clients speak: the pipeline and the conformance suite read this list. */
export const chatCodecs = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} as const satisfies Record<ChatFormat, ChatCodec>

/** Every format that a vendor can answer chat requests in. */
export const vendorCodecs = {
  ...chatCodecs,
  'baidu-chat': baiduChat,
  'bedrock-converse': bedrockConverse,
  'coze-chat': cozeChat,
  'dify-chat': difyChat,
  'replicate-chat': replicateChat,
  'tencent-chat': tencentChat,
  'xunfei-chat': xunfeiChat,
} as const satisfies Record<ChatFormat | VendorChatFormat, VendorCodec>
