import { describe, expect, it } from 'vitest'
import { keyTailOf } from './key-tail.ts'

describe('keyTailOf', () => {
  it.each([
    ['an ordinary key', 'sk-proj-0123456789abcdWXYZ', 'WXYZ'],
    ['a key of several parts: its longest', 'AKIAEXAMPLE|wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY|us-east-1', 'EKEY'],
    ['a service account: its key id', '{"type":"service_account","private_key_id":"0a1b2c3d4e5f60718293","private_key":"-----"}', '8293'],
    ['a short key', 'sk-local', ''],
    ['a service account without an id', '{"private_key":"0123456789abcdef0123"}', ''],
  ])('gives what people find a key by: %s', (_, key, tail) => {
    expect(keyTailOf(key)).toBe(tail)
  })
})
