export const texts = {
  'too-many-requests': '错误：请求次数过多，请稍后再试！',
  'server-fault': '错误：服务器内部错误，请联系管理员！',
  'demo-only': '本站仅作演示之用，无服务端！',
  other: '错误：{{message}}',
  'status-unreachable': '无法连接至服务器',
  'status-failed': '加载状态失败',
  'page-broke': '这个页面出错了',
  'page-broke-help': '你的数据没有改变。请重试；如果问题仍然存在，请把下面的文字交给管理员。',
  'no-permission': '无权进行此操作，权限不足',
  'no-permission-help': '此页面仅限管理员使用。',
  'not-found': '页面不存在',
  'not-found-help': '你访问的页面不存在，请检查地址是否正确。',
} as const
