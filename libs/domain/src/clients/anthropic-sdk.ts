import type { Client, ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const anthropicSdk: Client = {
  id: 'anthropic',
  name: 'Anthropic SDK',
  kind: 'library',
  format: 'anthropic-messages',
  prefers: /^claude-/,
  setups: [
    {
      name: 'Python',
      note: 'python',
      install: 'pip install anthropic',
      parts: (values) => [{ kind: 'code', language: 'python', code: python(values) }],
    },
    {
      name: 'Node',
      note: 'node',
      install: 'npm install @anthropic-ai/sdk',
      parts: (values) => [{ kind: 'code', language: 'javascript', code: node(values) }],
    },
  ],
}

const python = ({ address, key, model }: ClientValues): string => `from anthropic import Anthropic

client = Anthropic(base_url=${inQuotes(address)}, api_key=${inQuotes(key)})
message = client.messages.create(
    model=${inQuotes(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`

const node = ({ address, key, model }: ClientValues): string => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${inQuotes(address)}, apiKey: ${inQuotes(key)} })
const message = await client.messages.create({
  model: ${inQuotes(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content[0].text)`
