import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import { EVENTS, recordMessages } from './anthropic-answers.mjs'
import { eventFrames } from './aws-frames.mjs'

const client = new AnthropicBedrock({ awsAccessKey: 'AKIDEXAMPLE', awsSecretKey: 'secret', awsRegion: 'us-east-1', maxRetries: 0 })
const chunks = EVENTS.map((event) => ['chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') }])
await recordMessages(client, eventFrames(chunks))
