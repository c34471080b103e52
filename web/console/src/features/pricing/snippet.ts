import type { EndpointType, PricingRow } from '@tollgate/contracts/resources/pricing'

type Input = { readonly address: string; readonly row: PricingRow; readonly key: string }

const quoted = (value: unknown): string => `'${JSON.stringify(value)}'`

const BODIES: Partial<Record<EndpointType, readonly [path: string, body: (model: string) => object]>> = {
  embeddings: ['/v1/embeddings', (model) => ({ model, input: 'Hello' })],
  'jina-rerank': ['/v1/rerank', (model) => ({ model, query: 'Hello', documents: ['Hi', 'Bye'] })],
  'image-generation': ['/v1/images/generations', (model) => ({ model, prompt: 'A lighthouse at dusk' })],
  'audio-speech': ['/v1/audio/speech', (model) => ({ model, input: 'Hello', voice: 'alloy' })],
  moderation: ['/v1/moderations', (model) => ({ model, input: 'Hello' })],
}

/** A first call of a model that does not chat; undefined where no such call fits a terminal. */
export function endpointSnippet({ address, row, key }: Input): string | undefined {
  const [type] = row.supported_endpoint_types
  const authorization = `  -H "Authorization: Bearer ${key}" \\`
  if (type === 'audio-transcription')
    return [`curl ${address}/v1/audio/transcriptions \\`, authorization, `  -F model=${row.model_name} -F file=@speech.mp3`].join('\n')
  const found = type === undefined ? undefined : BODIES[type]
  if (found === undefined) return undefined
  const [path, bodyOf] = found
  return [
    `curl ${address}${path} \\`,
    authorization,
    '  -H "Content-Type: application/json" \\',
    `  -d ${quoted(bodyOf(row.model_name))}${type === 'audio-speech' ? ' -o speech.mp3' : ''}`,
  ].join('\n')
}
