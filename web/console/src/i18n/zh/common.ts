export const texts = {
  actions: '操作',
  close: '关闭',
  copy: '复制',
  'go-home': '返回首页',
  retry: '重试',
  'submit-twice': '提交失败，请勿重复提交！',
} as const
