import { PROVIDER_ID, type Client, type ClientValues } from './client.ts'
import { inQuotes } from './encode.ts'

export const vercelAi: Client = {
  id: 'vercel-ai',
  name: 'Vercel AI SDK',
  kind: 'library',
  format: 'openai-chat',
  setups: [
    {
      name: 'Node',
      note: 'node',
      install: 'npm install ai @ai-sdk/openai-compatible',
      parts: (values) => [{ kind: 'code', language: 'javascript', code: codeOf(values) }],
    },
  ],
}

const codeOf = ({ address, key, model }: ClientValues): string => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const gateway = createOpenAICompatible({
  name: '${PROVIDER_ID}',
  baseURL: ${inQuotes(`${address}/v1`)},
  apiKey: ${inQuotes(key)},
  includeUsage: true,
})
const { text } = await generateText({ model: gateway(${inQuotes(model)}), prompt: 'Hello' })
console.log(text)`
