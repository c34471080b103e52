import { screen, waitFor, within } from '@testing-library/react'
import { audit } from '@tollgate/contracts/resources/audit'
import { organisationAccess, type OrganisationAccess } from '@tollgate/contracts/resources/organisation-access'
import { budgets } from '@tollgate/contracts/resources/budgets'
import { oauth } from '@tollgate/contracts/resources/oauth'
import { organisation, organisations, type Member, type Organisation } from '@tollgate/contracts/resources/organisations'
import { self } from '@tollgate/contracts/resources/self'
import { tokens } from '@tollgate/contracts/resources/tokens'
import type { MemberRole } from '@tollgate/contracts/rights'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '../../lib/session.ts'
import { aStoredUser } from '../../testing/factories.ts'
import { planeForTests } from '../../testing/plane.ts'
import { open } from '../../testing/render.tsx'
import { aToken } from '../../testing/token-factories.ts'

const plane = planeForTests()
const ACME = 70
const anOrganisation = (role: MemberRole): Organisation => ({
  id: ACME,
  name: 'Acme',
  role,
  created_at: 1_700_000_000,
  members: 2,
  projects: 1,
  quota: 500_000,
  used_quota: 0,
  group: 'default',
})
const aMember = (change: Partial<Member>): Member => ({
  user_id: 5,
  username: 'lin',
  display_name: '',
  email: '',
  role: 'owner',
  joined_at: 1_700_000_000,
  source: null,
  is_self: true,
  ...change,
})
const anAccess = (change: Partial<OrganisationAccess>): OrganisationAccess => ({
  scim_url: 'https://gate.example/scim/v2',
  domains: [],
  provisioned_role: 'viewer',
  maps_claims: false,
  claims: [],
  sign_in_provider: '',
  providers: [],
  signed_in_by: 'password',
  ...change,
})
const person = aStoredUser({ id: 5, username: 'lin', display_name: '', role: 1 })
const actAs = (role: MemberRole): void => {
  session.start({ ...person, id: ACME, username: 'Acme', display_name: 'Acme', member: { role, user: person } })
  plane.answer(organisation.get, anOrganisation(role))
}

beforeEach(() => {
  session.start(person)
  plane.answer(self.groups, { default: { ratio: 1, desc: '默认分组' } })
  plane.answer(organisations.listOwn, { items: [], invitations: [], may_found: false })
  plane.answer(organisation.members, [aMember({}), aMember({ user_id: 6, username: 'mei', role: 'developer', is_self: false })])
  plane.answer(organisation.projects, [{ id: 3, name: '网站', created_at: 1, tokens: 2, used_quota: 0 }])
  plane.answer(organisation.invitations, [])
  plane.answer(organisation.spending, [{ id: 3, name: '网站', quota: 1000, requests: 2, tokens: 30 }])
  plane.answer(budgets.list, [])
  plane.answer(organisationAccess.get, anAccess({}))
  plane.answer(organisationAccess.tokens, [])
  plane.answer(organisationAccess.groups, [])
  plane.answer(organisationAccess.people, [])
})

describe('the domains of organisations', () => {
  it('say when they cannot be read, and are read again on request', async () => {
    session.start(aStoredUser({ role: 100 }))
    const row = { id: ACME, name: 'Acme', username: 'acme', owners: ['ann'], members: 2, quota: 0, used_quota: 0, group: 'default' }
    plane.answer(organisations.listAll, {
      items: [{ ...row, status: 1, created_at: 1 }],
      total: 1,
      page: 1,
      page_size: 100,
    })
    plane.fail(organisationAccess.trust, 503)
    const view = await open('/organisations')

    await view.user.click(await screen.findByRole('button', { name: '编辑「Acme」的域名' }))
    const retry = await screen.findByRole('button', { name: '重试' })
    plane.answer(organisationAccess.trust, { domains: ['acme.example'], maps_claims: false, claims: [] })
    await view.user.click(retry)

    expect(await screen.findByText('acme.example')).toBeTruthy()
  })
})

describe('the organisations of a person', () => {
  it('say how to get into one where none can be founded, and accept an invitation', async () => {
    const invitation = { id: 9, organisation: 'Acme', role: 'developer', invited_by: 'ann', expires_at: 1_900_000_000 } as const
    plane.answer(organisations.listOwn, { items: [], invitations: [invitation], may_found: false })
    plane.answer(organisations.join, { id: ACME, name: 'Acme', role: 'developer', group: 'default' })
    const view = await open('/organisations')
    expect(await screen.findByText('你还不是任何组织的成员。')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '创建组织' })).toBeNull()

    await view.user.click(screen.getByRole('button', { name: '接受' }))

    expect(await screen.findByText('你已加入「Acme」')).toBeTruthy()
    expect(plane.to(organisations.join)[0]?.body).toEqual({ id: 9 })
  })

  it('ask before an invitation by link is accepted, with the account that joins', async () => {
    plane.answer(organisations.peek, { id: 9, organisation: 'Acme', role: 'viewer', invited_by: 'ann', expires_at: 1_900_000_000 })
    plane.answer(organisations.join, { id: ACME, name: 'Acme', role: 'viewer', group: 'default' })
    const view = await open('/organisations?code=abc')
    expect(await screen.findByText('邀请人 ann，角色：查看者。你将以账户「lin」加入。')).toBeTruthy()
    expect(plane.to(organisations.join)).toEqual([])

    await view.user.click(screen.getByRole('button', { name: '加入' }))

    await waitFor(() => expect(plane.to(organisations.join)[0]?.body).toEqual({ code: 'abc' }))
  })

  it('are chosen in the account menu; then calls are made for the organisation', async () => {
    const left = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    plane.answer(organisations.listOwn, {
      items: [{ id: ACME, name: 'Acme', role: 'admin', group: 'vip' }],
      invitations: [],
      may_found: false,
    })
    const view = await open('/organisations')
    await view.user.click(await screen.findByRole('button', { name: '账户菜单' }))
    await view.user.click(await screen.findByRole('menuitem', { name: 'Acme' }))

    await waitFor(() => expect(left).toHaveBeenCalledWith('/organisation'))
    expect(session.user()).toMatchObject({ id: ACME, role: 1, group: 'vip', member: { role: 'admin', user: { id: 5 } } })
    left.mockRestore()
  })
})

describe('the chosen organisation', () => {
  it('is read by its id, and what is the person’s own by the person’s', async () => {
    actAs('owner')
    const view = await open('/organisation')
    expect(await screen.findByRole('heading', { name: 'Acme', level: 1 })).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '账户菜单: Acme' }))
    await screen.findByRole('menuitem', { name: '组织' })

    expect(plane.to(organisation.get)[0]?.headers.get('New-API-User')).toBe(String(ACME))
    expect(plane.to(organisations.listOwn)[0]?.headers.get('New-API-User')).toBe('5')
  })

  it('offers a member what the role may do', async () => {
    actAs('viewer')
    await open('/organisation')
    const members = await screen.findByRole('region', { name: '成员' })
    await within(members).findByText('mei')

    expect(within(members).queryByRole('combobox')).toBeNull()
    expect(screen.queryByRole('button', { name: '邀请' })).toBeNull()
    expect(screen.queryByRole('button', { name: '新建项目' })).toBeNull()
    expect(screen.queryByRole('button', { name: '删除组织' })).toBeNull()
    const menu = screen.getAllByRole('link').map(({ textContent }) => textContent)
    expect(menu).toContain('组织概览')
    expect(menu).not.toContain('钱包')
    expect(menu).not.toContain('操练场')
  })

  it('follows a role that another member gave', async () => {
    actAs('developer')
    plane.answer(organisations.listOwn, {
      items: [{ id: ACME, name: 'Acme', role: 'owner', group: 'default', needs_provider: '' }],
      invitations: [],
      may_found: false,
    })
    await open('/organisation')

    expect(await screen.findByRole('button', { name: '将所有权转让给 mei' })).toBeTruthy()
    expect(session.user()?.member?.role).toBe('owner')
  })

  it('gives a role at once, and says what becomes of the tokens of a member who is removed', async () => {
    actAs('owner')
    plane.answer(organisation.setRole, undefined)
    plane.answer(organisation.removeMember, undefined)
    const view = await open('/organisation')
    await view.user.selectOptions(await screen.findByRole('combobox', { name: 'mei 的角色' }), '财务')
    await waitFor(() =>
      expect(plane.to(organisation.setRole)[0]).toMatchObject({ path: '/api/organisation/members/6', body: { role: 'billing' } }),
    )

    await view.user.click(screen.getByRole('button', { name: '移除 mei' }))
    const dialog = await screen.findByRole('dialog', { name: '将 mei 移出组织？' })
    expect(within(dialog).getByText(/mei 创建的令牌会被禁用/)).toBeTruthy()
    await view.user.click(within(dialog).getByRole('checkbox', { name: '保留令牌启用状态' }))
    await view.user.click(within(dialog).getByRole('button', { name: '移除 mei' }))

    await waitFor(() =>
      expect(plane.to(organisation.removeMember)[0]).toMatchObject({ path: '/api/organisation/members/6', query: { tokens: 'keep' } }),
    )
  })

  it('shows the link of an invitation once', async () => {
    actAs('admin')
    plane.answer(organisation.invite, { id: 1, code: 'secret-code' })
    const view = await open('/organisation')
    await view.user.click(await screen.findByRole('button', { name: '邀请' }))
    await view.user.type(await screen.findByLabelText('邮箱地址'), 'new@example.org')
    await view.user.click(screen.getByRole('button', { name: '创建' }))

    expect(await screen.findByText(/\/organisations\?code=secret-code$/)).toBeTruthy()
    expect(plane.to(organisation.invite)[0]?.body).toEqual({ email: 'new@example.org', role: 'developer' })
  })

  it('lets an owner make a SCIM token, which is shown once, and give a group a role', async () => {
    actAs('owner')
    plane.answer(organisationAccess.createToken, { id: 1, token: 'scim-secret' })
    plane.answer(organisationAccess.setGroupRole, undefined)
    plane.answer(organisationAccess.groups, [{ id: 'g-1', name: 'Devs', role: null, members: 2 }])
    plane.answer(organisationAccess.people, [
      { id: 'p-1', user_name: 'pia@acme.example', email: 'pia@acme.example', state: 'waiting', username: '' },
      { id: 'p-2', user_name: 'lin', email: '', state: 'member', username: 'lin' },
    ])
    const view = await open('/organisation')
    expect(await screen.findByText('https://gate.example/scim/v2')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '新建 SCIM 令牌' }))
    await view.user.type(await screen.findByRole('textbox', { name: /^名称/ }), 'Okta')
    await view.user.click(screen.getByRole('button', { name: '创建' }))
    expect(await screen.findByText('scim-secret')).toBeTruthy()
    expect(plane.to(organisationAccess.createToken)[0]?.body).toEqual({ name: 'Okta', days: 0 })
    await view.user.click(screen.getByRole('button', { name: '关闭' }))

    await view.user.selectOptions(screen.getByRole('combobox', { name: '组「Devs」的角色' }), '开发者')
    await waitFor(() => expect(plane.to(organisationAccess.setGroupRole)[0]?.body).toEqual({ id: 'g-1', role: 'developer' }))
    const waiting = screen.getByRole('region', { name: '同步的人员' })
    expect(within(waiting).getByText('等待接受邀请')).toBeTruthy()
    expect(within(waiting).queryByText('lin')).toBeNull()
  })

  it('shows an administrator how members are provisioned, without changing it', async () => {
    actAs('admin')
    plane.answer(organisationAccess.tokens, [
      { id: 1, name: 'Okta', created_by: 'lin', created_at: 1_700_000_000, expires_at: 1, used_at: 0 },
    ])
    await open('/organisation')

    expect(await screen.findByText('已过期')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /SCIM 令牌|密钥|移除令牌/ })).toBeNull()
  })

  it('says how to sign in where another sign-in is required, and leaves an owner the rule', async () => {
    plane.answer(organisations.listOwn, {
      items: [{ id: ACME, name: 'Acme', role: 'owner', group: 'default', needs_provider: 'oidc' }],
      invitations: [],
      may_found: false,
    })
    plane.answer(organisationAccess.get, anAccess({ sign_in_provider: 'oidc', providers: ['oidc'] }))
    plane.answer(organisationAccess.setProvider, undefined)
    plane.answer(oauth.start, { url: 'https://provider.example/' })
    const left = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    actAs('owner')
    const view = await open('/token')
    expect(await screen.findByText('该组织要求通过 OIDC 登录')).toBeTruthy()
    await view.user.click(screen.getByRole('button', { name: '通过 OIDC 登录' }))
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://provider.example/'))
    expect(plane.to(oauth.start)[0]?.body).toMatchObject({ provider: 'oidc', purpose: 'sign-in' })

    expect(view.address()).toBe('/organisation')
    await view.user.selectOptions(await screen.findByRole('combobox', { name: '必须使用的登录方式' }), '任意方式')
    await waitFor(() => expect(plane.to(organisationAccess.setProvider)[0]?.body).toEqual({ provider: '' }))
    expect(screen.queryByRole('region', { name: '成员' })).toBeNull()
    left.mockRestore()
  })

  it('gives roles by groups at sign-in, where root lets it', async () => {
    actAs('owner')
    const ops = { claim: 'groups', value: 'ops', role: 'admin' } as const
    plane.answer(organisationAccess.get, anAccess({ maps_claims: true, claims: [ops] }))
    plane.answer(organisationAccess.setClaims, undefined)
    const view = await open('/organisation')
    await view.user.click(await screen.findByRole('button', { name: '添加映射' }))
    await view.user.type(await screen.findByRole('textbox', { name: /^值/ }), 'devs')
    await view.user.click(screen.getByRole('button', { name: '创建' }))
    await waitFor(() =>
      expect(plane.to(organisationAccess.setClaims)[0]?.body).toEqual({
        claims: [ops, { claim: 'groups', value: 'devs', role: 'developer' }],
      }),
    )
    await view.user.click(await screen.findByRole('button', { name: '移除「ops」的映射' }))
    await waitFor(() => expect(plane.to(organisationAccess.setClaims)[1]?.body).toEqual({ claims: [] }))
  })

  it('shows what its members changed to those who may read it', async () => {
    actAs('billing')
    const entry = { id: 1, created_at: 1_700_000_000, actor_id: 6, actor_name: 'mei', actor_role: 1, ip: '192.0.2.1', resource_id: '3' }
    const changes = [{ field: 'name', before: '旧名', after: '网站' }]
    plane.answer(audit.listOwn, {
      items: [{ ...entry, action: 'update', resource: 'project', resource_name: '', changes }],
      total: 1,
      page: 1,
      page_size: 10,
    })
    const view = await open('/organisation')
    const panel = await screen.findByRole('region', { name: '审计日志' })
    await view.user.click(within(panel).getByRole('button', { name: '展开' }))

    expect(await within(panel).findByText(/mei · .*项目/)).toBeTruthy()
    expect(plane.to(audit.listOwn)[0]?.headers.get('New-API-User')).toBe(String(ACME))
  })

  it('marks what files manage, and warns before it is renamed or deleted', async () => {
    actAs('owner')
    plane.answer(organisation.get, { ...anOrganisation('owner'), is_managed: true })
    plane.answer(organisation.projects, [
      { id: 3, name: '网站', created_at: 1, tokens: 0, used_quota: 0, is_managed: true },
      { id: 4, name: '其他', created_at: 1, tokens: 0, used_quota: 0 },
    ])
    const view = await open('/organisation')
    expect((await screen.findByRole('note')).textContent).toMatch(/^由配置文件管理。 分组以文件为准/)
    expect(await screen.findAllByText('文件管理')).toHaveLength(1)

    await view.user.click(screen.getByRole('button', { name: '删除组织' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain('下次 tollgate apply 会重新创建')
    await view.user.click(screen.getByRole('button', { name: '取消' }))
    await view.user.click(await screen.findByRole('button', { name: '编辑项目「网站」' }))
    const drawer = within(await screen.findByRole('dialog'))
    expect(drawer.getByRole('note').textContent).toContain('改名或删除后，会按原名称重新创建')
    await view.user.click(drawer.getByRole('button', { name: '移除项目' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain('下次 tollgate apply 会重新创建')
  })

  it('is asked for by its name before it is deleted', async () => {
    const left = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
    actAs('owner')
    plane.answer(organisation.remove, undefined)
    const view = await open('/organisation')
    await view.user.click(await screen.findByRole('button', { name: '删除组织' }))
    const dialog = await screen.findByRole('alertdialog')
    const confirm = within(dialog).getByRole('button', { name: '删除组织' })
    expect(confirm).toHaveProperty('disabled', true)
    await view.user.type(within(dialog).getByRole('textbox'), 'Acme')
    await view.user.click(confirm)

    await waitFor(() => expect(left).toHaveBeenCalledWith('/organisations'))
    expect(plane.to(organisation.remove)[0]?.body).toEqual({ name: 'Acme' })
    expect(session.user()).toMatchObject({ id: 5 })
    left.mockRestore()
  })
})

describe('tokens of an organisation', () => {
  it('have a project, and those of others can be seen and not changed', async () => {
    actAs('developer')
    plane.answer(tokens.list, [
      aToken({ id: 1, name: 'mine', project_id: 3, created_by: 5, is_own: true }),
      aToken({ id: 2, name: 'theirs', key: 'ab**********yz', project_id: 0, created_by: 6, is_own: false }),
    ])
    plane.answer(tokens.count, { total: 2 })
    await open('/token')
    const rowOf = (name: string): HTMLElement => screen.getByText(name).closest('tr') ?? document.body
    await screen.findByText('theirs')

    expect(await within(rowOf('mine')).findByText('网站')).toBeTruthy()
    expect(within(rowOf('mine')).getByRole('button', { name: /编辑/ })).toBeTruthy()
    expect(within(rowOf('theirs')).queryByRole('button', { name: /编辑|复制/ })).toBeNull()
  })

  it('are taken over from the own account, those that are chosen', async () => {
    actAs('developer')
    const own = { remain_quota: 500, used_quota: 0, unlimited_quota: false }
    plane.answer(organisation.movableTokens, [
      { ...own, id: 11, name: 'laptop' },
      { ...own, id: 12, name: 'server' },
    ])
    plane.answer(organisation.moveTokens, { moved: 1 })
    const view = await open('/organisation')
    await view.user.click(await screen.findByRole('button', { name: '将自己的令牌移到「网站」' }))
    await view.user.click(await screen.findByLabelText('server'))
    await view.user.click(screen.getByRole('button', { name: '保存' }))

    await screen.findByText('已移动 1 个令牌')
    expect(plane.to(organisation.moveTokens)[0]?.body).toEqual({ ids: [12] })
  })
})
