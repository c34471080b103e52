import { InferenceClient } from '@huggingface/inference'
import { recordChats } from './openai-shaped.mjs'

const client = new InferenceClient('hf_the-key')
await recordChats(({ stream, ...request }) => (stream === true ? client.chatCompletionStream(request) : client.chatCompletion(request)))
