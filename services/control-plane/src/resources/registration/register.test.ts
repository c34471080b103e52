import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compareCredited, compareInvites, compareLogged } from '@tollgate/db/queries/ledger/verify'
import { keys } from '@tollgate/redis/keys'
import { anAddress, callFrom, mailCode, setOptions } from '../../../test/registration.ts'
import { createTestApp, ROOT, type Answer, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-good-password'
/** The promise is kept for 1 000 too (ADR 44); here fewer, because each hash of a password takes 30 ms. */
const PARALLEL = 24
let test: TestApp
let next = 0

beforeAll(async () => {
  test = await createTestApp({ TRUSTED_PROXIES: '' })
  await test.setUp()
})
afterAll(() => test.stop())
beforeEach(() =>
  setOptions(test, {
    RegisterEnabled: 'true',
    PasswordRegisterEnabled: 'true',
    SelfUseModeEnabled: 'false',
    EmailVerificationEnabled: 'false',
    EmailDomainRestrictionEnabled: 'false',
    EmailAliasRestrictionEnabled: 'false',
    QuotaForNewUser: '0',
    QuotaForInviter: '0',
    QuotaForInvitee: '0',
    DisplayInCurrencyEnabled: 'true',
  }),
)

const aName = (): string => `person-${(next += 1)}`
const register = (body: object, ip = anAddress()): Promise<Answer> => {
  const whole = { username: aName(), password: PASSWORD, ...body }
  return callFrom(test, ip, { method: 'POST', path: '/api/user/register', body: whole })
}
const findUser = (username: string) => test.deps.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
const getUser = async (username: string) => {
  const user = await findUser(username)
  if (user === undefined) throw new Error(`there is no user ${username}`)
  return user
}
const logsOf = async (user_id: number) =>
  (await test.deps.db.selectFrom('logs').select(['type', 'content']).where('user_id', '=', user_id).orderBy('id').execute()).map(
    ({ type, content }) => `${type} ${content}`,
  )
const entriesOf = (user_id: number) =>
  test.deps.db.selectFrom('wallet_entries').select(['kind', 'amount', 'reference']).where('user_id', '=', user_id).orderBy('id').execute()

describe('registration', () => {
  it('creates an ordinary account with its bonus, and does not sign in', async () => {
    await setOptions(test, { QuotaForNewUser: '100000' })
    const username = aName()

    const answer = await register({ username: ` ${username} `, email: 'unproved@example.org' })

    expect(answer).toMatchObject({ status: 200, body: { success: true, message: '' } })
    expect(answer.headers.getSetCookie()).toEqual([])
    const user = await getUser(username)
    expect(user).toMatchObject({
      display_name: username,
      role: 1,
      status: 1,
      group: 'default',
      email: '',
      credited: 100_000,
      inviter_id: 0,
    })
    expect(user.aff_code).toMatch(/^\w{8}$/)
    expect(await logsOf(user.id)).toEqual(['4 新用户注册赠送 ＄0.200000 额度'])
    expect(await entriesOf(user.id)).toEqual([{ kind: 'sign-up', amount: 100_000, reference: `user-${user.id}` }])
    const signedIn: Caller = await test.signIn(username, PASSWORD)
    expect((await signedIn('GET', '/api/user/self')).body.data).toMatchObject({ quota: 100_000 })
  })

  it.each([
    ['registration is off', { RegisterEnabled: 'false' }, '管理员关闭了新用户注册'],
    ['the system is used by its operator only', { SelfUseModeEnabled: 'true' }, '管理员关闭了新用户注册'],
    ['passwords are off', { PasswordRegisterEnabled: 'false' }, '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册'],
  ])('is refused when %s', async (_name, options, message) => {
    await setOptions(test, options)

    expect((await register({})).body).toEqual({ success: false, message })
  })

  it.each([
    [{ username: '' }, '无效的参数'],
    [{ password: '' }, '无效的参数'],
    [{ username: 'thirteen-long' }, '输入不合法 username: 1–12'],
    [{ username: 'a\u200Bb' }, '用户名不能包含控制字符、不可见字符或连续空格'],
    [{ password: 'seven-7' }, '输入不合法 password: 8–20'],
    [{ password: 'x'.repeat(21) }, '输入不合法 password: 8–20'],
    [{ username: 'ROOT' }, '用户名已存在，或已注销'],
  ])('refuses %j', async (body, message) => {
    expect((await register(body)).body).toMatchObject({ success: false, message })
  })

  it('lets one of parallel registrations have a name, in any case', async () => {
    const names = ['same-name', 'SAME-name', 'Same-Name', 'ｓame-name']

    const answers = await Promise.all([...names, ...names].map((username) => register({ username })))

    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    expect(new Set(answers.filter(({ body }) => !body.success).map(({ body }) => body.message))).toEqual(
      new Set(['用户名已存在，或已注销']),
    )
  })

  it('limits registrations per client address', async () => {
    const ip = anAddress()

    const answers = []
    for (let n = 0; n < 21; n += 1) answers.push(await register({ username: 'root' }, ip))

    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})

describe('a mailed code', () => {
  const address = 'person@example.org'
  const code = 'a1b2c3'
  beforeEach(async () => {
    await setOptions(test, { EmailVerificationEnabled: 'true' })
    await test.deps.db.updateTable('users').set({ email: '' }).where('email', '=', address).execute()
    await test.deps.db.deleteFrom('mailed_codes').execute()
    const tries = [keys.consoleWindow('mail-code', '*'), keys.attempts('mail-code', '*')].map((pattern) => test.deps.redis.keys(pattern))
    for (const key of (await Promise.all(tries)).flat()) await test.deps.redis.del(key)
    await mailCode(test, { purpose: 'verification', address, code })
  })

  it('is needed, with the address, when e-mail verification is on', async () => {
    const message = '管理员开启了邮箱验证，请输入邮箱地址和验证码'

    expect((await register({})).body).toEqual({ success: false, message })
    expect((await register({ email: address, verification_code: ' ' })).body).toEqual({ success: false, message })
    expect((await register({ email: 'no address', verification_code: code })).body).toEqual({ success: false, message: '无效的邮箱地址' })
  })

  it('proves the address once, written in any case', async () => {
    const username = aName()

    expect((await register({ username, email: 'Person@Example.org', verification_code: ' A1B2C3 ' })).body.success).toBe(true)

    expect(await getUser(username)).toMatchObject({ email: address })
    expect((await register({ email: address, verification_code: code })).body.message).toBe('验证码错误或已过期')
  })

  it('of parallel registrations proves the address to one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register({ email: address, verification_code: code })))

    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })

  it('stays valid when the registration is refused for its name', async () => {
    expect((await register({ username: 'root', email: address, verification_code: code })).body.message).toBe('用户名已存在，或已注销')

    expect((await register({ email: address, verification_code: code })).body.success).toBe(true)
  })

  it('takes five attempts from one address, and keeps those of the owner at another', async () => {
    const stranger = anAddress()
    const wrong = await Promise.all(
      Array.from({ length: 30 }, (_, n) => register({ email: address, verification_code: `00000${n % 10}` }, stranger)),
    )

    expect(wrong.filter(({ status }) => status === 200).map(({ body }) => body.message)).toEqual(Array(5).fill('验证码错误或已过期'))
    expect(wrong.filter(({ status }) => status === 429).every(({ headers }) => Number(headers.get('retry-after')) > 500)).toBe(true)
    expect((await register({ email: address, verification_code: code }, stranger)).status).toBe(429)
    expect((await register({ email: address, verification_code: code })).body.success).toBe(true)
  })

  it('cannot be guessed from many addresses, and its owner goes on where it was signed in', async () => {
    const guesses = []
    for (let n = 0; n < 41; n += 1) {
      const ip = anAddress()
      for (let attempt = 0; attempt < 5; attempt += 1) guesses.push(await register({ email: address, verification_code: '000000' }, ip))
    }
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(200)
    expect((await register({ email: address, verification_code: code })).status).toBe(429)

    const owner = await test.signIn(ROOT.username, ROOT.password)
    const bound = await owner('GET', `/api/oauth/email/bind?email=${address}&code=${code}`)
    expect(bound.body).toMatchObject({ success: true })
  })

  it('lives on when a newer one is mailed, and ends when another one is used', async () => {
    await mailCode(test, { purpose: 'verification', address, code: 'ffffff' })

    expect((await register({ email: address, verification_code: code })).body.success).toBe(true)
    await test.deps.db.updateTable('users').set({ email: '' }).where('email', '=', address).execute()
    expect((await register({ email: address, verification_code: 'ffffff' })).body.message).toBe('验证码错误或已过期')
  })

  it.each([
    ['of another address', { email: 'other@example.org', verification_code: code }],
    ['of a password reset', { email: 'reset@example.org', verification_code: code }],
    ['that expired', { email: 'late@example.org', verification_code: code }],
  ])('%s is refused', async (_name, body) => {
    await mailCode(test, { purpose: 'reset', address: 'reset@example.org', code })
    await mailCode(test, { purpose: 'verification', address: 'late@example.org', code, expires_at: Math.floor(test.deps.now() / 1000) })

    expect((await register(body)).body.message).toBe('验证码错误或已过期')
  })

  it.each([
    [
      'outside the whitelist',
      { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com' },
      "The administrator has enabled the email domain name whitelist, and your email address is not allowed due to special symbols or it's not in the whitelist.",
    ],
    ['that is an alias', { EmailAliasRestrictionEnabled: 'true' }, '管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。'],
  ])('does not help an address %s', async (_name, options, message) => {
    await setOptions(test, options)
    await mailCode(test, { purpose: 'verification', address: 'some+one@example.org', code })

    expect((await register({ email: 'some+one@example.org', verification_code: code })).body).toEqual({ success: false, message })
  })

  it('binds an address to a signed-in account once', async () => {
    await setOptions(test, { EmailVerificationEnabled: 'false' })
    const username = aName()
    await register({ username })
    const person = await test.signIn(username, PASSWORD)
    const bind = (given: string) => person('GET', `/api/oauth/email/bind?email=${encodeURIComponent(address)}&code=${given}`)

    expect((await bind('ffffff')).body).toEqual({ success: false, message: '验证码错误或已过期' })
    expect((await bind(code)).body).toEqual({ success: true, message: '' })
    expect((await bind(code)).body).toEqual({ success: false, message: '验证码错误或已过期' })
    expect(await getUser(username)).toMatchObject({ email: address })
  })
})

describe('an invite code', () => {
  const anInviter = async () => {
    const username = aName()
    await register({ username })
    return getUser(username)
  }
  const rewards = { QuotaForNewUser: '1000', QuotaForInvitee: '200', QuotaForInviter: '30' }

  it('rewards both exactly when many register with it at once', async () => {
    const inviter = await anInviter()
    await setOptions(test, rewards)
    const names = Array.from({ length: PARALLEL }, aName)

    const answers = await Promise.all(names.map((username) => register({ username, aff_code: inviter.aff_code })))

    expect(answers.filter(({ body }) => !body.success)).toEqual([])
    expect(await getUser(inviter.username)).toMatchObject({
      aff_count: PARALLEL,
      aff_quota: 30 * PARALLEL,
      aff_history: 30 * PARALLEL,
      credited: 0,
    })
    const invited = await test.deps.db.selectFrom('users').select(['id', 'credited']).where('inviter_id', '=', inviter.id).execute()
    expect(invited.map(({ credited }) => credited)).toEqual(Array.from({ length: PARALLEL }, () => 1200))
    const [{ id } = { id: 0 }] = invited
    expect(await entriesOf(id)).toEqual([
      { kind: 'sign-up', amount: 1000, reference: `user-${id}` },
      { kind: 'invitee', amount: 200, reference: `user-${id}` },
    ])
    expect(await logsOf(id)).toEqual(['4 新用户注册赠送 ＄0.002000 额度', '4 使用邀请码赠送 ＄0.000400 额度'])
    expect(await logsOf(inviter.id)).toEqual(Array.from({ length: PARALLEL }, () => '4 邀请用户赠送 ＄0.000060 额度'))
    const sums = await Promise.all([compareCredited, compareInvites, compareLogged].map((compare) => compare(test.deps.db)))
    expect(sums.flatMap(({ mismatches }) => mismatches)).toEqual([])
  })

  it('counts an invite without a reward', async () => {
    const inviter = await anInviter()

    await register({ aff_code: inviter.aff_code })

    expect(await getUser(inviter.username)).toMatchObject({ aff_count: 1, aff_quota: 0 })
  })

  it.each([
    ['unknown', undefined],
    ['of a banned account', { status: 2 }],
    ['of a deleted account', { deleted_at: new Date() }],
  ])('that is %s is ignored', async (_name, change) => {
    const inviter = await anInviter()
    await setOptions(test, rewards)
    if (change !== undefined) await test.deps.db.updateTable('users').set(change).where('id', '=', inviter.id).execute()
    const username = aName()

    expect((await register({ username, aff_code: change === undefined ? 'nobody00' : inviter.aff_code })).body.success).toBe(true)

    expect(await getUser(username)).toMatchObject({ inviter_id: 0, credited: 1000 })
  })
})
