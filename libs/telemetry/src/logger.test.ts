import { describe, expect, it } from 'vitest'
import { logFields } from './fields.ts'
import { createLogger, type Logger } from './logger.ts'
import { CENSOR, redactedPaths } from './redaction.ts'

const SECRET = 'a1b2c3-do-not-log-me'

function aLog(level: 'trace' | 'info' = 'info'): { log: Logger; lines: () => Record<string, unknown>[]; text: () => string } {
  let text = ''
  const log = createLogger({ service: 'test', level, destination: { write: (line: string) => (text += line) } })
  const lines = (): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { log, lines, text: () => text }
}

/** Logs fields that the types forbid, as a mistake would. */
function smuggle(log: Logger, fields: object): void {
  log.info(fields, 'a mistake')
}

describe('the logger', () => {
  it('writes one JSON line with time, level, service and fields', () => {
    const { log, lines } = aLog()

    log.info({ request_id: 'r1', status: 200 }, 'call')

    expect(lines()).toMatchObject([
      { level: 'info', service: 'test', request_id: 'r1', status: 200, msg: 'call', time: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })

  it('writes nothing below its level', () => {
    const { log, text } = aLog()

    log.debug({ request_id: 'r1' }, 'quiet')

    expect(text()).toBe('')
    expect(log.isLevelEnabled('debug')).toBe(false)
  })

  it('passes fields on to a child logger', () => {
    const { log, lines } = aLog()

    log.child({ job: 'post-usage' }).warn('slow')

    expect(lines()).toMatchObject([{ level: 'warn', job: 'post-usage', msg: 'slow' }])
  })

  it.each([
    ['an authorization header', { headers: { authorization: `Bearer ${SECRET}` } }],
    ['a capitalised authorization header', { headers: { Authorization: `Bearer ${SECRET}` } }],
    ['a cookie', { headers: { cookie: `session=${SECRET}` } }],
    ['a Set-Cookie header', { headers: { 'set-cookie': SECRET, 'Set-Cookie': SECRET } }],
    ['a vendor key header', { headers: { 'x-api-key': SECRET, 'x-goog-api-key': SECRET, 'api-key': SECRET } }],
    ['a channel with its key', { channel: { id: 1, key: SECRET, key_sealed: SECRET } }],
    ['a token', { token: SECRET }],
    ['a password', { body: { username: 'x', password: SECRET } }],
    ['a prompt', { ask: { messages: [{ role: 'user', content: SECRET }] } }],
    ['an answer', { answer: { content: SECRET } }],
    ['a whole body', { body: SECRET }],
    ['a body three levels down', { a: { b: { input: SECRET } } }],
    ['the environment', { env: { DATABASE_URL: `postgres://u:${SECRET}@h/d`, KEY_CHANNELS: SECRET, INTERNAL_SECRETS: SECRET } }],
  ])('never writes %s', (_, fields) => {
    const { log, text } = aLog()

    smuggle(log, fields)

    expect(text()).toContain(CENSOR)
    expect(text()).not.toContain(SECRET)
  })

  it.each([
    ['a bearer token', 'refused: Bearer abcdefgh12345678'],
    ['a key of ours or a vendor', 'bad key sk-abcdefgh12345678'],
    ['a database address with its password', 'cannot reach postgres://tollgate:abcdefgh12345678@db:5432/x'],
    ['a key in a query', 'GET https://vendor.test/v1?key=abcdefgh12345678&x=1'],
    ['a signed token', 'eyJhbGciOiJIUzI1NiJ9.abcdefgh12345678.signature'],
  ])('removes %s from messages and errors', (_, message) => {
    const { log, text } = aLog()

    log.error({ err: new Error(message, { cause: new Error(message) }) }, message)

    expect(text()).toContain(CENSOR)
    expect(text()).not.toContain('abcdefgh12345678')
  })

  it('logs type, code, message, stack and causes of an error', () => {
    const { log, lines } = aLog()
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

    log.error({ err: new TypeError('no answer', { cause }) }, 'vendor call')

    expect(lines()).toMatchObject([
      {
        err: { type: 'TypeError', message: 'no answer', stack: expect.stringContaining('logger.test.ts'), cause: { code: 'ECONNREFUSED' } },
      },
    ])
  })

  it('writes an error message with line breaks as one line', () => {
    const { log, text, lines } = aLog()

    log.error({ err: new Error('first\n{"level":"info","msg":"forged"}') }, 'x')

    expect(text().trimEnd().split('\n')).toHaveLength(1)
    expect(lines()).toMatchObject([{ err: { message: 'first {"level":"info","msg":"forged"}' } }])
  })

  it('redacts no declared log field', () => {
    const fields = Object.keys(logFields).map((name) => `["${name}"]`)

    expect(fields.filter((field) => redactedPaths.includes(field))).toEqual([])
  })
})
