import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandBody, inputItemsOf, stateOf } from './state.ts'

const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body))
const NO_ITEMS: ReadonlyMap<string, string> = new Map()

describe('the state of a body', () => {
  it('names the answers and items that it refers to', () => {
    const input = [
      { role: 'user', content: 'x' },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'reasoning', id: 'rs_abc', summary: [] },
      { type: 'reasoning', id: 'rs_def', summary: [], encrypted_content: 'gAAAA' },
    ]

    expect(stateOf({ model: 'm', previous_response_id: 'resp_1', input })).toEqual({
      is_stored: true,
      previous_response_id: 'resp_1',
      item_ids: ['msg_1'],
      hinted_ids: ['rs_abc'],
      has_own_items: false,
    })
  })

  it.each([
    [
      { store: false, input: 'x' },
      { is_stored: false, has_own_items: false },
    ],
    [{ store: null, input: 'x' }, { is_stored: true }],
    [{ input: [{ type: 'message', id: 'msg_20260101000000000000000abcdefgh_0', content: 'x' }] }, { has_own_items: true }],
    [{ input: [{ type: 'reasoning', encrypted_content: 'tollgate.gemini.signature.x' }] }, { has_own_items: true, hinted_ids: [] }],
  ])('of %j', (body, expected) => {
    expect(stateOf(body)).toMatchObject(expected)
  })
})

describe('an expanded body', () => {
  it('has the earlier turns before its own input, and no previous response', () => {
    const raw = Buffer.from('{"model": "m", "previous_response_id": "resp_1",\n "input" : "hi \\"you\\"", "seed": 12345678901234567890}')

    const { bytes, input } = expandBody(raw, { history: '{"a":1},{"b":2}', items: NO_ITEMS })

    expect(bytes.toString()).toContain('"seed": 12345678901234567890')
    expect(JSON.parse(bytes.toString())).toMatchObject({
      previous_response_id: null,
      input: [{ a: 1 }, { b: 2 }, { type: 'message', role: 'user', content: 'hi "you"' }],
    })
    expect(JSON.parse(`[${input}]`)).toEqual([{ type: 'message', role: 'user', content: 'hi "you"' }])
  })

  it('has items in place of the references to them, wherever they are', () => {
    const references = ['known', 'other'].map((id) => ({ type: 'item_reference', id }))
    const long = { type: 'message', content: `${'x'.repeat(2000)}item_reference` }
    const raw = bytesOf({ input: [references[0], long, references[1], references[0]] })

    const { bytes } = expandBody(raw, { history: undefined, items: new Map([['known', '{"type":"message"}']]) })

    expect(JSON.parse(bytes.toString())).toEqual({ input: [{ type: 'message' }, long, references[1], { type: 'message' }] })
  })

  it('gets an input if it has none, and keeps the reference to an answer of the vendor', () => {
    const none = expandBody(bytesOf({ previous_response_id: 'resp_1' }), { history: '{"a":1}', items: NO_ITEMS })
    const vendors = expandBody(bytesOf({ previous_response_id: 'resp_1', input: [] }), { history: undefined, items: NO_ITEMS })

    expect(JSON.parse(none.bytes.toString())).toEqual({ input: [{ a: 1 }], previous_response_id: null })
    expect(JSON.parse(vendors.bytes.toString())).toEqual({ previous_response_id: 'resp_1', input: [] })
  })

  it('is what a parser would have made, for any input', () => {
    const item = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }).map((value) => ({ type: 'message', value })),
      fc.constant({ type: 'item_reference', id: 'known' }),
    )
    fc.assert(
      fc.property(fc.array(item), fc.nat({ max: 4 }), (input, indent) => {
        const raw = Buffer.from(JSON.stringify({ x: '"input":[', input, y: ']' }, undefined, indent))
        const { bytes } = expandBody(raw, { history: '{"h":1}', items: new Map([['known', '{"k":[","]}']]) })
        const expected = input.map((one) => (one.type === 'item_reference' ? { k: [','] } : one))

        expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(JSON.stringify({ x: '"input":[', input: [{ h: 1 }, ...expected], y: ']' })))
        expect(JSON.parse(`[${inputItemsOf(raw) ?? ''}]`)).toEqual(JSON.parse(JSON.stringify(input)))
      }),
    )
  })
})
