import { WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const llamaIndex: Client = {
  id: 'llama-index',
  name: 'LlamaIndex',
  kind: 'library',
  format: 'openai-chat',
  setups: [
    {
      name: 'Python',
      note: 'python',
      install: 'pip install llama-index-llms-openai-like',
      parts: (values) => [{ kind: 'code', language: 'python', code: codeOf(values) }],
    },
  ],
}

/** Without `is_chat_model` it calls /v1/completions. */
const codeOf = ({ address, key, model }: ClientValues): string => `from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model=${inQuotes(model)},
    api_base=${inQuotes(`${address}/v1`)},
    api_key=${inQuotes(key)},
    is_chat_model=True,
    is_function_calling_model=True,
    context_window=${WINDOW_TOKENS},
)
print(llm.complete("Hello"))`
