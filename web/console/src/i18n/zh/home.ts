export const texts = {
  tagline: '一个地址，一个密钥，接入所有模型',
} as const
