import { describe, expect, it } from 'vitest'
import { answerInput } from '../openai-chat/__fixtures__/any-events.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { gemini } from './index.ts'

const input = answerInput({ body: {} })
const candidate = {
  content: { role: 'model', parts: [{ text: 'Hi' }] },
  index: 0,
  finishReason: 'STOP',
  logprobsResult: {
    topCandidates: [
      {
        candidates: [
          { token: 'Hi', tokenId: 7, logProbability: -0.1 },
          { token: 'Ho', tokenId: 8, logProbability: -2 },
        ],
      },
    ],
    chosenCandidates: [{ token: 'Hi', tokenId: 7, logProbability: -0.1 }],
  },
}
const entry = {
  token: 'Hi',
  logprob: -0.1,
  bytes: null,
  top_logprobs: [
    { token: 'Hi', logprob: -0.1, bytes: null },
    { token: 'Ho', logprob: -2, bytes: null },
  ],
}
const result = {
  topCandidates: [
    {
      candidates: [
        { token: 'Hi', logProbability: -0.1 },
        { token: 'Ho', logProbability: -2 },
      ],
    },
  ],
  chosenCandidates: [{ token: 'Hi', logProbability: -0.1 }],
}
const dataOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)

describe('log probabilities of Gemini', () => {
  it('reach a client of Chat Completions', () => {
    const decoder = gemini.vendor.createDecoder()
    const events = [...decoder.push(Buffer.from(`data: ${JSON.stringify({ candidates: [candidate] })}\n\n`)), ...decoder.end().events]
    const encoder = openAiChat.client.createEncoder(input)

    const chunks = dataOf(events.map((event) => encoder.push(event)).join(''))

    expect(chunks.flatMap(({ choices }) => choices)).toContainEqual(
      expect.objectContaining({ logprobs: { content: [entry], refusal: null } }),
    )
    expect(encoder.warnings).toEqual([])
  })

  it('of a vendor of Chat Completions reach a client of Gemini, streamed and whole', () => {
    const chunk = {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta: { content: 'Hi' }, logprobs: { content: [entry] }, finish_reason: null }],
    }
    const decoder = openAiChat.vendor.createDecoder()
    const events = [...decoder.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)), ...decoder.end().events]
    const encoder = gemini.client.createEncoder(input)
    const streamed = dataOf(events.map((event) => encoder.push(event)).join(''))
    const whole = gemini.client.encodeAnswer(events, input)

    expect(streamed.flatMap((one) => one['candidates'])).toContainEqual(expect.objectContaining({ logprobsResult: result }))
    expect(encoder.warnings).toEqual([])
    expect(whole.body).toMatchObject({ candidates: [{ logprobsResult: result }] })
  })
})
