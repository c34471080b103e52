import type { WebSocket } from 'ws'

/** The count of one turn of these sessions, under the names of Google's Live API; the total leaves thoughts out. */
export const LIVE_USAGE = {
  promptTokenCount: 522,
  responseTokenCount: 42,
  totalTokenCount: 564,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 332 },
    { modality: 'AUDIO', tokenCount: 165 },
  ],
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 42 }],
  thoughtsTokenCount: 136,
}

const KNOWN = new Set(['setup', 'clientContent', 'client_content', 'realtimeInput', 'realtime_input', 'toolResponse', 'tool_response'])

type Message = Readonly<Record<string, Record<string, unknown> | undefined>>

/**
 * Google's end of a live session: it sends binary frames, takes one setup with a model as `models/…`, and says what it refuses in the
 * reason of its close. https://ai.google.dev/api/live
 */
export function serveLive(scenario: string, socket: WebSocket): void {
  const send = (message: object) => socket.send(Buffer.from(JSON.stringify(message)))
  let isSetUp = false
  const read = (message: Message) => {
    const unknown = Object.keys(message).find((name) => !KNOWN.has(name))
    if (unknown !== undefined) return socket.close(1007, `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`)
    if (message['setup'] === undefined)
      return isSetUp ? answer(scenario, message, { send, socket }) : socket.close(1007, 'setup must be the first message')
    if (isSetUp) return socket.close(1007, 'setup must be the first message only')
    isSetUp = true
    setUp(scenario, message['setup'], { send, socket })
  }
  socket.on('message', (data: Buffer) => read(JSON.parse(data.toString()) as Message)) // the relay forwards JSON messages
}

type Script = { readonly send: (message: object) => void; readonly socket: WebSocket }

function setUp(scenario: string, setup: Readonly<Record<string, unknown>>, { send, socket }: Script): void {
  const model = String(setup['model'])
  if (scenario === 'live-key') return socket.close(1007, 'API key not valid. Please pass a valid API key.')
  if (scenario === 'live-quota') return socket.close(1011, 'You exceeded your current quota, please check your plan and billing details.')
  if (!/^models\/[\w. -]+$/.test(model) || scenario === 'live-unknown')
    return socket.close(1008, `${model} is not found for API version v1beta, or is not supported for bidiGenerateContent.`)
  send({ setupComplete: {} })
  if (setup['sessionResumption'] !== undefined) send({ sessionResumptionUpdate: { newHandle: 'handle-of-the-vendor', resumable: true } })
}

function answer(scenario: string, message: Message, { send, socket }: Script): void {
  const content = message['clientContent'] ?? message['client_content']
  const isComplete =
    content?.['turnComplete'] === true || content?.['turn_complete'] === true || message['realtimeInput']?.['text'] !== undefined
  const isResult = message['toolResponse'] !== undefined
  if (!isComplete && !isResult) return
  // One second of sound at 24 kHz, 16 bits.
  const sound = { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(48_000).toString('base64') }
  if (scenario === 'live-tools' && !isResult) {
    send({
      toolCall: { functionCalls: [{ id: 'call_1', name: 'weather', args: {} }] },
      usageMetadata: { promptTokenCount: 100, responseTokenCount: 10 },
    })
    return
  }
  send({ serverContent: { modelTurn: { parts: [{ inlineData: sound }] } } })
  send({ serverContent: { outputTranscription: { text: 'Hello there' } } })
  if (scenario === 'live-hang') return
  if (scenario === 'live-cut') return socket.terminate()
  if (scenario === 'live-refuses') return socket.close(1007, 'Request contains an invalid argument.')
  send({ serverContent: { generationComplete: true } })
  if (scenario === 'live-late-usage') {
    send({ serverContent: { turnComplete: true } })
    send({ usageMetadata: LIVE_USAGE })
    // Said twice, it is one turn.
    send({ usageMetadata: LIVE_USAGE })
    return
  }
  send({ serverContent: { turnComplete: true }, ...(scenario === 'live-no-usage' ? {} : { usageMetadata: LIVE_USAGE }) })
}
