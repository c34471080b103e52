export const texts = {
  title: '关于',
  heading: '关于 {{name}}',
  what: '这是一个 AI 模型接口网关：用一个地址和一个令牌调用多家供应商的模型，接口兼容 OpenAI、Anthropic 与 Google 的格式。',
  how: '每次请求都按实际用量计费，经过了哪些步骤、花费多少，都可以在使用日志中查到。',
  facts: '站点信息',
  'base-url': '接口地址',
  version: '版本',
  docs: '文档',
} as const
