export const texts = {
  title: '我的钱包',
  account: '账户 {{name}}',
  balance: '当前余额',
  spent: '历史消耗',
  requests: '请求次数',
} as const
