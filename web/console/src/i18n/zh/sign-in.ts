export const texts = {
  title: '登录 {{name}}',
  'username-or-email': '用户名或邮箱',
  password: '密码',
  'show-password': '显示密码',
  'hide-password': '隐藏密码',
  submit: '登录',
  expired: '未登录或登录已过期，请重新登录',
  'both-required': '请输入用户名和密码！',
  'human-check': '请稍后几秒重试，Turnstile 正在检查用户环境！',
  'signed-in': '登录成功！',
  'default-password': '您正在使用默认密码，请立即修改密码！',
} as const
