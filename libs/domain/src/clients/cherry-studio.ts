import type { Client, ClientValues } from './client.ts'

/** It adds /v1 itself. */
export const cherryStudio: Client = {
  id: 'cherry-studio',
  name: 'Cherry Studio',
  kind: 'app',
  format: 'openai-chat',
  setups: [
    {
      name: 'Cherry Studio',
      note: 'cherry-studio',
      parts: (values) => [
        { kind: 'links', links: [{ name: 'Cherry Studio', url: `cherrystudio://providers/api-keys?v=1&data=${cherryConfig(values)}` }] },
        {
          kind: 'fields',
          fields: [
            { name: 'Provider Type', value: 'OpenAI' },
            { name: 'API Key', value: values.key },
            { name: 'API Host', value: values.address },
            { name: 'Model ID', value: values.model },
          ],
        },
      ],
    },
  ],
}

/** Base64 of a provider, with the whole key. Cherry Studio adds `/v1` to the address. */
export function cherryConfig({ key, address }: Pick<ClientValues, 'key' | 'address'>): string {
  const host = URL.parse(address)?.hostname ?? ''
  const bytes = new TextEncoder().encode(JSON.stringify({ id: host, name: host, baseUrl: address, apiKey: key }))
  return encodeURIComponent(btoa(String.fromCharCode(...bytes)))
}
