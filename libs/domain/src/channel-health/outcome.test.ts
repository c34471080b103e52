import { expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'

it.each([
  ['a server error', { kind: 'refused', status: 500, message: '' }, false, { kind: 'failed' }],
  [
    'an overloaded vendor that says for how long',
    { kind: 'limited', status: 429, retry_after_ms: 900, message: '' },
    false,
    { kind: 'limited', pause_ms: 900 },
  ],
  [
    'a vendor in trouble that says for how long',
    { kind: 'refused', status: 503, retry_after_ms: 900, message: '' },
    false,
    { kind: 'limited', pause_ms: 900 },
  ],
  ['an overloaded vendor', { kind: 'limited', status: 429, message: '' }, false, { kind: 'failed' }],
  ['an invalid request', { kind: 'refused', status: 400, message: '' }, false, { kind: 'neutral' }],
  ['an unknown model', { kind: 'refused', status: 404, message: '' }, false, { kind: 'neutral' }],
  ['an invalid request reported inside 200', { kind: 'refused', type: 'invalid_request_error', message: '' }, false, { kind: 'neutral' }],
  ['an error inside 200', { kind: 'refused', type: 'server_error', message: '' }, false, { kind: 'failed' }],
  ['a refused key', { kind: 'refused', status: 401, message: '' }, false, { kind: 'failed' }],
  ['a refused key that proves it invalid', { kind: 'refused', status: 401, message: '' }, true, { kind: 'dead', pause_ms: 60_000 }],
  ['a timeout', { kind: 'timeout', message: '' }, false, { kind: 'failed' }],
  ['a broken connection', { kind: 'network', message: '' }, false, { kind: 'failed' }],
  ['an unreadable answer', { kind: 'malformed', message: '' }, false, { kind: 'failed' }],
  ['a client that left', { kind: 'aborted', message: '' }, false, { kind: 'neutral' }],
] as const)('%s', (_, failure, is_dead, expected) => {
  expect(outcomeOf(failure, { is_dead })).toEqual(expected)
})
