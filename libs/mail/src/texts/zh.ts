import { budgetPage, type MailTexts } from '../mail-text.ts'

const OWNERS: Readonly<Record<string, string>> = { project: '项目', member: '成员' }

const ROLES: Readonly<Record<string, string>> = {
  owner: '所有者',
  admin: '管理员',
  billing: '财务',
  developer: '开发者',
  viewer: '查看者',
}

export const zh: MailTexts = {
  verification: ({ code }, { name }, minutes) => ({
    subject: `${name}邮箱验证邮件`,
    blocks: [
      { text: `您好，你正在进行 ${name} 邮箱验证。您的验证码为：` },
      { code },
      { text: `验证码 ${minutes} 分钟内有效，如果不是本人操作，请忽略。` },
    ],
  }),
  'address-taken': (_values, { name, address }) => ({
    subject: `${name}邮箱验证邮件`,
    blocks: [
      { text: `有人请求用这个邮箱地址在 ${name} 注册或绑定账户，但它已经属于一个账户，因此没有发送验证码。` },
      { text: '如果是你本人操作，可以直接登录；忘记密码时请重置密码。如果不是，请忽略这封邮件。' },
      { link: `${address}/login`, label: '登录' },
    ],
  }),
  reset: ({ link }, { name }, minutes) => ({
    subject: `${name}密码重置`,
    blocks: [
      { text: `您好，你正在进行 ${name} 密码重置。点击下面的链接设置新密码：` },
      { link, label: '重置密码' },
      { text: `重置链接 ${minutes} 分钟内有效，只能使用一次。如果不是本人操作，请忽略，你的密码不会改变。` },
    ],
  }),
  'notification-code': ({ code }, { name }, minutes) => ({
    subject: `${name}通知邮箱确认`,
    blocks: [
      { text: `${name} 的一个账户希望把通知发送到这个邮箱。如需确认，请在该账户中输入验证码：` },
      { code },
      { text: `验证码 ${minutes} 分钟内有效。如果你没有这样的账户，请忽略这封邮件，之后不会再发送。` },
    ],
  }),
  'password-changed': (_values, { name, address }) => ({
    subject: `${name}：密码已修改`,
    blocks: [
      { text: `你在 ${name} 的账户密码已修改，其他设备上的登录已全部退出。` },
      { text: '如果不是你本人操作，请立即重置密码。' },
      { link: `${address}/reset`, label: '重置密码' },
    ],
  }),
  'email-changed': (_values, { name, address }) => ({
    subject: `${name}：邮箱地址已更改`,
    blocks: [
      { text: `这个邮箱不再属于你在 ${name} 的账户，之后关于该账户的邮件不会再发送到这里。` },
      { text: '如果不是你本人操作，请登录并修改密码，或联系管理员。' },
      { link: `${address}/login`, label: '登录' },
    ],
  }),
  'alerts-moved': (_values, { name, address }) => ({
    subject: `${name}：通知已改为发送到别处`,
    blocks: [
      { text: '你的账户通知此前发送到这里，从现在起改为发送到别处，这是最后一条。' },
      { text: '如果不是你本人操作，请立即修改密码并退出所有设备。' },
      { link: `${address}/personal`, label: '查看设置' },
    ],
  }),
  invitation: ({ organisation, inviter, role }, { name, address }) => ({
    subject: `你受邀加入${name}的组织「${organisation}」`,
    blocks: [
      { text: `${inviter} 邀请你加入${name}的组织「${organisation}」，角色为${ROLES[role] ?? role}。` },
      { text: '请用此邮箱对应的账户登录（或用此邮箱注册），邀请显示在「组织」页面。' },
      { link: `${address}/organisations`, label: '查看邀请' },
      { text: '邀请 7 天内有效。如果你不认识邀请人，请忽略此邮件。' },
    ],
  }),
  'low-balance': ({ balance }, { address }) => ({
    subject: '您的额度即将用尽',
    blocks: [
      { text: `您的额度即将用尽，当前剩余额度为 ${balance}，为了不影响您的使用，请及时充值。` },
      { link: `${address}/topup`, label: '前往充值' },
      { text: '两小时内最多提醒一次，提醒的阈值可以在个人设置中修改。' },
    ],
  }),
  'channel-disabled': ({ id, name, reason, status }, { address }) => ({
    subject: `通道「${name}」（#${id}）已被禁用`,
    blocks: [
      { text: `通道「${name}」（#${id}）已被禁用，原因：${status ? `上游返回「${reason}」` : reason}` },
      { link: `${address}/channel`, label: '查看渠道' },
    ],
  }),
  'channel-enabled': ({ id, name }, { address }) => ({
    subject: `通道「${name}」（#${id}）已被启用`,
    blocks: [{ text: `通道「${name}」（#${id}）已被启用` }, { link: `${address}/channel`, label: '查看渠道' }],
  }),
  'channel-key-expires': ({ id, name, keys, time }, { address }) => ({
    subject: `通道「${name}」（#${id}）的密钥即将到期`,
    blocks: [
      { text: `通道「${name}」（#${id}）的密钥即将到期，最早于 ${time}：…${keys}` },
      { text: '到期的密钥不再用于新请求。' },
      { link: `${address}/channel/edit/${id}`, label: '更换密钥' },
    ],
  }),
  'channel-balance-low': ({ id, name, balance, threshold }, { address }) => ({
    subject: `通道「${name}」（#${id}）余额不足`,
    blocks: [
      { text: `通道「${name}」（#${id}）的上游余额为 ${balance}，低于 ${threshold}。` },
      { link: `${address}/channel/edit/${id}`, label: '查看渠道' },
    ],
  }),
  'new-device': ({ ip, device }, { name, address }) => ({
    subject: `${name}：新设备登录`,
    blocks: [
      { text: '你的账户刚刚在一台新设备上登录。' },
      { text: `IP 地址：${ip}` },
      { text: `设备：${device === '' ? '未知程序' : device}` },
      { text: '如果不是你本人操作，请立即修改密码并退出所有设备。' },
      { link: `${address}/personal`, label: '查看登录设备' },
    ],
  }),
  'spend-alert': ({ token, period, threshold, spent }, { address }) => {
    const time = { day: '今天（UTC）', week: '本周（UTC）', month: '本月（UTC）' }[period] ?? '近期'
    const subject = token === '' ? `你的账户${time}已消耗 ${spent}` : `令牌「${token}」${time}已消耗 ${spent}`
    return {
      subject,
      blocks: [
        { text: `${subject}，达到你设置的提醒阈值 ${threshold}。` },
        { link: `${address}/detail`, label: '查看用量' },
        { text: '每个周期只提醒一次，阈值可以在钱包页面修改。请求不会因此停止。' },
      ],
    }
  },
  'budget-alert': ({ token, scope, window, percent, amount, spent, action }, { address }) => {
    const name = { '5h': '5 小时', day: '每日', week: '每周', month: '每月', total: '总' }[window] ?? ''
    const subject = `${token === '' ? '你的账户' : `${OWNERS[scope] ?? '令牌'}「${token}」`}的${name}预算已消耗 ${percent}%`
    const isFull = Number(percent) >= 100
    const refused = isFull ? '在预算重新计算或提高之前，请求会被拒绝。' : '预算用尽后，请求会被拒绝。'
    return {
      subject,
      blocks: [
        { text: `${subject}：${amount} 中的 ${spent}。` },
        { link: `${address}/${budgetPage(token, scope)}`, label: '查看预算' },
        { text: action === 'refuse' ? refused : '该预算只提醒，请求不会因此停止。' },
      ],
    }
  },
  'payment-disputed': ({ trade_no, state, reason }, { address }) => {
    const decided = { won: '已判定你胜诉', lost: '已判定你败诉' }[state] ?? '等待处理'
    return {
      subject: `订单 ${trade_no} 的支付争议${decided}`,
      blocks: [
        { text: `付款人对订单 ${trade_no} 提出争议，当前状态：${decided}，原因：${reason}` },
        { text: '用户余额没有变化。请在支付平台处理争议，并在需要时调整用户余额。' },
        { link: `${address}/payment?keyword=${trade_no}`, label: '查看订单' },
      ],
    }
  },
  'weekly-report': ({ from, until, spent, requests, balance, models }, { name, address }) => ({
    subject: `${name}：${from} 至 ${until} 的用量`,
    blocks: [
      { text: `${from} 至 ${until}（UTC），你共发送 ${requests} 次请求，消耗 ${spent}，当前余额 ${balance}。` },
      ...models.split('\n').map((text) => ({ text })),
      { link: `${address}/detail`, label: '查看数据看板' },
      { text: '括号中为请求次数。可以在钱包页面关闭每周报告。' },
    ],
  }),
  test: (_values, { name }) => ({
    subject: `${name}测试消息`,
    blocks: [{ text: `这是 ${name} 发送的测试消息。收到它说明通知设置正确。` }],
  }),
  footer: ({ name }) => `此消息由 ${name} 自动发送，请勿回复。`,
}
