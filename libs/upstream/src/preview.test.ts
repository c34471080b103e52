import { CallPreviewQuestion } from '@tollgate/contracts/channels/call-preview'
import { describe, expect, it } from 'vitest'
import { previewCall } from './preview.ts'

const ANTHROPIC = 14
const VERTEX = 41

function preview(given: Partial<CallPreviewQuestion> & Pick<CallPreviewQuestion, 'type'>) {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], temperature: 1 })
  return previewCall(CallPreviewQuestion.parse({ model: 'm', body, ...given }))
}

function shown(given: Parameters<typeof preview>[0]) {
  const made = preview(given)
  if (typeof made === 'string') throw new Error(made)
  if (made.after === undefined) throw new Error(made.error?.message)
  return { ...made, before: readable(made.before), after: readable(made.after) }
}

const readable = ({ url, headers, body }: { url: string; headers: { name: string; value: string }[]; body: string }) => ({
  url,
  headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  body: JSON.parse(body) as unknown,
})

describe('the preview of a call', () => {
  it('shows the body in the vendor’s format before and after the operations', () => {
    const operations = [
      { mode: 'move', from: 'max_tokens', to: 'limit' },
      { mode: 'append', path: 'messages.-1.content', value: [{ type: 'text', text: 'Short.' }] },
      { mode: 'delete', path: 'temperature', conditions: [{ path: 'original_model', mode: 'prefix', value: 'other' }] },
    ]

    const { format, upstream_model, before, after } = shown({
      type: ANTHROPIC,
      model_mapping: '{"m":"claude-x"}',
      param_override: JSON.stringify({ top_p: 0.5, operations }),
    })

    expect([format, upstream_model, after.url]).toEqual(['anthropic-messages', 'claude-x', 'https://api.anthropic.com/v1/messages'])
    const content = [{ type: 'text', text: 'Hi' }]
    expect(before.body).toMatchObject({ model: 'claude-x', max_tokens: 8192, temperature: 1, messages: [{ role: 'user', content }] })
    expect(after.body).toMatchObject({ model: 'claude-x', limit: 8192, temperature: 1, top_p: 0.5 })
    expect(after.body).toMatchObject({ messages: [{ role: 'user', content: [...content, { type: 'text', text: 'Short.' }] }] })
    expect(after.body).not.toHaveProperty('max_tokens')
  })

  it('shows header overrides, and never a credential', () => {
    const onRetry = [{ path: 'is_retry', mode: 'full', value: true }]
    const operations = [{ mode: 'set_header', path: 'x-attempt', value: 'again', conditions: onRetry }]
    const given = {
      type: 1,
      setting: JSON.stringify({ header_override: { 'x-app': '{client_header:x-app}', 'x-my-token': 'secret' } }),
      param_override: JSON.stringify({ operations }),
      headers: '{"X-App":"ide"}',
    }

    const first = shown(given)
    const second = shown({ ...given, retry_index: 1 })

    expect(first.before.headers).not.toHaveProperty('x-app')
    expect(first.after.headers).toMatchObject({ 'x-app': 'ide', 'x-my-token': '***', authorization: '***' })
    expect(first.after.headers).not.toHaveProperty('x-attempt')
    expect(second.after.headers).toMatchObject({ 'x-attempt': 'again' })
  })

  it('shows what patterns, pruning and two places kept equal change, and the error that the override returns', () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Call 555-1234' }], metadata: { trace: 't1' } })
    const operations = [
      { mode: 'regex_replace', path: 'messages.0.content', from: '(\\d{3})-\\d{4}', to: '$1-****' },
      { mode: 'sync_fields', from: 'header:x-trace', to: 'body:metadata.trace' },
      { mode: 'sync_fields', from: 'header:x-app', to: 'body:metadata.app' },
      { mode: 'prune_objects', path: 'tools', value: 'web_search' },
    ]
    const given = { type: 1, body, headers: '{"x-app":"ide"}' }

    const { after } = shown({ ...given, param_override: JSON.stringify({ operations }) })
    const onModel = [{ path: 'original_model', mode: 'full', value: 'm' }]
    const refusing = [{ mode: 'return_error', value: { message: 'no', status_code: 422 }, conditions: onModel }]
    const returned = preview({ ...given, param_override: JSON.stringify({ operations: refusing }) })

    expect(after.body).toMatchObject({ messages: [{ role: 'user', content: 'Call 555-****' }], metadata: { trace: 't1', app: 'ide' } })
    expect(after.headers).toMatchObject({ 'x-trace': 't1' })
    const error = { status: 422, message: 'no', code: 'request_rejected', type: 'invalid_request_error', skip_retry: true, operation: 1 }
    expect(returned).toMatchObject({ error, before: { url: 'https://api.openai.com/v1/chat/completions' } })
    expect(returned).not.toHaveProperty('after')
  })

  it('needs no key for an address that is made from one', () => {
    expect(shown({ type: VERTEX, other: 'europe-west1', model: 'gemini-2.5-flash' }).after.url).toContain('/projects/PROJECT/')
  })

  it('says why there is no call', () => {
    expect(preview({ type: 1, body: '{"messages":1}' })).toContain('messages')
    expect(preview({ type: 1, setting: '[]' })).toBe('a field of the channel is not a JSON object')
    expect(preview({ type: 1, model_mapping: '{"m":"n","n":"m"}' })).toBe('model_mapping_contains_cycle')
    expect(preview({ type: 2 })).toContain('does not serve')
  })
})
