import { act, screen, waitFor, within } from '@testing-library/react'
import { channels } from '@tollgate/contracts/resources/channels'
import { self } from '@tollgate/contracts/resources/self'
import { signIn } from '@tollgate/contracts/resources/sign-in'
import { status } from '@tollgate/contracts/resources/status'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberedLanguage } from '../../i18n/language.ts'
import { session } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { aStatus, aStoredUser, aUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'

const plane = planeForTests()
beforeEach(() => {
  plane.answer(status.homePage, '')
  plane.answer(tokens.list, [])
  plane.answer(tokens.count, { total: 0 })
  plane.answer(tokens.search, [])
  plane.answer(channels.search, [])
})

const GUARDED = [
  '/channel',
  '/token',
  '/playground',
  '/redemption',
  '/user',
  '/setting',
  '/personal',
  '/topup',
  '/log',
  '/detail',
  '/midjourney',
  '/task',
  '/chat2link',
]

describe('guards', () => {
  it.each(GUARDED)('sends a visitor from %s to the sign-in page', async (path) => {
    const view = await open(path)

    await screen.findByLabelText('用户名或邮箱')
    expect(view.address()).toBe('/login')
  })

  it('lets a visitor open a chat, whose call for tokens is refused and leads to the sign-in page', async () => {
    plane.answer(status.get, aStatus({ chats: [{ Lobe: 'https://chat.example/?key={key}' }] }))
    plane.fail(tokens.list, 401, { success: false, message: '无权进行此操作，未登录且未提供 access token' })
    const view = await open('/chat/0')

    await waitFor(() => expect(view.address()).toBe('/login?expired=true'))
    expect(plane.to(tokens.list)).toHaveLength(1)
  })

  it('shows a user below role 10 the no-permission page and makes no call for it', async () => {
    session.start(aStoredUser({ role: 1 }))
    await open('/channel')

    expect(await screen.findByRole('heading', { name: '无权进行此操作，权限不足' })).toBeTruthy()
    expect(plane.asked.filter(({ path }) => path.startsWith('/api/channel'))).toHaveLength(0)
  })

  it('answers an unknown address with the not-found page', async () => {
    await open('/nowhere')

    expect(await screen.findByRole('heading', { name: '页面不存在' })).toBeTruthy()
    expect(screen.getByText('你访问的页面不存在，请检查地址是否正确。')).toBeTruthy()
  })

  it('leads to the sign-in page when any call is answered with 401', async () => {
    session.start(aStoredUser({ role: 1 }))
    plane.fail(tokens.list, 401, { success: false, message: '无权进行此操作，未登录且未提供 access token' })
    const view = await open('/token')

    await waitFor(() => expect(view.address()).toBe('/login?expired=true'))
    expect(session.user()).toBeUndefined()
    expect(await screen.findByText('未登录或登录已过期，请重新登录')).toBeTruthy()
  })
})

describe('the sign-in page', () => {
  it('leads back to the address that asked for it, filters included', async () => {
    plane.answer(signIn.create, aUser({ id: 1, username: 'root', role: 1 }))
    const view = await open('/token?keyword=ci')
    await view.user.type(await screen.findByLabelText('用户名或邮箱'), 'root')
    await view.user.type(screen.getByLabelText('密码'), 'a password{Enter}')

    await waitFor(() => expect(view.address()).toBe('/token?keyword=ci'))
  })
})

describe('the tab', () => {
  it('names the open screen before the site', async () => {
    session.start(aStoredUser({ role: 1 }))
    const view = await open('/token')

    await waitFor(() => expect(document.title).toBe('令牌 · Tollgate'))
    await act(() => view.router.navigate({ to: '/' }))
    await waitFor(() => expect(document.title).toBe('Tollgate'))
  })
})

describe('the balance', () => {
  it.each([
    ['enough', 5_000_000, '', '余额: $10.00'],
    ['less than a dollar', 499_999, '', '余额不足，请及时充值: $1.00'],
    ['less than the user’s own threshold', 5_000_000, '{"quota_warning_threshold":6000000}', '余额不足，请及时充值: $10.00'],
  ])('is shown on every screen of the console: %s', async (_case, quota, setting, name) => {
    session.start(aStoredUser({ role: 1 }))
    plane.answer(self.get, aUser({ quota, setting }))
    await open('/token')

    expect(await screen.findByRole('link', { name })).toBeTruthy()
  })
})

describe('the top bar', () => {
  it.each([
    ['self-use mode', { self_use_mode_enabled: true }, '自用模式'],
    ['the demo site', { demo_site_enabled: true }, '演示站点'],
  ])('marks %s', async (_why, change, badge) => {
    plane.answer(status.get, aStatus(change))
    await open('/login')

    expect(await within(screen.getByRole('banner')).findByText(badge)).toBeTruthy()
    const other = badge === '自用模式' ? '演示站点' : '自用模式'
    expect(screen.queryByText(other)).toBeNull()
  })

  it.each([
    ['the dashboard', true, '/detail'],
    ['the tokens without a dashboard', false, '/token'],
  ])('leads to the main pages, and from the console to %s', async (_where, enable_data_export, consolePath) => {
    plane.answer(status.get, aStatus({ enable_data_export }))
    await open('/login')

    const bar = await screen.findByRole('navigation', { name: '主导航' })
    await waitFor(() => expect(within(bar).getByRole('link', { name: '控制台' }).getAttribute('href')).toBe(consolePath))
    const links = within(bar).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual(['首页', '控制台', '模型价格', '关于'])
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/', consolePath, '/pricing', '/about'])
    const others = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(others).toEqual(expect.arrayContaining(['/login', '/register', '/reset']))
  })

  it('shows the docs link only when one is configured, and opens it outside', async () => {
    plane.answer(status.get, aStatus({ docs_link: 'https://docs.example.com' }))
    await open('/login')

    const link = await screen.findByRole('link', { name: '文档' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['https://docs.example.com', '_blank'])
    const bar = within(screen.getByRole('navigation', { name: '主导航' }))
    expect(bar.getAllByRole('link').map((one) => one.textContent)).toEqual(['首页', '控制台', '模型价格', '文档', '关于'])
  })

  it('has no docs link without one', async () => {
    await open('/login')

    await screen.findByLabelText('用户名或邮箱')
    expect(screen.queryByRole('link', { name: '文档' })).toBeNull()
  })

  it('switches the theme and remembers it', async () => {
    storage.set('theme-mode', 'light')
    const view = await open('/login')

    await view.user.click(await screen.findByRole('button', { name: '切换到深色' }))

    expect(localStorage.getItem('theme-mode')).toBe('dark')
    expect(document.documentElement.classList.contains('dark')).toBe(true)

    await view.user.click(await screen.findByRole('button', { name: '切换到浅色' }))

    expect(localStorage.getItem('theme-mode')).toBe('light')
    expect(document.documentElement.classList.contains('dark')).toBe(false)
  })

  it.each([
    [undefined, 'zh'],
    ['fr', 'zh'],
    ['en-US', 'en'],
  ])('takes Chinese for a language that is not known: %s', (stored, language) => {
    if (stored !== undefined) storage.set('i18nextLng', stored)
    expect(rememberedLanguage()).toBe(language)
  })

  it('switches the language, remembers it and tells the document', async () => {
    const view = await open('/login')

    await view.user.click(await screen.findByRole('button', { name: '语言' }))
    await view.user.click(await screen.findByRole('menuitemradio', { name: 'English' }))

    expect(await screen.findByLabelText('Username or email')).toBeTruthy()
    expect(localStorage.getItem('i18nextLng')).toBe('en')
    expect(document.documentElement.lang).toBe('en')
  })
})

const CHAT = ['聊天', ['操练场']]
const CONSOLE = ['控制台', ['数据看板', 'API 令牌', '接入工具', '使用日志', '绘图日志', '任务日志']]
const ADMIN = ['管理员', ['渠道管理', '兑换码', '用户管理', '充值订单', '供应商账单', '系统健康', '审计日志', '消息投递', '系统设置']]
const PERSONAL = ['个人中心', ['钱包', '个人设置']]

const sidebar = () => screen.findByRole('navigation', { name: '侧边导航' })

/** The groups of the sidebar: the title of each, which is its name as well, and its entries. */
const groupsOf = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('region')
    .map((group) => {
      const title = within(group).getByText(group.getAttribute('aria-label') ?? 'no name').textContent
      return [
        title,
        within(group)
          .getAllByRole('link')
          .map((link) => link.textContent),
      ]
    })

describe('the sidebar', () => {
  it.each([
    ['an administrator', 10, [CHAT, CONSOLE, ADMIN, PERSONAL]],
    ['a root user', 100, [CHAT, CONSOLE, ADMIN, PERSONAL]],
    ['a user', 1, [CHAT, CONSOLE, PERSONAL]],
  ])('shows %s the entries of the role', async (_who, role, groups) => {
    session.start(aStoredUser({ role }))
    await open('/token')

    const menu = await sidebar()
    expect(groupsOf(menu)).toEqual(groups)
    expect(within(menu).getAllByRole('link')).toHaveLength(groups.flatMap(([, entries]) => entries).length)
  })

  it('has no dashboard where the site has it off', async () => {
    plane.answer(status.get, aStatus({ enable_data_export: false }))
    session.start(aStoredUser({ role: 100 }))
    await open('/token')

    const menu = within(await sidebar())
    await waitFor(() => expect(menu.queryByRole('link', { name: '数据看板' })).toBeNull())
    expect(menu.getByRole('link', { name: 'API 令牌' })).toBeTruthy()
  })

  it('lists the chats of the site', async () => {
    plane.answer(status.get, aStatus({ chats: [{ Lobe: 'https://chat.example' }, { OpenCat: 'opencat://x' }] }))
    session.start(aStoredUser({ role: 1 }))
    await open('/token')

    expect((await screen.findByRole('link', { name: 'OpenCat' })).getAttribute('href')).toBe('/chat/1')
    expect(groupsOf(await sidebar())[0]).toEqual(['聊天', ['操练场']])
    // Below the console's own screens.
    expect(groupsOf(await sidebar()).at(-1)).toEqual(['第三方聊天', ['Lobe', 'OpenCat']])
  })

  it('lists the stored chats until the status is here', async () => {
    storage.set('chats', [{ Stored: 'https://chat.example' }])
    plane.fail(status.get, 500)
    session.start(aStoredUser({ role: 1 }))
    await open('/token')

    expect(groupsOf(await sidebar()).at(-1)).toEqual(['第三方聊天', ['Stored']])
  })

  it('folds, and remembers it against the site’s default', async () => {
    session.start(aStoredUser({ role: 1 }))
    const view = await open('/token')

    await view.user.click(await screen.findByRole('button', { name: '收起侧边栏' }))
    await view.queryClient.refetchQueries({ queryKey: ['status'] })

    expect(localStorage.getItem('default_collapse_sidebar')).toBe('true')
    expect(screen.getByRole('button', { name: '展开侧边栏' })).toBeTruthy()
  })

  it('follows the site’s default until the user chooses one', async () => {
    session.start(aStoredUser({ role: 1 }))
    plane.answer(status.get, aStatus({ default_collapse_sidebar: true }))
    await open('/token')

    expect(await screen.findByRole('button', { name: '展开侧边栏' })).toBeTruthy()
  })

  it.each([
    ['home', '/', true],
    ['setup', '/setup', false],
  ])('is not there on the %s page', async (_name, path, setup) => {
    session.start(aStoredUser({ role: 1 }))
    plane.answer(status.get, aStatus({ setup }))
    const view = await open(path)

    await screen.findByRole('heading', { level: 1 })
    expect(view.address()).toBe(path)
    expect(screen.queryByRole('navigation', { name: '侧边导航' })).toBeNull()
  })
})

describe('the footer', () => {
  it('shows a line of credits without a custom one', async () => {
    await open('/login')

    expect(await screen.findByText('Tollgate · AI 模型接口网关')).toBeTruthy()
  })

  it('shows the custom one instead', async () => {
    plane.answer(status.get, aStatus({ footer_html: '备案号 1' }))
    await open('/login')

    expect(await screen.findByText('备案号 1')).toBeTruthy()
    expect(screen.queryByText('Tollgate · AI 模型接口网关')).toBeNull()
  })

  it('is found when it is stored within the first second', async () => {
    plane.fail(status.get, 500)
    await open('/login')
    await screen.findByLabelText('用户名或邮箱')

    localStorage.setItem('footer_html', '晚到的页脚')

    expect(await screen.findByText('晚到的页脚')).toBeTruthy()
  })

  it('is looked for five times, every 200 ms', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    plane.fail(status.get, 500)
    await open('/login')
    const pass = (ms: number): void =>
      act(() => {
        vi.advanceTimersByTime(ms)
      })

    pass(1000)
    localStorage.setItem('footer_html', '晚到的页脚')
    pass(60_000)

    expect(screen.queryByText('晚到的页脚')).toBeNull()
    vi.useRealTimers()
  })
})

const STORED = [
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'mj_notify_enabled',
  'docs_link',
  'default_collapse_sidebar',
  'chat_link',
]

describe('the site status', () => {
  it('is stored field by field', async () => {
    const sent = aStatus({
      system_name: '某某网关',
      logo: '/brand.png',
      footer_html: '<b>foot</b>',
      quota_per_unit: 1000,
      display_in_currency: false,
      enable_task: false,
      enable_data_export: true,
      data_export_default_time: 'week',
      mj_notify_enabled: true,
      docs_link: 'https://docs.example',
      default_collapse_sidebar: true,
      chats: [{ A: 'https://a.example/{key}' }],
    })
    plane.answer(status.get, sent)
    localStorage.setItem('chat_link', 'https://old.example')
    await open('/login')

    await waitFor(() => expect(localStorage.getItem('system_name')).toBe('某某网关'))
    expect(Object.fromEntries(STORED.map((name) => [name, localStorage.getItem(name)]))).toEqual({
      logo: '/brand.png',
      footer_html: '<b>foot</b>',
      quota_per_unit: '1000',
      display_in_currency: 'false',
      enable_drawing: 'true',
      enable_task: 'false',
      enable_data_export: 'true',
      data_export_default_time: 'week',
      mj_notify_enabled: 'true',
      docs_link: 'https://docs.example',
      default_collapse_sidebar: 'true',
      chat_link: null,
    })
    expect(storage.get('chats')).toEqual(sent.chats)
    expect(storage.get('status')).toEqual(sent)
    expect(document.title).toBe('某某网关')
  })

  it('has a chat link where another server sends one', async () => {
    const sent = { ...aStatus(), chat_link: 'https://chat.example' }
    plane.answer(status.get, sent)
    await open('/login')

    await waitFor(() => expect(localStorage.getItem('chat_link')).toBe('https://chat.example'))
  })

  it.each([
    ['nothing answers', () => plane.silence(status.get), '无法连接至服务器'],
    ['the answer is a refusal', () => plane.fail(status.get, 500), '加载状态失败'],
  ])('is said to be missing when %s', async (_why, arrange, text) => {
    arrange()
    await open('/login')

    expect(await screen.findByText(text)).toBeTruthy()
  })
})

describe('name and logo', () => {
  const brand = async () => await screen.findByRole('link', { name: /网关|Tollgate/, current: false })
  const logo = () => document.querySelector('header img')?.getAttribute('src')

  it('are our own when the site has none', async () => {
    plane.answer(status.get, aStatus({ system_name: '', logo: '' }))
    await open('/about')

    expect((await brand()).textContent).toBe('Tollgate')
    expect(logo()).toBe('/logo.png')
  })

  it('are the stored ones until the status is here', async () => {
    storage.set('system_name', '某某网关')
    storage.set('logo', '/brand.png')
    plane.fail(status.get, 500)
    await open('/about')

    expect((await brand()).textContent).toBe('某某网关')
    expect(logo()).toBe('/brand.png')
  })
})

describe('keyboard', () => {
  it('opens the palette with Ctrl K, finds a channel on the server and goes to a page with Enter', async () => {
    session.start(aStoredUser())
    const view = await open('/')

    await view.user.keyboard('{Control>}k{/Control}')
    await view.user.type(await screen.findByRole('combobox'), '日志')
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual(['使用日志', '绘图日志', '任务日志', '审计日志']),
    )
    await waitFor(() => expect(plane.to(channels.search).at(-1)?.query).toMatchObject({ keyword: '日志' }))
    await view.user.keyboard('{Enter}')

    await waitFor(() => expect(view.router.state.location.pathname).toBe('/log'))
    expect(screen.queryByRole('combobox', { name: /搜索页面/ })).toBeNull()
  })

  it('closes the palette with Escape', async () => {
    session.start(aStoredUser())
    const view = await open('/')
    await view.user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('combobox')

    await view.user.keyboard('{Escape}')

    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  })

  it('goes to the page’s search with a slash', async () => {
    session.start(aStoredUser({ role: 1 }))
    const view = await open('/token')
    await screen.findByRole('heading', { level: 1 })

    await view.user.keyboard('/')

    expect(document.activeElement?.matches('input[type=search], [data-search]')).toBe(true)
  })
})

describe('New Year’s Day', () => {
  it('has a small surprise', async () => {
    vi.setSystemTime(new Date(2027, 0, 1, 12))
    const view = await open('/login')

    await view.user.click(await screen.findByRole('button', { name: '新年快乐！' }))

    expect(await screen.findByText('🎉 2027 新年快乐！')).toBeTruthy()
    vi.useRealTimers()
  })

  it('is the only day that has it', async () => {
    vi.setSystemTime(new Date(2027, 0, 2, 12))
    await open('/login')

    await screen.findByLabelText('用户名或邮箱')
    expect(screen.queryByRole('button', { name: '新年快乐！' })).toBeNull()
    vi.useRealTimers()
  })
})
