import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { RenderedError } from '../../codec.ts'
import { decodeError, renderError, renderStreamError } from './errors.ts'

const error = (over: Partial<RenderedError> = {}): RenderedError => ({
  status: 400,
  message: 'no',
  type: 'new_api_error',
  code: '',
  param: '',
  ...over,
})

describe('renderError', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [409, 'conflict_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('renders %d as %s for every kind of refusal', (status, type) => {
    expect(JSON.parse(renderError(error({ status })))).toEqual({ type: 'error', error: { type, message: 'no' } })
  })

  it('writes our code where the vendor writes its own', () => {
    expect(JSON.parse(renderError(error({ status: 403, code: 'insufficient_user_quota' })))).toEqual({
      type: 'error',
      error: { type: 'permission_error', message: 'no', details: { error_code: 'insufficient_user_quota' } },
    })
  })

  it.each([
    ['bare', { type: 'billing_error', message: 'x', details: { error_code: 'a' } }],
    ['in its envelope', { type: 'error', error: { type: 'billing_error', message: 'x', details: { error_code: 'a' } } }],
  ])("keeps the vendor's own object, %s", (_, upstream_body) => {
    expect(JSON.parse(renderError(error({ code: 'ours', upstream_body })))).toEqual({
      type: 'error',
      error: { type: 'billing_error', message: 'no', details: { error_code: 'a' } },
    })
  })

  it('drops an error object of another format', () => {
    const upstream_body = { message: 'x', type: 'invalid_api_key', param: null }

    expect(JSON.parse(renderError(error({ status: 401, upstream_body })))).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: 'no' },
    })
  })

  it('is raised by the official client with its type and code', async () => {
    const body = renderError(error({ status: 429, code: 'rate_limited', message: 'slow down' }))
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: () => Promise.resolve(new Response(body, { status: 429 })) })

    const asked = client.messages.create({ model: 'm', max_tokens: 1, messages: [] })

    await expect(asked).rejects.toMatchObject({ status: 429, type: 'rate_limit_error', errorCode: 'rate_limited', apiMessage: 'slow down' })
  })

  it('is raised by the official client out of a running stream', async () => {
    const sse = renderStreamError(error({ status: 529, message: 'Overloaded' }))
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: () => Promise.resolve(new Response(sse)) })

    const asked = client.messages.stream({ model: 'm', max_tokens: 1, messages: [] }).finalMessage()

    await expect(asked).rejects.toMatchObject({ type: 'overloaded_error' })
  })
})

describe('decodeError', () => {
  const body = (type: string, message = 'm') => ({ type: 'error', error: { type, message }, request_id: 'req_1' })

  it.each([
    [400, 'invalid_request_error', 400, 'refused'],
    [401, 'authentication_error', 401, 'refused'],
    [429, 'rate_limit_error', 429, 'limited'],
    [529, 'overloaded_error', 529, 'limited'],
    [200, 'overloaded_error', 529, 'limited'],
    [200, 'rate_limit_error', 429, 'limited'],
    [200, 'api_error', 500, 'refused'],
    [200, 'timeout_error', 504, 'refused'],
    [413, 'request_too_large', 413, 'refused'],
  ])('reads %d %s as %d, %s', (status, type, real, kind) => {
    expect(decodeError(status, body(type))).toEqual({ kind, status: real, message: 'm', type, body: { type, message: 'm' } })
  })

  it('reads the code of the cause', () => {
    const coded = { type: 'error', error: { type: 'invalid_request_error', message: 'm', details: { error_code: 'thread_not_found' } } }

    expect(decodeError(400, coded)).toMatchObject({ code: 'thread_not_found' })
  })

  it('masks quoted keys', () => {
    expect(decodeError(401, body('authentication_error', 'invalid x-api-key sk-ant-api03-abcdefgh')).message).toBe(
      'invalid x-api-key sk-***',
    )
  })

  it.each([
    ['the text of a body', '{"type":"error","error":{"type":"api_error","message":"m"}}', 'm'],
    ['an error of another shape', { error: { message: 'odd', code: 'x' } }, 'odd'],
    ['an error with only a text', { error: 'odd' }, 'odd'],
    ['no JSON', '<html>', 'bad response status code 500'],
    ['nothing', undefined, 'bad response status code 500'],
  ])('reads %s', (_, given, message) => {
    expect(decodeError(500, given)).toMatchObject({ kind: 'refused', status: 500, message })
  })
})
