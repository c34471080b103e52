import { fieldAt, listAt, textAt } from '../format-scripts/reading.ts'
import { INPUT, requireHeader, requirePath, requireThat, type VendorScript } from './script.ts'

const TOKEN = 'google-access-token'

/** https://developers.google.com/identity/protocols/oauth2/service-account */
export const googleToken: VendorScript = (call) => {
  requirePath(call, '')
  const grant = new URLSearchParams(call.raw.toString()).get('grant_type')
  requireThat(grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer', `grant type ${String(grant)}`)
  return { body: { access_token: TOKEN, expires_in: 3600, token_type: 'Bearer' } }
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexEmbeddings: VendorScript = (call) => {
  requirePath(call, '/v1/projects/project-1/locations/europe-west4/publishers/google/models/text-embedding-005:predict')
  requireHeader(call, 'authorization', `Bearer ${TOKEN}`)
  const instances = listAt(call.body, 'instances')
  requireThat(instances.length > 0 && instances.every((one) => textAt(one, 'content') !== ''), 'instances need content')
  requireThat(fieldAt(call.body, 'model') === undefined, 'unknown field model')
  const predictions = instances.map((_, at) => {
    const statistics = { truncated: false, token_count: at === 0 ? INPUT : 0 }
    return { embeddings: { values: [0.25, -0.5], statistics } }
  })
  return { body: { predictions, metadata: { billableCharacterCount: 6 } } }
}
