import { createHash, generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import type { Receipt, ReceiptJwk } from '@tollgate/contracts/resources/receipts'
import { describe, expect, it } from 'vitest'
import { compareBody, verifyReceipt, verifyReceipts } from './verify.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const { x = '' } = publicKey.export({ format: 'jwk' })
const KEYS: readonly ReceiptJwk[] = [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'one', use: 'sig' }]
const RECEIPT: Receipt = {
  v: '1',
  iss: 'https://gateway.example',
  kind: 'charge',
  id: 'r:charge',
  request_id: 'r',
  corrects: null,
  user: { id: '7', name: '林' },
  token: { id: '3', name: 'app' },
  model: 'gpt-4o',
  group: 'default',
  booked_at: '2026-11-28T08:00:00.000Z',
  usage: null,
  price: null,
  lines: null,
  charge: { quota: '1750', usd: '0.0035', quota_per_usd: '500000' },
}
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
function signed(header: object = { alg: 'EdDSA', kid: 'one', typ: 'tollgate-receipt+jws' }, content: object = RECEIPT): string {
  const text = `${encode(header)}.${encode(content)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}
const check = (text: string) => verifyReceipt(text, KEYS, webcrypto.subtle as SubtleCrypto)

describe('a receipt in the browser', () => {
  it('is valid as it was signed, with either name of the algorithm', async () => {
    expect(await check(`  ${signed()}\n`)).toEqual({ kind: 'valid', receipt: RECEIPT, kid: 'one' })
    expect(await check(signed({ alg: 'Ed25519', kid: 'one', typ: 'tollgate-receipt+jws' }))).toMatchObject({ kind: 'valid' })
  })

  it.each([
    ['another content', () => `${signed().split('.')[0]}.${encode({ ...RECEIPT, model: 'gpt-5' })}.${signed().split('.')[2]}`, 'changed'],
    ['a part of it', () => signed().slice(0, -8), 'changed'],
    ['another key', () => signed({ alg: 'EdDSA', kid: 'two', typ: 'tollgate-receipt+jws' }), 'unknown-key'],
    ['no signature', () => signed().split('.').slice(0, 2).join('.'), 'format'],
    ['another type of token', () => signed({ alg: 'EdDSA', kid: 'one', typ: 'JWT' }), 'format'],
    ['no algorithm', () => signed({ alg: 'none', kid: 'one', typ: 'tollgate-receipt+jws' }), 'format'],
    ['demands that are not known', () => signed({ alg: 'EdDSA', kid: 'one', typ: 'tollgate-receipt+jws', crit: ['b64'] }), 'format'],
    ['words', () => 'a receipt, please', 'format'],
    ['a later version', () => signed(undefined, { ...RECEIPT, v: '2' }), 'unreadable'],
  ])('is not valid with %s', async (_what, text, kind) => {
    expect(await check(text())).toEqual({ kind })
  })
})

describe('a file of receipts', () => {
  const checkFile = (lines: readonly string[]) => verifyReceipts(lines, KEYS, webcrypto.subtle as SubtleCrypto)

  it('sums what its valid receipts charge and give back, and names the first line that is wrong', async () => {
    const refund = signed(undefined, { ...RECEIPT, kind: 'refund', charge: { ...RECEIPT.charge, quota: '-750' } })
    expect(await checkFile([signed(), '', refund, ''])).toEqual({ receipts: 2, valid: 2, quota: 1000n, wrong: undefined })
    expect(await checkFile([signed(), '', signed().slice(0, -8), 'words'])).toEqual({
      receipts: 3,
      valid: 1,
      quota: 1750n,
      wrong: { line: 3, kind: 'changed' },
    })
  })
})

describe('a file beside a receipt', () => {
  it('is the same to the byte, or another one', async () => {
    const body = '{"model":"gpt-4o"}'
    const stated = { sha256: createHash('sha256').update(body).digest('hex') }
    const compare = (text: string) => compareBody(new Blob([text]), stated, webcrypto.subtle as SubtleCrypto)

    expect(await compare(body)).toEqual({ isSame: true, sha256: stated.sha256, bytes: 18 })
    expect(await compare(body.replace('4o', '4p'))).toMatchObject({ isSame: false, bytes: 18 })
  })
})
