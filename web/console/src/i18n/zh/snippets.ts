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
  'note-cherry-studio': '用按钮打开 Cherry Studio 导入，或在它的“设置 → 模型服务”里添加提供商，填入以下内容。模型需要另外添加。',
  'note-cline': '在 VS Code 的 Cline 设置（齿轮图标）里填入以下内容；命令行版用另一个标签里的命令。',
  'note-roo-code':
    '存为文件，再在 Roo Code 的“设置 → 关于 → 导入”里选择它。已有的配置会保留，新配置会成为当前配置。请把 contextWindow 和 maxTokens 改成你的模型的实际值。',
  'note-zed':
    '把这些内容加到下面的文件里（命令面板里的 zed: open settings file）。密钥不写在文件里：在“Settings → AI → LLM Providers”的 Gateway 一项填入，或设为环境变量 GATEWAY_API_KEY。请把 max_tokens 改成你的模型的上下文长度。',
  'note-continue': '把 models 下的这一项加到下面的文件里；文件还不存在时，保存全部内容。',
  'note-open-webui':
    '在“管理员面板 → 设置 → 外部连接”里添加一个 OpenAI API 连接，填入以下内容。全新安装也可以用下面的环境变量：它们只在第一次启动时生效，之后以 Open WebUI 的设置为准。',
  'note-librechat':
    '把 custom 下的这一项加到 librechat.yaml，把密钥加到 .env，然后重启 LibreChat。用 Docker 时，librechat.yaml 要挂载进容器。',
  'note-dify': '在 Dify 的“设置 → 模型供应商”里安装 OpenAI-API-compatible，添加模型并填入以下内容。Dify 的服务器要能访问这个地址。',
  'note-cc-switch':
    'CC Switch 替你写 Claude Code、Codex 和 Gemini CLI 的配置文件。打开链接，它会在保存前让你确认；密钥在链接里，请不要转发。',
  'open-in': '在 {{name}} 中打开',
  'all-clients': '更多工具与测试',
  'request-waiting': '正在等待第一个请求…',
  'request-arrived': '收到了！{{model}} 已经回答了你的第一个请求。',
  'see-why': '看看花了多少',
} as const
