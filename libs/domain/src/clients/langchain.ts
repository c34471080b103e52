import type { Client, ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const langChain: Client = {
  id: 'langchain',
  name: 'LangChain',
  kind: 'library',
  format: 'openai-chat',
  setups: [
    {
      name: 'Python',
      note: 'python',
      install: 'pip install langchain-openai',
      parts: (values) => [{ kind: 'code', language: 'python', code: codeOf(values) }],
    },
  ],
}

const codeOf = ({ address, key, model }: ClientValues): string => `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${inQuotes(model)},
    base_url=${inQuotes(`${address}/v1`)},
    api_key=${inQuotes(key)},
)
print(model.invoke("Hello").content)`
