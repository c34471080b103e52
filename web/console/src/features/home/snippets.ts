export type Snippet = { readonly id: 'curl' | 'python' | 'node' | 'anthropic' | 'gemini'; readonly name: string; readonly code: string }

type SnippetInput = { readonly address: string; readonly key: string; readonly model: string }

/** The same first request by every SDK the address serves, ready to paste: the site's real address, the caller's real key. */
export function snippetsFor({ address, key, model }: SnippetInput): readonly Snippet[] {
  return [
    { id: 'curl', name: 'curl', code: curl({ address, key, model }) },
    { id: 'python', name: 'OpenAI SDK · Python', code: python({ address, key, model }) },
    { id: 'node', name: 'OpenAI SDK · Node', code: node({ address, key, model }) },
    { id: 'anthropic', name: 'Anthropic SDK', code: anthropic({ address, key, model }) },
    { id: 'gemini', name: 'Google Gen AI SDK', code: gemini({ address, key, model }) },
  ]
}

/** Where clients send their requests: the configured address, else the one this page came from. */
export function clientAddress(configured: string | undefined, origin: string): string {
  const address = configured === undefined || configured === '' ? origin : configured
  return address.replace(/\/+$/, '')
}

function curl({ address, key, model }: SnippetInput): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  return [
    `curl -N ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n')
}

function python({ address, key, model }: SnippetInput): string {
  return `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${address}/v1`)}, api_key=${JSON.stringify(key)})
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`
}

function node({ address, key, model }: SnippetInput): string {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(`${address}/v1`)}, apiKey: ${JSON.stringify(key)} })
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`
}

function anthropic({ address, key, model }: SnippetInput): string {
  return `from anthropic import Anthropic

client = Anthropic(base_url=${JSON.stringify(address)}, api_key=${JSON.stringify(key)})
message = client.messages.create(
    model=${JSON.stringify(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`
}

function gemini({ address, key, model }: SnippetInput): string {
  return `from google import genai

client = genai.Client(api_key=${JSON.stringify(key)}, http_options={"base_url": ${JSON.stringify(address)}})
answer = client.models.generate_content(model=${JSON.stringify(model)}, contents="Hello")
print(answer.text)`
}
