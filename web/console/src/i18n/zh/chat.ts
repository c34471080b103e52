export const texts = {
  title: '聊天',
  'no-token': '当前没有可用的启用令牌，请确认是否有令牌处于启用状态！',
  'faulty-link': '聊天链接配置错误，请联系管理员',
  'no-link': '请联系管理员配置聊天链接',
  'parse-failed': '聊天数据解析失败',
  'opens-application': '这是一个应用的链接，打开后会把网关地址和你的密钥填进应用。',
  'open-application': '打开应用',
} as const
