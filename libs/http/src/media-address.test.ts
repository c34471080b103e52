import { describe, expect, it } from 'vitest'
import { isMediaSignature, signMediaPath } from './media-address.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const SECRETS = ['a'.repeat(32), 'b'.repeat(32)]
const query = new URLSearchParams(signMediaPath({ task_id: 'film', index: 1 }, NOW, SECRETS).split('?')[1])
const signed = { task_id: 'film', index: 1, expires: query.get('expires') ?? '', sig: query.get('sig') ?? '' }

describe('the signed address of a medium', () => {
  it('names the task and the place of the medium', () => {
    expect(signMediaPath({ task_id: 'film', index: 1 }, NOW, SECRETS)).toMatch(
      /^\/v1\/tasks\/film\/media\/1\?expires=\d+&sig=[0-9a-f]{64}$/,
    )
  })

  it.each<[string, object, number, readonly string[], boolean]>([
    ['opens for an hour', {}, NOW + HOUR, SECRETS, true],
    ['opens after the signing secret has become the second one', {}, NOW, ['c'.repeat(32), ...SECRETS], true],
    ['does not open later', {}, NOW + HOUR + 1000, SECRETS, false],
    ['does not open with a later time', { expires: String(Number(signed.expires) + 1) }, NOW, SECRETS, false],
    ['does not open another task', { task_id: 'other' }, NOW, SECRETS, false],
    ['does not open another medium', { index: 0 }, NOW, SECRETS, false],
    ['does not open with another secret', {}, NOW, ['c'.repeat(32)], false],
    ['does not open without a signature', { sig: '' }, NOW, SECRETS, false],
  ])('%s', (_what, change, now, secrets, isOpen) => {
    expect(isMediaSignature({ ...signed, ...change }, now, secrets)).toBe(isOpen)
  })
})
