const AUDIO = Buffer.alloc(480).toString('base64')
const USAGE = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    cached_tokens: 68,
    cached_tokens_details: { text_tokens: 64, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

const CLIENT_EVENTS: readonly object[] = [
  { type: 'session.update', session: { instructions: 'Be brief', model: 'gpt-4o', modalities: ['text', 'audio'] } },
  { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] } },
  { type: 'input_audio_buffer.append', audio: AUDIO },
  { type: 'input_audio_buffer.commit' },
  { type: 'response.create', response: { instructions: 'Say hello' } },
  { type: 'response.cancel', response_id: 'resp_1' },
]

const VENDOR_EVENTS: readonly object[] = [
  { type: 'session.updated', session: { model: 'vendor', output_audio_format: 'pcm16' } },
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } },
  { type: 'response.output_audio.delta', response_id: 'resp_1', delta: AUDIO },
  { type: 'response.output_audio_transcript.delta', response_id: 'resp_1', delta: 'Hello there' },
  { type: 'response.done', response: { id: 'resp_1', status: 'completed', usage: USAGE } },
  {
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: 'i',
    transcript: 'Hello',
    usage: { type: 'tokens', input_tokens: 20, output_tokens: 5, total_tokens: 25 },
  },
  { type: 'error', error: { type: 'server_error', code: 'x', message: 'scripted', param: null, event_id: null } },
]

const RESPONSE_EVENTS: readonly object[] = [
  { type: 'response.create', model: 'fz-openai', input: 'Hello' },
  { type: 'response.create', model: 'fz-anthropic', input: [{ type: 'message', role: 'user', content: 'Hello' }], store: false },
  { type: 'response.create', model: 'gemini-2.5-flash', input: 'And now?', previous_response_id: 'resp_1', max_output_tokens: 20 },
  { type: 'response.create', response: { model: 'gpt-4o', input: 'Hello', tools: [{ type: 'function', name: 'f', parameters: {} }] } },
  { type: 'response.cancel' },
]

const SETUP = { setup: { model: 'models/gemini-2.5-flash', generationConfig: { responseModalities: ['AUDIO'] } } }
const LIVE_EVENTS: readonly object[] = [
  SETUP,
  { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello' }] }], turnComplete: true } },
  { realtimeInput: { audio: { data: AUDIO, mimeType: 'audio/pcm;rate=16000' } } },
  { realtimeInput: { activityEnd: {} } },
  { toolResponse: { functionResponses: [{ id: 'a', name: 'f', response: { output: 1 } }] } },
]

const LIVE_ANSWERS: readonly object[] = [
  { serverContent: { modelTurn: { role: 'model', parts: [{ inlineData: { data: AUDIO, mimeType: 'audio/pcm;rate=24000' } }] } } },
  {
    serverContent: { turnComplete: true },
    usageMetadata: {
      promptTokenCount: 30,
      responseTokenCount: 40,
      thoughtsTokenCount: 5,
      totalTokenCount: 75,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 10 },
        { modality: 'AUDIO', tokenCount: 20 },
      ],
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
    },
  },
  { toolCall: { functionCalls: [{ id: 'a', name: 'f', args: {} }] } },
  { serverContent: { outputTranscription: { text: 'Hello there' }, interrupted: true } },
  { goAway: { timeLeft: '5s' } },
  { sessionResumptionUpdate: { newHandle: 'h', resumable: true } },
]

/** Sessions over a WebSocket, each with right events of both sides. */
export const SOCKETS = {
  realtime: {
    path: '/v1/realtime',
    opening: undefined,
    client: CLIENT_EVENTS,
    greeting: { type: 'session.created', session: { model: 'vendor', output_audio_format: 'pcm16' } },
    vendor: VENDOR_EVENTS,
  },
  // The vendor is called over HTTP.
  responses: { path: '/v1/responses', opening: undefined, client: RESPONSE_EVENTS, greeting: {}, vendor: [{}] },
  live: {
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    opening: SETUP,
    client: LIVE_EVENTS,
    greeting: { setupComplete: {} },
    vendor: LIVE_ANSWERS,
  },
} as const satisfies Record<
  string,
  { path: string; opening: object | undefined; client: readonly object[]; greeting: object; vendor: readonly object[] }
>
export type SocketKind = keyof typeof SOCKETS
