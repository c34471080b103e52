import { describe, expect, it } from 'vitest'
import { chatAddress, isFramable, namedChats } from './chat-links.ts'

const filled = { key: 'abc', address: 'https://gw.example' }

describe('chatAddress', () => {
  it('fills in the token with its prefix and the encoded address', () => {
    expect(chatAddress('https://chat.example/#/?settings={"key":"{key}","url":"{address}"}', filled)).toBe(
      'https://chat.example/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fgw.example"}',
    )
    expect(chatAddress('ama://set-api-key?server={address}&key={key}', filled)).toBe(
      'ama://set-api-key?server=https%3A%2F%2Fgw.example&key=sk-abc',
    )
  })

  it('makes a provider that Cherry Studio imports', () => {
    const link = chatAddress('cherrystudio://providers/api-keys?v=1&data={cherryConfig}', filled)

    const data = URL.parse(link ?? '')?.searchParams.get('data') ?? ''
    expect(JSON.parse(atob(data))).toEqual({ id: 'gw.example', name: 'gw.example', baseUrl: 'https://gw.example', apiKey: 'sk-abc' })
    expect(data).not.toMatch(/[+/]/)
  })

  it.each(['javascript:alert("{key}")', 'data:text/html,{key}', 'not an address', ''])('refuses %s', (template) => {
    expect(chatAddress(template, filled)).toBeUndefined()
  })
})

describe('the list of chats', () => {
  it('keeps the place of each entry as its id', () => {
    expect(namedChats([{ A: 'https://a.example' }, {}, { B: 'b://x' }])).toEqual([
      { id: 0, name: 'A', template: 'https://a.example' },
      { id: 2, name: 'B', template: 'b://x' },
    ])
    expect(namedChats(undefined)).toEqual([])
  })

  it.each([
    ['https://a.example', true],
    ['ama://x', false],
  ])('frames %s: %s', (address, expected) => {
    expect(isFramable(address)).toBe(expected)
  })
})
