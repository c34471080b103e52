import { describe, expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'

describe('clientAddress', () => {
  it.each([
    ['https://gw.example/', 'https://gw.example'],
    ['', 'http://here'],
    [undefined, 'http://here'],
  ])('takes the configured address %o, else the page’s own', (configured, address) => {
    expect(clientAddress(configured, 'http://here')).toBe(address)
  })
})
