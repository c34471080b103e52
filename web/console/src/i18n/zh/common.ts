export const texts = {
  close: '关闭',
  'go-home': '返回首页',
  loading: '加载中…',
  retry: '重试',
  'submit-twice': '提交失败，请勿重复提交！',
} as const
