import type { Client, ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const googleSdk: Client = {
  id: 'gemini',
  name: 'Google Gen AI SDK',
  kind: 'library',
  format: 'gemini',
  prefers: /^gemini-/,
  setups: [
    {
      name: 'Python',
      note: 'python',
      install: 'pip install google-genai',
      parts: (values) => [{ kind: 'code', language: 'python', code: python(values) }],
    },
    {
      name: 'Node',
      note: 'node',
      install: 'npm install @google/genai',
      parts: (values) => [{ kind: 'code', language: 'javascript', code: node(values) }],
    },
  ],
}

const python = ({ address, key, model }: ClientValues): string => `from google import genai

client = genai.Client(api_key=${inQuotes(key)}, http_options={"base_url": ${inQuotes(address)}})
answer = client.models.generate_content(model=${inQuotes(model)}, contents="Hello")
print(answer.text)`

const node = ({ address, key, model }: ClientValues): string => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: ${inQuotes(key)}, httpOptions: { baseUrl: ${inQuotes(address)} } })
const answer = await client.models.generateContent({ model: ${inQuotes(model)}, contents: 'Hello' })
console.log(answer.text)`
