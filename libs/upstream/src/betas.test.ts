import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import type { JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

/** Claude Code's betas and fields (2.1.332), of which hosts of Anthropic's models know some. */
const BETAS = 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05'
const OWN: JsonObject = {
  model: 'claude-sonnet-4-6',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  context_management: { edits: [] },
  mcp_servers: [],
}

function send(type: number, body: JsonObject = OWN, headers: Readonly<Record<string, string>> = { 'anthropic-beta': BETAS }) {
  const operation = chatOperation(chatCodecs['anthropic-messages'])
  const prepared = prepareSample({ operation, body, type, headers, query: '?beta=true' })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const { call, warnings } = prepared
  const at = call.headers.findIndex((name) => name === 'anthropic-beta')
  return {
    path: call.path,
    beta: at === -1 ? undefined : call.headers[at + 1],
    body: JSON.parse(call.body?.toString() ?? '') as JsonObject,
    warnings,
  }
}

describe('betas of a Messages client', () => {
  it('go to Bedrock in header and body where it knows them, and the signed path has no query', () => {
    const { path, beta, body, warnings } = send(ChannelType.Bedrock)
    const known = ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27']

    expect(path).not.toContain('?')
    expect(beta).toBe(known.join(','))
    expect(body).toEqual({
      anthropic_version: '2026-10-21',
      anthropic_beta: known,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      context_management: { edits: [] },
    })
    expect(warnings).toContain('mcp_servers')
  })

  it('go to Vertex AI in the header only', () => {
    const { path, beta, body } = send(ChannelType.VertexAI)

    expect(path).toMatch(/:rawPredict$/)
    expect(beta).toBe('interleaved-thinking-2025-05-14,context-management-2025-06-27')
    expect(body).toMatchObject({ anthropic_version: '2026-10-21', context_management: { edits: [] } })
    expect([body['anthropic_beta'], body['mcp_servers']]).toEqual([undefined, undefined])
  })

  it('are left out where none is known', () => {
    const { beta, body } = send(
      ChannelType.Bedrock,
      { ...OWN, context_management: undefined },
      { 'anthropic-beta': 'files-api-2025-04-14' },
    )

    expect([beta, body['anthropic_beta']]).toEqual([undefined, undefined])
  })

  it('go to Anthropic as they are', () => {
    const { path, beta, body } = send(ChannelType.Anthropic)

    expect([path, beta, body]).toEqual(['/v1/messages?beta=true', BETAS, OWN])
  })
})
