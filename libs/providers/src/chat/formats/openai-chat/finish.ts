import { readEnd, type End, type EndWords } from '../../ends.ts'

/** The words of vendors of this format for the end of an answer. */
const ENDS: EndWords = {
  // https://platform.openai.com/docs/api-reference/chat/object
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
  // Text Generation Inference and Together: https://huggingface.co/docs/text-generation-inference/main/en/messages_api
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  // Gateways that pass the words of another format.
  end_turn: 'stop',
  STOP: 'stop',
  COMPLETE: 'stop',
  tool_use: 'tools',
  max_tokens: 'length',
  MAX_TOKENS: 'length',
  SAFETY: 'filter',
  refusal: 'filter',
  pause_turn: 'other',
  // https://api-docs.deepseek.com/api/create-chat-completion
  insufficient_system_resource: 'failure',
  // https://docs.bigmodel.cn/api-reference
  sensitive: 'filter',
  network_error: 'failure',
  model_context_window_exceeded: 'length',
  // https://docs.mistral.ai/api/endpoint/chat
  model_length: 'length',
  error: 'failure',
  // https://docs.vllm.ai/en/latest/api/vllm/v1/engine
  abort: 'failure',
}

/** Decodes a finish reason. */
export const endOf = (reason: unknown): End | undefined => readEnd(ENDS, reason)
