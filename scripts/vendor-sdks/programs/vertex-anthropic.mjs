import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { recordMessages } from './anthropic-answers.mjs'

const authClient = { getRequestHeaders: async () => new Headers({ authorization: 'Bearer the-key' }), projectId: 'the-project' }
await recordMessages(new AnthropicVertex({ region: 'us-central1', projectId: 'the-project', authClient, maxRetries: 0 }))
