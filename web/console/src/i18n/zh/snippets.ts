export const texts = {
  clients: '客户端',
  'note-terminal': '复制到终端运行。',
  'note-python': '先运行 {{install}}，再运行这段代码。',
  'note-node': '先运行 {{install}}，再把这段代码存为 .mjs 文件运行。',
  'note-claude-code':
    '把这些内容加到下面的文件里，然后启动 claude。CLAUDE_CODE_MAX_CONTEXT_TOKENS 是 Claude Code 不认识的模型的上下文长度，请改成该模型的实际值；Claude Code 按它压缩长对话。',
  'note-codex':
    '把配置加到下面的文件里，在终端设置密钥，然后启动 codex。model_context_window 是 Codex 不认识的模型的上下文长度，请改成该模型的实际值。',
  'note-gemini-cli':
    '把配置加到下面的文件里，再运行这些命令。不加 -m 时，Gemini CLI 会先请求 flash-lite 模型，令牌就需要能用 flash-lite、flash 和 pro 模型。',
  'note-opencode':
    '把配置加到下面的文件里，然后启动 opencode。请填写你的模型的上下文长度和最大输出：OpenCode 按它们压缩长对话。它还会用 small_model 为每个对话生成标题。',
  'note-cursor': '打开 Cursor 的 Settings → Models → API Keys，填入以下内容。Cursor 的服务器要能从公网访问这个地址。',
  'note-cherry-studio': '在 Cherry Studio 的“设置 → 模型服务”里添加提供商，填入以下内容。',
  'request-waiting': '正在等待第一个请求…',
  'request-arrived': '收到了！{{model}} 已经回答了你的第一个请求。',
  'see-why': '看看花了多少',
} as const
