import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { totpOf } from '../../services/control-plane/src/authentication/second-factor.ts'
import { OIDC_CLIENT, startOidcProvider, type OidcServer } from '../../services/control-plane/test/oidc-provider.ts'
import { startTestSmtp, textPartOf, type TestSmtp } from '../../services/worker/test/smtp-server.ts'
import { must } from '../support/api.ts'
import { startConsole, type ConsoleUnderTest } from '../support/console.ts'

const EMAIL = 'lin@example.org'
const NAME = 'lin'
const PASSWORD = 'first-password'

/** A user's path through the console, from the registration to the deletion of the account. */
describe('the path of an account', () => {
  let app: ConsoleUnderTest
  let oidc: OidcServer
  let smtp: TestSmtp
  let page: Page
  let origin: string
  let secret = ''
  let password = PASSWORD

  beforeAll(async () => {
    app = await startConsole()
    // Passkeys need a name, not an address.
    origin = app.origin.replace('127.0.0.1', 'localhost')
    oidc = await startOidcProvider(`${origin}/oauth/oidc`)
    smtp = await startTestSmtp()
    const options = {
      ServerAddress: origin,
      SMTPServer: '127.0.0.1',
      SMTPPort: String(smtp.port),
      SMTPFrom: 'gate@example.org',
      'oidc.client_id': OIDC_CLIENT.client_id,
      'oidc.client_secret': OIDC_CLIENT.client_secret,
      'oidc.well_known': `${oidc.issuer}/.well-known/openid-configuration`,
      'oidc.authorization_endpoint': `${oidc.issuer}/auth`,
      'oidc.token_endpoint': `${oidc.issuer}/token`,
      'oidc.user_info_endpoint': `${oidc.issuer}/me`,
      'oidc.enabled': 'true',
      EmailVerificationEnabled: 'true',
    }
    for (const [key, value] of Object.entries(options)) must(await app.api.put('/api/option/', { key, value }))
    page = await app.openVisitor({ language: 'zh' })
  })
  afterAll(async () => {
    await app.stop()
    await oidc.stop()
    await smtp.stop()
  })

  /** The newest mail to the person, with what the pattern finds in it. */
  const mailed = async (pattern: RegExp): Promise<string> => {
    const find = () =>
      smtp.received
        .filter(({ to }) => to === EMAIL)
        .map((mail) => pattern.exec(textPartOf(mail))?.[1])
        .findLast((found) => found !== undefined)
    await vi.waitUntil(() => find() !== undefined, { timeout: 15_000 })
    return find() ?? ''
  }
  const panel = (name: string): Locator => page.getByRole('region', { name })
  const signInWithPassword = async (): Promise<void> => {
    await page.goto(`${origin}/login`)
    await page.getByLabel('用户名或邮箱').fill(NAME)
    await page.getByLabel(/^密码/).fill(password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
  }
  /** The code of a period before or after now; each counts once, and only later ones after it. */
  const codeOf = (period: number): string => totpOf({ secret, label: '', issuer: '' }).generate({ timestamp: Date.now() + period * 30_000 })
  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: '账户菜单' }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.waitForURL('**/login')
  }
  /** Confirms at the provider's own pages; a known browser only consents, or is sent straight back. */
  const passProvider = async (): Promise<void> => {
    await page.waitForURL((url) => url.origin === oidc.issuer)
    const login = page.locator('input[name=login]')
    if (await login.isVisible()) {
      await login.fill('lin-at-provider')
      await page.locator('input[name=password]').fill('any')
      await page.locator('button[type=submit]').click()
      await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    }
    await page.locator('button[type=submit]').click()
    await page.waitForURL((url) => url.origin === origin)
  }

  it('registers with a mailed code', async () => {
    await page.goto(`${origin}/register`)
    await page.getByLabel('用户名').fill(NAME)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await page.getByLabel('确认密码').fill(PASSWORD)
    await page.getByLabel('邮箱').fill(EMAIL)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('验证码发送成功，请检查你的邮箱！').waitFor()
    expect(await page.getByRole('button', { name: /^重新发送/ }).isDisabled()).toBe(true)
    await page.getByLabel('验证码').fill(await mailed(/^ {4}(\w+)\s*$/m))
    await page.getByRole('button', { name: '注册', exact: true }).click()

    await page.getByText('注册成功！').waitFor()
    await page.waitForURL('**/login')
  })

  it('signs in with the password', async () => {
    await signInWithPassword()

    await page.getByText('登录成功！').waitFor()
    await page.waitForURL('**/token')
  })

  it('creates a system access token, which stays on the screen until it was saved', async () => {
    await page.goto(`${origin}/personal`)
    await panel('账户').first().getByRole('button', { name: '生成令牌' }).click()
    await page.getByText('令牌已重置并已复制到剪贴板').waitFor()
    const token = await page.evaluate<string>('navigator.clipboard.readText()')

    const dialog = page.getByRole('alertdialog', { name: '系统访问令牌' })
    await dialog.getByText(token).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: '我已保存' }).click()
    await dialog.waitFor({ state: 'detached' })
    const id = await page.evaluate<number>('JSON.parse(localStorage.getItem("user")).id')
    const own = await fetch(`${app.origin}/api/user/self`, { headers: { authorization: token, 'new-api-user': String(id) } })
    expect(await own.json()).toMatchObject({ success: true, data: { username: NAME } })
  })

  it('binds an account of an OpenID Connect provider', async () => {
    await page.goto(`${origin}/personal`)
    const row = panel('账户绑定').getByText('OIDC').locator('xpath=ancestor::*[.//button][1]')
    await row.getByRole('button', { name: '绑定' }).click()
    await passProvider()

    await page.getByText('绑定成功！').waitFor()
    await page.waitForURL('**/personal')
    await panel('账户绑定').getByText('lin-at-provider').waitFor()
  })

  it('signs out, and in again at the provider', async () => {
    await signOut()
    await page.getByRole('button', { name: '使用 OIDC 登录' }).click()
    await page.waitForURL((url) => url.origin === oidc.issuer || url.pathname === '/token')
    if (new URL(page.url()).origin === oidc.issuer) await passProvider()

    await page.getByText('登录成功！').waitFor()
    await page.waitForURL('**/token')
  })

  it('turns two-step verification on', async () => {
    await page.goto(`${origin}/personal`)
    await panel('两步验证').getByRole('button', { name: '开启' }).click()
    const dialog = page.getByRole('dialog', { name: '开启两步验证' })
    secret = (await dialog.locator('[data-totp-secret]').innerText()).replaceAll(/\s/g, '')
    await dialog.getByLabel('验证码').fill(codeOf(-1))
    await dialog.getByRole('button', { name: '开启' }).click()

    const codes = page.getByRole('alertdialog', { name: '保存恢复码' })
    await codes.getByRole('button', { name: '我已保存' }).click()
    await panel('两步验证').getByText('已开启').waitFor()
  })

  it('signs in with password and code', async () => {
    await signOut()
    await signInWithPassword()
    await page.getByLabel('验证码').fill(codeOf(0))
    await page.getByRole('button', { name: '验证', exact: true }).click()

    await page.waitForURL('**/token')
  })

  it('adds a passkey, and signs in with it alone', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    try {
      await page.goto(`${origin}/personal`)
      await panel('通行密钥').getByRole('button', { name: '添加通行密钥' }).click()
      const dialog = page.getByRole('dialog', { name: '添加通行密钥' })
      await dialog.getByRole('button', { name: '添加通行密钥' }).click()
      await page.getByText('通行密钥已添加').waitFor()
      await signOut()
      await page.getByRole('button', { name: '使用通行密钥登录' }).click()

      await page.waitForURL(`${origin}/`)
    } finally {
      // A second attempt adds its own authenticator, and a page has room for one.
      await devtools.detach()
    }
    await signOut()
  })

  it('resets the password by mail', async () => {
    await page.goto(`${origin}/reset`)
    await page.getByLabel('邮箱').fill(EMAIL)
    await page.getByRole('button', { name: '发送重置邮件' }).click()
    await page.goto(await mailed(/(http\S+\/user\/reset\?\S+)/))
    await page.getByRole('button', { name: '确认重置密码' }).click()
    await page.getByRole('button', { name: '复制新密码' }).click()
    password = await page.evaluate<string>('navigator.clipboard.readText()')

    expect(password).not.toBe(PASSWORD)
    expect(password.length).toBeGreaterThanOrEqual(8)
  })

  it('deletes the account with the new password, which ends the sign-in', async () => {
    await signInWithPassword()
    await page.getByLabel('验证码').fill(codeOf(1))
    await page.getByRole('button', { name: '验证', exact: true }).click()
    await page.waitForURL('**/token')
    await page.goto(`${origin}/personal`)
    await panel('账户').first().getByRole('button', { name: '删除账户' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(NAME)
    await dialog.getByRole('button', { name: '删除账户' }).click()

    await page.getByText('账户已删除！').waitFor()
    await page.waitForURL('**/login')
    const again = await fetch(`${app.origin}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: NAME, password }),
    })
    expect(await again.json()).toMatchObject({ success: false })
  })

  it('keeps the language where the texts of another cannot be fetched, says so, and takes the next choice', async () => {
    const visitor = await app.openVisitor({ language: 'zh' })
    await visitor.goto(`${origin}/login`)
    const choose = async (): Promise<void> => {
      await visitor.getByRole('button', { name: '语言' }).click()
      await visitor.getByRole('menuitemradio', { name: 'English' }).waitFor()
    }
    await choose()
    // As when the server is away, or has a newer console with files of other names.
    await visitor.route('**/assets/**', (route) => route.abort())
    await visitor.getByRole('menuitemradio', { name: 'English' }).click()

    await visitor.getByText(/^错误：/).waitFor()
    await visitor.getByLabel('用户名或邮箱').waitFor()
    await visitor.unroute('**/assets/**')
    await choose()
    await visitor.getByRole('menuitemradio', { name: 'English' }).click()

    await visitor.getByLabel('Username or email').waitFor()
  })

  it('shows visitors what the operator wrote, made safe, and a notice once after each change', async () => {
    const written =
      '# Our rules\n\n<img src="x" onerror="document.title = 1"><script>document.title = 2</script>\n\n[Terms](https://terms.example/)'
    const write = async (key: string, value: string): Promise<void> => void must(await app.api.put('/api/option/', { key, value }))
    for (const [key, value] of Object.entries({ About: written, Notice: '**Maintenance** at noon' })) await write(key, value)
    const visitor = await app.openVisitor({ language: 'zh' })
    const notice = visitor.getByRole('dialog', { name: '公告' })

    await visitor.goto(`${origin}/about`)
    await notice.locator('strong', { hasText: 'Maintenance' }).waitFor()
    await notice.getByRole('button', { name: '知道了' }).click()
    await visitor.getByRole('heading', { name: 'Our rules' }).waitFor()
    expect(await visitor.getByRole('link', { name: 'Terms' }).getAttribute('rel')).toBe('noopener noreferrer')
    expect(await visitor.locator('main script, main [onerror]').count()).toBe(0)
    await visitor.reload({ waitUntil: 'networkidle' })
    expect(await notice.count()).toBe(0)

    await write('Notice', 'Done')
    await visitor.reload()
    await notice.getByText('Done').waitFor()
  })

  it('throws no error in the page', () => {
    expect(app.pageErrors).toEqual([])
  })
})
