import type { VendorCodec } from '../chat/codec.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import type { ChatFormat, VendorChatFormat } from '../chat/request.ts'
import { baiduChat } from './baidu-chat/index.ts'
import { bedrockConverse } from './bedrock-converse/index.ts'
import { cozeChat } from './coze-chat/index.ts'
import { difyChat } from './dify-chat/index.ts'
import { replicateChat } from './replicate-chat/index.ts'
import { tencentChat } from './tencent-chat/index.ts'
import { xunfeiChat } from './xunfei-chat/index.ts'

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
