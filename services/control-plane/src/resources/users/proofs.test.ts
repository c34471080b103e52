import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, PASSWORD, type Person, type SignInApp } from '../../../test/sign-in-app.ts'
import { signInWith, type Browser } from '../../../test/browser.ts'
import { ROOT } from '../../../test/test-app.ts'
import { totpOf } from '../../authentication/second-factor.ts'

// Each way in to an account needs a proof to be added, by every endpoint.

const STALE = { success: false, field: 'proof' }
const OK = { success: true }
const NEW = 'another-password'
let app: SignInApp

beforeAll(async () => {
  app = await createSignInApp()
})
beforeEach(() => app.forgetLimits())
afterAll(() => app.stop())

async function anAdministrator(): Promise<Person> {
  const person = await app.person()
  await app.test.deps.db.updateTable('users').set({ role: 10 }).where('id', '=', person.id).execute()
  await signInWith(person.browser, person.username, PASSWORD)
  return person
}
async function rootBrowser(): Promise<Browser> {
  const browser = app.browser()
  await signInWith(browser, ROOT.username, ROOT.password)
  return browser
}
const rootId = async (): Promise<number> =>
  (await app.test.deps.db.selectFrom('users').select('id').where('username', '=', ROOT.username).executeTakeFirstOrThrow()).id
const userOf = async (id: number) =>
  await app.test.deps.db.selectFrom('users').select(['role', 'password_hash', 'username']).where('id', '=', id).executeTakeFirstOrThrow()
/** A call with the system access token of the signed-in browser instead of its session. */
async function byAccessToken(browser: Browser) {
  const { body } = await browser.call('GET', '/api/user/token')
  const bare = app.browser()
  bare.userId = browser.userId
  return (method: string, path: string, sent: unknown) => bare.call(method, path, sent, { authorization: `Bearer ${String(body.data)}` })
}

describe('the password of another account', () => {
  it('is not set by an old session, nor by an access token', async () => {
    const [admin, user] = [await anAdministrator(), await app.person()]
    const before = await userOf(user.id)
    const change = { id: user.id, password: NEW }
    const byToken = await byAccessToken(admin.browser)
    await app.makeOld(admin.id)

    expect((await admin.browser.call('PUT', '/api/user/', change)).body).toMatchObject(STALE)
    expect((await byToken('PUT', '/api/user/', change)).body).toMatchObject(STALE)
    expect(await userOf(user.id)).toEqual(before)

    expect((await admin.browser.call('POST', '/api/user/self/proof', { password: PASSWORD })).body).toMatchObject(OK)
    expect((await admin.browser.call('PUT', '/api/user/', change)).body).toMatchObject(OK)
    await signInWith(app.browser(), user.username, NEW)
  })

  it('does not keep other fields from being changed without a proof', async () => {
    const [admin, user] = [await anAdministrator(), await app.person()]
    await app.makeOld(admin.id)

    expect((await admin.browser.call('PUT', '/api/user/', { id: user.id, display_name: 'Renamed' })).body).toMatchObject(OK)
  })
})

describe('root', () => {
  it('does not lose its password to its access token', async () => {
    const browser = await rootBrowser()
    const id = await rootId()
    const before = await userOf(id)
    const byToken = await byAccessToken(browser)

    expect((await byToken('PUT', '/api/user/', { id, password: NEW })).body).toMatchObject(STALE)
    expect(await userOf(id)).toEqual(before)
  })

  it('makes administrators only with a proof', async () => {
    const browser = await rootBrowser()
    const user = await app.person()
    const promote = { id: user.id, action: 'promote' }
    const byToken = await byAccessToken(browser)

    expect((await byToken('POST', '/api/user/manage', promote)).body).toMatchObject(STALE)
    expect((await userOf(user.id)).role).toBe(1)
    expect((await browser.call('POST', '/api/user/manage', promote)).body).toMatchObject(OK)
    expect((await userOf(user.id)).role).toBe(10)
  })
})

describe('two-step verification', () => {
  it('is not switched off by who has only the password and an old session', async () => {
    const { id, browser, username } = await app.person()
    const { body } = await browser.call('POST', '/api/user/self/two-factor/start')
    const { secret } = body.data as { secret: string } // the declared answer
    const code = (period: number) => totpOf({ secret, label: '', issuer: '' }).generate({ timestamp: Date.now() + period * 30_000 })
    expect((await browser.call('POST', '/api/user/self/two-factor', { code: code(-1) })).body).toMatchObject(OK)
    await app.makeOld(id)
    const change = { username, display_name: 'P', password: NEW, original_password: PASSWORD }

    expect((await browser.call('PUT', '/api/user/self', change)).body).toMatchObject(STALE)
    expect((await browser.call('DELETE', '/api/user/self/two-factor')).body).toMatchObject(STALE)

    expect((await browser.call('POST', '/api/user/self/proof', { code: code(0) })).body).toMatchObject(OK)
    expect((await browser.call('PUT', '/api/user/self', change)).body).toMatchObject(OK)
  })

  it('off: a new password starts a session that is proved by the old one only', async () => {
    const { id, browser, username } = await app.person()
    await app.makeOld(id)
    const change = { username, display_name: 'P', password: NEW, original_password: PASSWORD }

    expect((await browser.call('PUT', '/api/user/self', change)).body).toMatchObject(OK)
    expect((await browser.call('POST', '/api/user/self/two-factor/start')).body).toMatchObject(OK)
  })
})

describe('a user name', () => {
  it.each(['v@ex.io', '@'])('cannot be %s, which could be another person’s address', async (username) => {
    const { browser } = await app.person()
    await setOptions(app.test.deps, { EmailVerificationEnabled: 'false' })

    const renamed = await browser.call('PUT', '/api/user/self', { username, display_name: 'P' })
    const made = await app.browser().call('POST', '/api/user/register', { username, password: PASSWORD })

    for (const { body } of [renamed, made]) expect(body).toMatchObject({ success: false, message: expect.stringContaining('@') as unknown })
  })

  it('that is another account’s address locks neither owner out', async () => {
    const [older, owner] = [await app.person(), await app.person()]
    const address = `both${owner.id}@ex.io`
    await app.test.deps.db.updateTable('users').set({ username: address }).where('id', '=', older.id).execute()
    await app.test.deps.db.updateTable('users').set({ email: address }).where('id', '=', owner.id).execute()
    const [one, other] = [app.browser(), app.browser()]
    const { browser } = owner
    const change = { username: owner.username, display_name: 'P', password: NEW, original_password: PASSWORD }
    expect((await browser.call('PUT', '/api/user/self', change)).body).toMatchObject(OK)

    await signInWith(one, address, PASSWORD)
    await signInWith(other, address, NEW)

    expect([one.userId, other.userId]).toEqual([older.id, owner.id])
  })

  it.each(['a\u202Eb', 'a\u200Bb', 'a\u0007b'])('beside it a display name has no confusing characters: %j', async (display_name) => {
    const { browser, username } = await app.person()

    expect((await browser.call('PUT', '/api/user/self', { username, display_name })).body.success).toBe(false)
    expect((await browser.call('PUT', '/api/user/self', { username, display_name: 'A 👩‍👧 b' })).body).toMatchObject(OK)
  })
})
