import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { overrideBody, overrideHeaders } from './apply.ts'
import type { CallConditions } from './operation.ts'
import { parseParamOverride } from './parse.ts'
import { placeIn } from './place-in.ts'

type Given = Readonly<Record<string, unknown>>

const aCall = (over: Partial<CallConditions> = {}): CallConditions => ({
  original_model: 'gpt-4o',
  upstream_model: 'gpt-4o-2024',
  retry_index: 0,
  header: () => '',
  ...over,
})

const applied = (body: Given, operations: readonly Given[], call = aCall()) => overrideBody(body, parseParamOverride({ operations }), call)
const apply = (body: Given, operations: readonly Given[], call = aCall()) => applied(body, operations, call).body
const when = (...conditions: Given[]): Given => ({ mode: 'set', path: 'hit', value: true, conditions })

const chat = { model: 'gpt-4o', temperature: 1, messages: [{ role: 'user', content: 'Hi' }], stop: ['a'], metadata: { a: 1 } }

describe('an operation on the body', () => {
  it.each<[string, Given, Given]>([
    ['sets a value', { mode: 'set', path: 'temperature', value: 0.5 }, { ...chat, temperature: 0.5 }],
    ['creates what is missing on the way', { mode: 'set', path: 'a.b', value: 1 }, { ...chat, a: { b: 1 } }],
    ['sets an explicit null', { mode: 'set', path: 'temperature', value: null }, { ...chat, temperature: null }],
    ['deletes a member', { mode: 'delete', path: 'temperature' }, { ...chat, temperature: undefined }],
    ['deletes an entry', { mode: 'delete', path: 'messages.-1' }, { ...chat, messages: [] }],
    ['moves a value', { mode: 'move', from: 'stop', to: 'stop_sequences' }, { ...chat, stop: undefined, stop_sequences: ['a'] }],
    ['copies a value', { mode: 'copy', from: 'messages.0.content', to: 'metadata.first' }, { ...chat, metadata: { a: 1, first: 'Hi' } }],
    [
      'appends to text',
      { mode: 'append', path: 'messages.0.content', value: '!' },
      { ...chat, messages: [{ role: 'user', content: 'Hi!' }] },
    ],
    ['appends an entry', { mode: 'append', path: 'stop', value: 'b' }, { ...chat, stop: ['a', 'b'] }],
    ['puts entries first', { mode: 'prepend', path: 'stop', value: ['b', 'c'] }, { ...chat, stop: ['b', 'c', 'a'] }],
    ['merges members', { mode: 'append', path: 'metadata', value: { a: 2, b: 3 } }, { ...chat, metadata: { a: 2, b: 3 } }],
    [
      'keeps members',
      { mode: 'append', path: 'metadata', value: { a: 2, b: 3 }, keep_origin: true },
      { ...chat, metadata: { a: 1, b: 3 } },
    ],
    ['removes a prefix', { mode: 'trim_prefix', path: 'model', value: 'gpt-' }, { ...chat, model: '4o' }],
    ['adds a suffix once', { mode: 'ensure_suffix', path: 'model', value: '4o' }, chat],
    ['replaces text literally', { mode: 'replace', path: 'model', from: '4', to: '$&' }, { ...chat, model: 'gpt-$&o' }],
  ])('%s', (_, operation, expected) => {
    expect(JSON.parse(JSON.stringify(apply(chat, [operation])))).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it.each<[string, Given]>([
    ['a value that is there and is kept', { mode: 'set', path: 'temperature', value: 0, keep_origin: true }],
    ['the value that is there', { mode: 'set', path: 'metadata', value: { a: 1 } }],
    ['a missing member', { mode: 'delete', path: 'top_p' }],
    ['a missing source', { mode: 'move', from: 'top_p', to: 'x' }],
    ['a path through a text', { mode: 'set', path: 'model.name', value: 1 }],
    ['an index beyond the end', { mode: 'set', path: 'messages.4.role', value: 'x' }],
    ['text for a number', { mode: 'append', path: 'temperature', value: 'x' }],
    ['a target inside a text', { mode: 'move', from: 'stop', to: 'model.x' }],
  ])('returns the same object for %s', (_, operation) => {
    expect(apply(chat, [operation])).toBe(chat)
  })

  it('replaces members first, then follows the order of the operations', () => {
    const operations = [
      { mode: 'copy', from: 'temperature', to: 'old' },
      { mode: 'set', path: 'temperature', value: 2 },
    ]

    const { body } = overrideBody(chat, parseParamOverride({ temperature: 0.1, operations }), aCall())

    expect(body).toEqual({ ...chat, temperature: 2, old: 0.1 })
  })

  it('never changes the prototype of an object', () => {
    const body = apply({}, [{ mode: 'set', path: '__proto__.polluted', value: 1 }])

    expect(JSON.stringify(body)).toBe('{"__proto__":{"polluted":1}}')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('a condition', () => {
  it.each<[string, Given, boolean]>([
    ['the client’s model', { path: 'original_model', mode: 'full', value: 'gpt-4o' }, true],
    ['the vendor’s model', { path: 'model', mode: 'suffix', value: '2024' }, true],
    ['a member', { path: 'temperature', mode: 'gte', value: 1 }, true],
    ['a member of another size', { path: 'temperature', mode: 'lt', value: 1 }, false],
    ['part of a text', { path: 'messages.-1.content', mode: 'contains', value: 'H' }, true],
    ['an object', { path: 'metadata', mode: 'full', value: { a: 1 } }, true],
    ['its opposite', { path: 'temperature', mode: 'full', value: 1, invert: true }, false],
    ['a missing member', { path: 'top_p', mode: 'full', value: 1 }, false],
    ['a missing member that passes', { path: 'top_p', mode: 'full', value: 1, pass_missing_key: true }, true],
    ['a header', { path: 'request_headers.X-App', mode: 'prefix', value: 'ide' }, true],
    ['a header that was not sent', { path: 'request_headers.x-other', mode: 'contains', value: '' }, false],
    ['a first attempt', { path: 'is_retry', mode: 'full', value: true }, false],
  ])('reads %s', (_, condition, isMet) => {
    const call = aCall({ header: (name) => (name === 'x-app' ? 'ide/2' : '') })

    expect('hit' in apply(chat, [when(condition)], call)).toBe(isMet)
  })

  it('needs one of several, or with AND all of them', () => {
    const met = { path: 'temperature', mode: 'full', value: 1 }
    const unmet = { path: 'temperature', mode: 'full', value: 2 }

    expect('hit' in apply(chat, [when(met, unmet)])).toBe(true)
    expect('hit' in apply(chat, [{ ...when(met, unmet), logic: 'AND' }])).toBe(false)
  })
})

describe('regex_replace', () => {
  it('replaces what a pattern finds, with its groups', () => {
    const operation = { mode: 'regex_replace', path: 'model', from: '(?i)^GPT-(\\w+)$', to: 'openai/$1' }

    expect(apply(chat, [operation])).toMatchObject({ model: 'openai/4o' })
  })

  it('leaves a text that takes too long, and says so', () => {
    const text = 'a'.repeat(300_000)
    const operations = [
      { mode: 'regex_replace', path: 'text', from: '(.*a){20}b', to: '' },
      { mode: 'set', path: 'n', value: 2 },
    ]

    const { body, warnings } = applied({ text }, operations)

    expect(body).toEqual({ text, n: 2 })
    expect(warnings).toEqual(['operations.0 (regex_replace)'])
  })
})

describe('prune_objects', () => {
  const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
  const text = { type: 'text', text: 'Hi' }
  const body = { thinking: { type: 'thinking' }, messages: [{ role: 'assistant', content: [thought, text] }, thought] }

  it('removes the objects with these members below a path, at every depth', () => {
    const messages = [{ role: 'assistant', content: [text] }]

    expect(apply(body, [{ mode: 'prune_objects', path: 'messages', value: { type: 'thinking' } }])).toEqual({ ...body, messages })
    expect(apply(body, [{ mode: 'prune_objects', path: 'messages', value: 'thinking' }])).toEqual({ ...body, messages })
    expect(apply(body, [{ mode: 'prune_objects', value: 'thinking' }])).toEqual({ messages })
  })

  it('removes only those directly at the path if it is not recursive, and needs every member', () => {
    const [first] = body.messages

    expect(apply(body, [{ mode: 'prune_objects', path: 'messages', value: 'thinking', recursive: false }])).toEqual({
      ...body,
      messages: [first],
    })
    expect(apply(body, [{ mode: 'prune_objects', value: { type: 'thinking', role: 'x' } }])).toBe(body)
  })
})

describe('sync_fields', () => {
  const sync = { mode: 'sync_fields', from: 'header:x-thread', to: 'body:metadata.thread' }
  const withHeader = aCall({ header: (name) => (name === 'x-thread' ? 't1' : '') })

  it('copies the value of the place that has one to the place that has none, in either direction', () => {
    expect(applied(chat, [sync], withHeader)).toMatchObject({ body: { metadata: { a: 1, thread: 't1' } }, headers: {} })
    expect(applied({ metadata: { thread: 5 } }, [sync])).toMatchObject({ headers: { 'x-thread': '5' } })
    expect(apply({ user: 'u' }, [{ ...sync, from: 'body:user', to: 'body:safety.user' }])).toEqual({ user: 'u', safety: { user: 'u' } })
  })

  it('leaves two values, none, and what no header can hold', () => {
    const both = { metadata: { thread: 't2' } }

    expect(applied(both, [sync], withHeader)).toEqual({ body: both, headers: {}, warnings: [] })
    expect(apply(chat, [sync])).toBe(chat)
    expect(applied({ metadata: { thread: 'a\r\nb' } }, [sync]).headers).toEqual({})
    expect(applied({ metadata: { thread: { id: 1 } } }, [sync]).headers).toEqual({})
  })
})

describe('return_error', () => {
  it('ends the operations with an error, if its conditions are met after those before it', () => {
    const conditions = [{ path: 'seen', mode: 'full', value: true }]
    const error = { mode: 'return_error', value: { message: 'Not here.', status_code: 503, skip_retry: false }, conditions }
    const set = { mode: 'set', path: 'seen', value: true }

    expect(applied(chat, [error]).returned).toBeUndefined()
    expect(applied(chat, [set, error, { mode: 'delete', path: 'seen' }])).toMatchObject({
      body: { seen: true },
      returned: {
        error: { status: 503, message: 'Not here.', code: 'request_rejected', type: 'server_error', skip_retry: false },
        at: 1,
      },
    })
    expect(applied(chat, [{ mode: 'return_error', value: 'No.' }]).returned?.error).toMatchObject({ status: 400, skip_retry: true })
  })
})

describe('an operation on headers', () => {
  it('sets and deletes headers if the call meets its conditions', () => {
    const onRetry = [{ path: 'retry_index', mode: 'gt', value: 0 }]
    const override = parseParamOverride({
      operations: [
        { mode: 'set_header', path: 'X-Tier', value: 'batch' },
        { mode: 'delete_header', path: 'X-Old', conditions: onRetry },
      ],
    })
    const headers = { 'x-old': '1' }

    expect(override.faults).toEqual([])
    expect(overrideHeaders(headers, override, aCall())).toEqual({ 'x-old': '1', 'x-tier': 'batch' })
    expect(overrideHeaders(headers, override, aCall({ retry_index: 1 }))).toEqual({ 'x-tier': 'batch' })
    expect(overrideHeaders(headers, parseParamOverride({ temperature: 0 }), aCall())).toBe(headers)
  })
})

describe('the check of an override', () => {
  it.each<[string, unknown, (string | number)[]]>([
    ['list', { operations: {} }, ['operations']],
    ['object', { operations: [1] }, ['operations', 0]],
    ['mode', { operations: [{ mode: 'set', path: 'a', value: 1 }, { mode: 'regex' }] }, ['operations', 1, 'mode']],
    ['pattern', { operations: [{ mode: 'regex_replace', path: 'a', from: '(?=x)', to: '' }] }, ['operations', 0, 'from']],
    ['value', { operations: [{ mode: 'prune_objects', path: 'a', value: {} }] }, ['operations', 0, 'value']],
    ['place', { operations: [{ mode: 'sync_fields', from: 'user', to: 'header:x-user' }] }, ['operations', 0, 'from']],
    ['place-header', { operations: [{ mode: 'sync_fields', from: 'body:a', to: 'header:Authorization' }] }, ['operations', 0, 'to']],
    ['place-header', { operations: [{ mode: 'sync_fields', from: 'header:cookie', to: 'body:a' }] }, ['operations', 0, 'from']],
    ['place-header', { operations: [{ mode: 'sync_fields', from: 'body:a', to: 'header:content-length' }] }, ['operations', 0, 'to']],
    ['priced', { operations: [{ mode: 'sync_fields', from: 'header:x-tier', to: 'body:service_tier' }] }, ['operations', 0, 'to']],
    ['error', { operations: [{ mode: 'return_error', value: { status_code: 400 } }] }, ['operations', 0, 'value', 'message']],
    [
      'error',
      { operations: [{ mode: 'return_error', value: { message: 'x', status_code: 200 } }] },
      ['operations', 0, 'value', 'status_code'],
    ],
    ['path', { operations: [{ mode: 'delete', path: 'a..b' }] }, ['operations', 0, 'path']],
    ['path', { operations: [{ mode: 'move', from: 'a' }] }, ['operations', 0, 'to']],
    ['value', { operations: [{ mode: 'set', path: 'a' }] }, ['operations', 0, 'value']],
    ['priced', { operations: [{ mode: 'move', from: 'metadata.tier', to: 'service_tier' }] }, ['operations', 0, 'to']],
    ['header', { operations: [{ mode: 'set_header', path: 'a b', value: 'x' }] }, ['operations', 0, 'path']],
    ['header-secret', { operations: [{ mode: 'set_header', path: 'Authorization', value: 'x' }] }, ['operations', 0, 'path']],
    ['header-secret', { operations: [{ mode: 'set_header', path: 'x-a', value: '{client_header:x-b}' }] }, ['operations', 0, 'value']],
    ['logic', { operations: [{ mode: 'delete', path: 'a', logic: 'XOR' }] }, ['operations', 0, 'logic']],
    ['condition-mode', { operations: [when({ path: 'a', mode: 'regex', value: '' })] }, ['operations', 0, 'conditions', 0, 'mode']],
    ['condition-value', { operations: [when({ path: 'a', mode: 'gt', value: '1' })] }, ['operations', 0, 'conditions', 0, 'value']],
    [
      'condition-header',
      { operations: [when({ path: 'request_headers.authorization', mode: 'prefix', value: 'B' })] },
      ['operations', 0, 'conditions', 0, 'path'],
    ],
    [
      'condition-body',
      { operations: [{ mode: 'delete_header', path: 'x-a', conditions: [{ path: 'temperature', mode: 'full', value: 1 }] }] },
      ['operations', 0, 'conditions', 0, 'path'],
    ],
  ])('finds a fault of kind %s', (fault, given, path) => {
    expect(parseParamOverride(given as Given).faults).toEqual([{ fault, path }])
  })

  it('finds the line of a fault', () => {
    const text =
      '{\n  "a": "}\\",",\n  "operations": [\n    { "mode": "delete", "path": "x" },\n    {\n      "mode": "nothing"\n    }\n  ]\n}'
    const [first] = parseParamOverride(JSON.parse(text) as Given).faults

    expect(placeIn(text, first?.path ?? [])).toEqual({ line: 6, column: 15 })
    expect(placeIn(text, ['operations', 1, 'path'])).toEqual({ line: 5, column: 5 })
  })
})

describe('any override', () => {
  const part = fc.constantFrom('a', 'b', '0', '-1', 'list', '__proto__')
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.constant({ a: { b: 'x' } }),
  )
  const operation = fc.record({
    mode: fc.constantFrom(
      'set',
      'delete',
      'move',
      'copy',
      'append',
      'trim_prefix',
      'ensure_suffix',
      'to_upper',
      'replace',
      'prune_objects',
    ),
    path,
    from: path,
    to: path,
    value,
    keep_origin: fc.boolean(),
  })
  const body = fc.record({ a: value, b: value, list: fc.array(value, { maxLength: 3 }) })

  it('never throws, leaves the client’s body as it is, and keeps the object if it changes nothing', () => {
    fc.assert(
      fc.property(body, fc.array(operation, { maxLength: 4 }), (given, operations) => {
        const before = JSON.stringify(given)

        const after = apply(given, operations)

        expect(JSON.stringify(given)).toBe(before)
        if (JSON.stringify(after) === before && operations.length === 1) expect(after).toBe(given)
      }),
      { numRuns: 2000 },
    )
  })
})
