import { expect, it } from 'vitest'
import { multiKeyModeOf, splitKeys } from './split-keys.ts'

const account = JSON.stringify({ type: 'service_account', private_key: '-----BEGIN{\n"x"', client_email: 'a@b' }, null, 2)

it.each([
  ['one key', 'sk-a', ['sk-a']],
  ['lines, with blanks and repeats', ' sk-a \n\nsk-b\r\nsk-a\n', ['sk-a', 'sk-b']],
  ['a JSON array', '["sk-a", " sk-b "]', ['sk-a', 'sk-b']],
  ['an array of service accounts', '[{"client_email":"a"},{"client_email":"b"}]', ['{"client_email":"a"}', '{"client_email":"b"}']],
  ['one service account over several lines, whole', account, [account]],
  ['service accounts one after the other', `${account}\n{"client_email":"b"}`, [account, '{"client_email":"b"}']],
  ['a bracket that does not begin an array', '[sk-a\nsk-b', ['[sk-a', 'sk-b']],
  ['an unterminated object', '{"a": 1', ['{"a": 1']],
  ['nothing', ' \n ', []],
])('%s', (_, text, keys) => {
  expect(splitKeys(text)).toEqual(keys)
})

it('has no mode if the setting names an unknown one', () => {
  expect([{ multi_key_mode: 'polling' }, { multi_key_mode: 'x' }, {}].map(multiKeyModeOf)).toEqual(['polling', undefined, undefined])
})
