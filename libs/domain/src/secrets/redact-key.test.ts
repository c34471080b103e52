import { describe, expect, it } from 'vitest'
import { redactKey, redactKeyIn, secretPartsOf } from './redact-key.ts'

const KEY = 'sk-proj-T3x9QwLm27Zr0bVcYd81HfKs'
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'my-project',
  private_key_id: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\nAASCBKcwggSjAgEAAoIBAQC7x2pQ\n-----END PRIVATE KEY-----\n',
  client_email: 'relay-7@my-project.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
})

/** The longest run of characters of the key that is left in the text. */
function leak(text: string, key: string): string {
  let longest = ''
  for (let from = 0; from < key.length; from += 1)
    for (let to = from + longest.length + 1; to <= key.length && text.includes(key.slice(from, to)); to += 1) longest = key.slice(from, to)
  return longest
}

describe('a key in a text of its vendor', () => {
  it.each([
    ['whole', `Incorrect API key provided: ${KEY}.`],
    ['twice', `${KEY} is not ${KEY}`],
    ['without its prefix', 'the key T3x9QwLm27Zr0bVcYd81HfKs has expired'],
    ['in the middle of a word', `key=${KEY}&x=1`],
    ['a half of it', 'unknown key sk-proj-T3x9QwLm27Zr'],
    ['the other half', 'key ending in 0bVcYd81HfKs was revoked'],
    ['in quoted JSON', JSON.stringify(JSON.stringify({ authorization: `Bearer ${KEY}` }))],
    ['in base64', `header Basic ${Buffer.from(`user:${KEY}`).toString('base64')} refused`],
    ['in base64 at another position', `got ${Buffer.from(`u:${KEY}`).toString('base64url')}`],
    ['percent-encoded', `https://x.example/?key=${encodeURIComponent(KEY)}`],
    ['shortened by dots', 'Incorrect API key: sk-pro...HfKs'],
    ['shortened by asterisks', 'Your api key: ****HfKs is invalid'],
  ])('is removed: %s', (_name, text) => {
    const clean = redactKey(text, KEY)

    expect(clean).toContain('***')
    expect(leak(clean, KEY).replace(/^sk-?p?r?o?j?-?/, '').length).toBeLessThan(4)
    expect(leak(clean, Buffer.from(KEY).toString('base64')).length).toBeLessThan(6)
  })

  it.each([
    ['id|secret', 'app-0001|Zx81kQ0pLmN4rTs9', 'the secret Zx81kQ0pLmN4rTs9 of app-0001 is wrong', 'the secret *** of *** is wrong'],
    ['region|ak|sk', 'us-east-1|AKIA0123456789ABCDEF|wJalrXUtnFEMI7MDENG', 'AKIA0123456789ABCDEF in us-east-1', '*** in us-east-1'],
    [
      'a service account',
      ACCOUNT,
      'relay-7@my-project.iam.gserviceaccount.com lacks a role in my-project',
      '*** lacks a role in my-project',
    ],
    ['a line of its private key', ACCOUNT, 'bad key "\\nMIIEvQIBADANBgkqhkiG9w0BAQEF\\nAASCBKcwggSjAgEA"', 'bad key "\\n***\\n***"'],
    ['a token made from it', ACCOUNT, 'token ya29.a0AfB_byC-x9 expired', 'token ya29.*** expired'],
  ])('may have parts: %s', (_name, key, text, clean) => {
    expect(redactKey(text, key)).toBe(clean)
  })

  it('leaves other texts as they are', () => {
    const text = 'The model `gpt-4o` does not exist or you do not have access to it... See https://platform.openai.com/docs/models/gpt-4o.'

    expect(redactKey(text, KEY)).toBe(text)
    expect(redactKey('ollama is required', 'ollama')).toBe('ollama is required')
    expect(redactKey('field messages is required', 'sk-no-key-required')).toBe('field messages is required')
  })

  it('is removed from every string of an object', () => {
    expect(redactKeyIn({ message: `key ${KEY}`, details: [{ reason: 'R', key: [KEY] }], code: 401, param: null }, KEY)).toEqual({
      message: 'key ***',
      details: [{ reason: 'R', key: ['***'] }],
      code: 401,
      param: null,
    })
  })

  it('costs little on a long text', () => {
    const started = performance.now()
    // A quadratic search would take minutes.
    redactKey('An error without the key occurred at 12:34:56. '.repeat(2000), KEY)

    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('the secrets of a key', () => {
  it('exclude regions, addresses and names of projects', () => {
    expect(secretPartsOf('us-gov-east-1|AKIA0123456789ABCDEF|secret-of-it')).toEqual(['AKIA0123456789ABCDEF', 'secret-of-it'])
    expect(secretPartsOf(ACCOUNT).join(' ')).not.toMatch(/googleapis\.com\/token|BEGIN|service_account/)
  })
})
