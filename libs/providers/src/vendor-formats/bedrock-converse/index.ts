import type { VendorCodec } from '../../chat/codec.ts'
import { decodeError } from '../../chat/formats/anthropic-messages/errors.ts'
import { createEventDecoder } from '../../chat/event-decoder.ts'
import { decodeAnswer, StreamReader } from './answer.ts'
import { carries } from './encode-parts.ts'
import { encodeChat } from './encode-request.ts'

/**
 * Bedrock's Converse, one format for the models of every maker: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * Errors are read as those of InvokeModel: libs/upstream names exceptions inside a stream the same for both.
 */
export const bedrockConverse: VendorCodec = {
  name: 'bedrock-converse',
  vendor: {
    encodeChat,
    carries,
    createDecoder: () => createEventDecoder(new StreamReader()),
    decodeAnswer,
    decodeError,
    wantsInlineMedia: true,
    takesObjectArguments: true,
  },
}
