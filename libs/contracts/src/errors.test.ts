import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError, textOf } from './app-error.ts'
import { errors, type ErrorCode } from './errors.ts'
import type { ErrorRow } from './errors/row.ts'

const rows: [string, ErrorRow][] = Object.entries(errors)
const holesOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').toSorted()

describe('error table', () => {
  it('lists the same codes as its generated page', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/generated/errors.md'), 'utf8')
    const documented = [...page.matchAll(/^\| `([a-z][a-z.-]*)` \|/gm)].map(([, code]) => code)
    expect(documented).toEqual(rows.map(([code]) => code))
  })

  it.each(rows)('%s has both texts with the same placeholders and a valid status', (_code, row) => {
    expect(row.zh.trim()).not.toBe('')
    expect(row.en.trim()).not.toBe('')
    expect(holesOf(row.en)).toEqual(holesOf(row.zh))
    expect(row.status).toBeGreaterThanOrEqual(400)
    expect([200, 400, 401, 403, 415, 421, 429, 500, 501, 502, 503, 504, undefined]).toContain(row.console)
  })

  it('contains every server text of the specification unchanged, except the listed ones that are not built', () => {
    const [, section = ''] = readFileSync(join(import.meta.dirname, '../../../docs/requirements.md'), 'utf8').split('\n## Not built\n')
    // The texts stand before the reason, which may quote others.
    const entries = [...section.matchAll(/^- (.+?): /gm)].map(([, texts = '']) => texts)
    const notBuilt = new Set(entries.flatMap((texts) => [...texts.matchAll(/`([^`]+)`/g)].map(([, text]) => text)))
    const known = new Set(rows.map(([, row]) => row.zh))
    expect(FACTS.filter((text) => !known.has(text) && !notBuilt.has(text))).toEqual([])
    expect(FACTS.filter((text) => known.has(text) && notBuilt.has(text))).toEqual([])
    expect(entries.length).toBeLessThanOrEqual(10)
  })

  it('says in words which failure kept a price catalogue from being read', () => {
    const texts = (reason: string) =>
      (['en', 'zh'] as const).map((language) => textOf('option.catalogue-unreachable', language, { reason }))
    expect(texts('dns')).toEqual([
      'The catalogue could not be read from the address: its host name was not found; check its spelling',
      '无法读取该地址的价格目录：域名无法解析，请检查拼写',
    ])
    expect(texts('HTTP 404')[0]).toBe('The catalogue could not be read from the address: HTTP 404')
    expect(texts('constructor')[0]).toBe('The catalogue could not be read from the address: constructor')
  })

  it('fills placeholders and keeps unknown ones', () => {
    expect(new AppError('channels.model-long', { model: 'm' }).text('zh')).toBe('模型名称过长: m')
    expect(textOf('channels.model-long' satisfies ErrorCode, 'en')).toBe('The model name is too long: {model}')
  })
})

const FACTS = `无权进行此操作，未登录且未提供 access token
无权进行此操作，access token 无效
无权进行此操作，未提供 New-Api-User
无权进行此操作，New-Api-User 格式错误
无权进行此操作，New-Api-User 与登录用户不匹配
用户已被封禁
无权进行此操作，权限不足
无权进行此操作，用户信息无效
Turnstile token 为空
Turnstile 校验失败，请刷新重试！
无法保存会话信息，请重试
系统已经初始化完成
两次输入的密码不一致
密码长度至少为8个字符
数据库连接失败
管理员关闭了密码登录
用户名或密码为空
用户名或密码错误，或用户已被封禁
无效的参数
管理员关闭了新用户注册
管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册
管理员开启了邮箱验证，请输入邮箱地址和验证码
验证码错误或已过期
用户名已存在，或已注销
数据库错误，请稍后重试
用户注册失败或用户ID获取失败
生成默认令牌失败
创建默认令牌失败
无效的邮箱地址
邮箱地址已被占用
管理员已启用邮箱地址别名限制，您的邮箱地址由于包含特殊符号而被拒绝。
该邮箱地址未注册
重置链接非法或已过期
邮箱地址或密码为空！
SMTP 服务器未配置
invalid SMTP account
state is empty or not same
管理员未开启通过 GitHub 登录以及注册
管理员未开启通过 OIDC 登录以及注册
管理员未开启通过 Linux DO 登录以及注册
管理员未开启通过 Telegram 登录以及注册
管理员未开启通过微信登录以及注册
用户已注销
该 GitHub 账户已被绑定
该 OIDC 账户已被绑定
该 Linux DO 账户已被绑定
该 Telegram 账户已被绑定
该微信账号已被绑定
该 Telegram 账户未绑定
无效的请求
无法连接至 GitHub 服务器，请稍后重试！
返回值非法，用户字段为空，请稍后重试！
无法连接至 OIDC 服务器，请稍后重试！
OIDC 获取 Token 失败，请检查设置！
OIDC 获取用户信息失败！请检查设置！
OIDC 获取用户信息为空！请检查设置！
record not found
无权获取同级或更高等级用户的信息
无权更新同权限等级或更高权限等级的用户信息
无权将其他用户权限等级提升到大于等于自己的权限等级
无权删除同权限等级或更高权限等级的用户
无法创建权限大于等于自己的用户
用户不存在
无法禁用超级管理员用户
无法删除超级管理员用户
普通管理员用户无法提升其他用户为管理员
该用户已经是管理员
无法降级超级管理员用户
该用户已经是普通用户
不能删除超级管理员账户
生成失败
请重试，系统生成的 UUID 竟然重复了！
划转失败 邀请额度不足！
无效的预警类型
预警阈值必须大于0
Webhook地址不能为空
无效的Webhook地址
未提供兑换码
无效的 user id
兑换失败，无效的兑换码
兑换失败，该兑换码已被使用
参数错误
获取用户分组失败
充值金额过低
当前管理员未配置支付信息
拉起支付失败
创建订单失败
令牌名称过长
生成令牌失败
令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期
令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度
未提供令牌
无效的令牌
该令牌已过期
该令牌状态不可用
普通用户不支持指定渠道
兑换码名称长度必须在1-20之间
兑换码个数必须大于0
一次兑换码批量生成的个数不能大于 100
部署地区不能为空
部署地区必须包含default字段
tag不能为空
Invalid request
Failed to fetch models
尚未实现
currency CNY not found
测试已在运行中
余额不足
无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！
无法启用 OIDC 登录，请先填入 OIDC Client Id 以及 OIDC Client Secret！
无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！
无法启用邮箱域名限制，请先填入限制的邮箱域名！
无法启用微信登录，请先填入微信登录相关配置信息！
无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！
无法启用 Telegram OAuth，请先填入 Telegram Bot Token！
target timestamp is required
时间跨度不能超过 1 个月
quota 不能为负数！
暂不支持使用 access token
请选择模型
无权访问该分组`.split('\n')
