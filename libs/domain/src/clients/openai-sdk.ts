import type { Client, ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const openAiSdk: Client = {
  id: 'openai',
  name: 'OpenAI SDK',
  kind: 'library',
  format: 'openai-chat',
  setups: [
    {
      name: 'Python',
      note: 'python',
      install: 'pip install openai',
      parts: (values) => [{ kind: 'code', language: 'python', code: python(values) }],
    },
    {
      name: 'Node',
      note: 'node',
      install: 'npm install openai',
      parts: (values) => [{ kind: 'code', language: 'javascript', code: node(values) }],
    },
  ],
}

const python = ({ address, key, model }: ClientValues): string => `from openai import OpenAI

client = OpenAI(base_url=${inQuotes(`${address}/v1`)}, api_key=${inQuotes(key)})
answer = client.chat.completions.create(
    model=${inQuotes(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`

const node = ({ address, key, model }: ClientValues): string => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${inQuotes(`${address}/v1`)}, apiKey: ${inQuotes(key)} })
const answer = await client.chat.completions.create({
  model: ${inQuotes(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`
