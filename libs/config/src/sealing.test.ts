import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSealer, hashTokenKey, sealedBy } from './sealing.ts'

const aKey = (id: string): string => `${id}:${randomBytes(32).toString('base64url')}`

describe('sealing', () => {
  it('unseals what it sealed, and seals the same text differently each time', () => {
    const sealer = createSealer(aKey('k1'))
    const first = sealer.seal('sk-vendor', sealedBy.channelKey(7))

    expect(sealer.unseal(first, sealedBy.channelKey(7))).toBe('sk-vendor')
    expect(sealer.seal('sk-vendor', sealedBy.channelKey(7))).not.toBe(first)
    expect(first).not.toContain('vendor')
  })

  it('does not unseal in another row', () => {
    const sealer = createSealer(aKey('k1'))
    const sealed = sealer.seal('sk-vendor', sealedBy.channelKey(7))

    expect(() => sealer.unseal(sealed, sealedBy.channelKey(8))).toThrow()
  })

  it('does not unseal a changed text', () => {
    const sealer = createSealer(aKey('k1'))
    const sealed = sealer.seal('a secret of some length', 'x')
    const body = sealed.lastIndexOf('.') + 1

    for (let at = body; at < sealed.length - 1; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
      expect(() => sealer.unseal(changed, 'x')).toThrow()
    }
  })

  it('seals with the first key and unseals with all, so that keys can be rotated', () => {
    const [old, fresh] = [aKey('old'), aKey('new')]
    const sealed = createSealer(old).seal('secret', 'x')
    const both = createSealer(`${fresh},${old}`)

    expect(both.unseal(sealed, 'x')).toBe('secret')
    expect(both.seal('secret', 'x')).toMatch(/^v1\.new\./)
    expect([both.isCurrent(sealed), both.isCurrent(both.seal('secret', 'x'))]).toEqual([false, true])
    expect(() => createSealer(fresh).unseal(sealed, 'x')).toThrow('sealed with an unknown key')
  })

  it.each(['', 'k1', 'k1:short', ':abc', 'bad id:abc'])('rejects the key %j', (keys) => {
    expect(() => createSealer(keys)).toThrow(/sealing key/)
  })

  it('fingerprints equal texts equally under one key and differently under another', () => {
    const sealer = createSealer(aKey('k1'))

    expect(sealer.fingerprint('x')).toBe(sealer.fingerprint('x'))
    expect(sealer.fingerprint('x')).not.toBe(createSealer(aKey('k1')).fingerprint('x'))
  })
})

describe('the look-up hash of a token key', () => {
  it('is sha-256 in hex', () => {
    expect(hashTokenKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
