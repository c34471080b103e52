/** Messages of successful calls, where there is one. */
export const messages = {
  'setup.created': { zh: '系统初始化成功', en: 'The system is set up' },
  'options.ratio-reset': { zh: '重置模型倍率成功', en: 'The model ratios are back at their defaults' },
  'self.setting-saved': { zh: '设置已更新', en: 'Settings saved' },
  'tokens.open-work': {
    zh: '该令牌有 {count} 个未结束的任务、批处理或后台响应',
    en: 'The token had {count} open tasks, batches or background responses',
  },
  'logs.last-days': {
    zh: '未指定时间，仅查询了最近 31 天',
    en: 'Only the last 31 days were searched: no time was given',
  },
  /** Followed by the months. */
  'logs.archived': { zh: '以下月份已归档，不在列表中：', en: 'Archived, and not in this list: ' },
  'self.confirm-address': {
    zh: '设置已保存。验证码已发送到 {address}，输入验证码后才会向该地址发送通知',
    en: 'Saved. A code was mailed to {address}; notifications go there once you have entered it',
  },
  'self.transferred': { zh: '划转成功', en: 'Transferred' },
  'channels.unpublished': {
    zh: '已保存，但暂时无法下发到网关，恢复后会自动生效',
    en: 'Saved, but the relays could not be told yet; they get the change as soon as Redis answers',
  },
  'channels.base-url-cut': {
    zh: '已保存，接口地址末尾的 {cut} 由网关自动添加，已去掉',
    en: 'Saved without {cut} at the end of the base URL, which the gateway adds itself',
  },
  'oauth.bound': { zh: 'bind', en: 'bind' },
  'password.mail-sent': { zh: '如果该邮箱地址已注册，重置邮件已发送', en: 'If the address is registered, a mail is on its way' },
} as const satisfies Readonly<Record<string, { readonly zh: string; readonly en: string }>>
