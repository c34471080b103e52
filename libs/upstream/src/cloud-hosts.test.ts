import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import type { Operation } from '@tollgate/providers/calls/operation'
import { geminiTokenCount, messageTokenCount } from '@tollgate/providers/operations/token-count'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

const MESSAGES = [{ role: 'user', content: 'Hi' }]
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const MANTLE = 'https://bedrock-mantle.eu-west-1.api.aws/anthropic'

type Sample = Omit<Parameters<typeof prepareSample>[0], 'operation' | 'body'>

function send(operation: Operation, body: JsonObject, sample: Sample) {
  const prepared = prepareSample({ operation, body, ...sample })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const { call, translator, signing } = prepared
  const headers = Object.fromEntries(call.headers.flatMap((name, at) => (at % 2 === 0 ? [[name, call.headers[at + 1]]] : [])))
  return { url: `${call.origin}${call.path}`, headers, signing, translator, body: JSON.parse(call.body?.toString() ?? '') as JsonObject }
}

const read = (translator: ReturnType<typeof send>['translator'], answer: object) => {
  const whole = translator.readWhole(Buffer.from(JSON.stringify(answer)), 'application/json')
  return whole.kind === 'answer' ? (JSON.parse(whole.bytes.toString()) as JsonObject) : whole
}

/** Addresses and bodies as sent by @anthropic-ai/vertex-sdk 1.1.3, @google/genai 3.3.0 and @aws-sdk/client-bedrock-runtime 3.1164.0. */
describe('a count of tokens', () => {
  const counted = { model: 'claude-sonnet-4-5-20250929', messages: MESSAGES }

  it('of Claude on Vertex AI is the vendor’s', () => {
    const { url, body, translator } = send(messageTokenCount, counted, { type: ChannelType.VertexAI, other: 'global' })

    expect(url).toMatch(/\/locations\/global\/publishers\/anthropic\/models\/count-tokens:rawPredict$/)
    expect(body).toEqual({ model: 'claude-sonnet-4-5@20250929', messages: MESSAGES, anthropic_version: '2026-10-21' })
    expect(read(translator, { input_tokens: 9 })).toEqual({ input_tokens: 9 })
  })

  it('of Claude on Bedrock is the vendor’s, of the model itself, and answered in the client’s form', () => {
    const { url, body, translator } = send(messageTokenCount, counted, { type: ChannelType.Bedrock })

    expect(url).toMatch(/\/model\/anthropic\.claude-sonnet-4-5-20250929-v1%3A0\/count-tokens$/)
    const invoked = (body['input'] as { invokeModel: { body: string } }).invokeModel.body // as written by this gateway
    expect(JSON.parse(Buffer.from(invoked, 'base64').toString())).toEqual({
      anthropic_version: '2026-10-21',
      max_tokens: 1,
      messages: MESSAGES,
    })
    expect(read(translator, { inputTokens: 9 })).toEqual({ input_tokens: 9 })
    expect(read(translator, { other: 9 })).toMatchObject({ kind: 'failed' })
  })

  it('of Gemini on Vertex AI is the vendor’s, with the fields of a wrapped request at the top', () => {
    const generateContentRequest = { model: 'models/gemini-3-pro', contents: CONTENTS, systemInstruction: { parts: [{ text: 'S' }] } }
    const { url, body } = send(
      geminiTokenCount,
      { generateContentRequest },
      { type: ChannelType.VertexAI, route: { model: 'gemini-3-pro' } },
    )

    expect(url).toMatch(/\/publishers\/google\/models\/gemini-3-pro:countTokens$/)
    expect(body).toEqual({ contents: CONTENTS, systemInstruction: { parts: [{ text: 'S' }] } })
  })
})

describe('the Mantle endpoint of Bedrock', () => {
  const operation = chatOperation(chatCodecs['anthropic-messages'])
  const asked = { model: 'claude-opus-4-7', max_tokens: 9, messages: MESSAGES }

  it('takes Anthropic’s own path, body and betas, signed for its own service', () => {
    const sample = { type: ChannelType.Bedrock, base_url: '', other: 'mantle', headers: { 'anthropic-beta': 'context-1m-2025-08-07' } }
    const { url, body, headers, signing } = send(operation, { ...asked, stream: true }, sample)

    expect(url).toBe('https://bedrock-mantle.us-east-1.api.aws/anthropic/v1/messages')
    expect(body).toEqual({ ...asked, model: 'anthropic.claude-opus-4-7', stream: true })
    expect(headers).toMatchObject({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m-2025-08-07' })
    expect(signing).toBe('aws-mantle')
  })

  it('is known by its address, and counts tokens as Anthropic does', () => {
    const { url, body } = send(
      messageTokenCount,
      { model: 'claude-opus-4-7', messages: MESSAGES },
      { type: ChannelType.Bedrock, base_url: MANTLE },
    )

    expect(url).toBe(`${MANTLE}/v1/messages/count_tokens`)
    expect(body).toEqual({ model: 'anthropic.claude-opus-4-7', messages: MESSAGES })
  })
})

describe('Mistral’s models on Vertex AI', () => {
  it.each([
    [false, 'rawPredict'],
    [true, 'streamRawPredict'],
  ])('are served by their publisher in OpenAI’s format: stream %s', (stream, method) => {
    const asked = { model: 'mistral-medium-3', messages: MESSAGES, stream }
    const { url, body } = send(chatOperation(chatCodecs['openai-chat']), asked, {
      type: ChannelType.VertexAI,
      base_url: '',
      other: 'europe-west4',
    })

    expect(url).toContain(`https://europe-west4-aiplatform.googleapis.com/v1/projects/`)
    expect(url).toMatch(new RegExp(`/publishers/mistralai/models/mistral-medium-3:${method}$`))
    expect(body).toMatchObject(asked)
  })
})
