import type { ImportKind } from './records.ts'

type LocalizedText = { readonly zh: string; readonly en: string }

/** Names of the kinds of records. */
export const IMPORT_KIND_TEXTS: Readonly<Record<ImportKind, LocalizedText>> = {
  users: { zh: '用户', en: 'Users' },
  channels: { zh: '渠道', en: 'Channels' },
  options: { zh: '设置', en: 'Options' },
  tokens: { zh: '令牌', en: 'Tokens' },
  codes: { zh: '兑换码', en: 'Redemption codes' },
  orders: { zh: '充值订单', en: 'Top-ups' },
  subscriptions: { zh: '订阅', en: 'Subscriptions' },
  tasks: { zh: '任务', en: 'Tasks' },
  hours: { zh: '每小时用量', en: 'Usage by hour' },
  logs: { zh: '日志', en: 'Log rows' },
}

const CHECK_PRICE: LocalizedText = {
  zh: '请在“系统设置 → 运营设置 → 模型价格”中核对',
  en: 'Check it in Settings → Operation → Model prices',
}

/** Why a row is listed, and what is left to do, by code. */
const CODES: Readonly<Record<string, LocalizedText>> = {
  encoding: { zh: '文本不是有效的 UTF-8，无效字节已替换', en: 'The text is not valid UTF-8; invalid bytes were replaced' },
  cut: { zh: '文本过长，已截断', en: 'The text was too long and was cut' },
  'not-a-number': { zh: '不是数字，已改为默认值', en: 'Not a number; the default was taken' },
  'out-of-range': { zh: '数值超出范围，已取最接近的值', en: 'Out of range; the nearest value was taken' },
  'not-json': { zh: '不是 JSON，已留空', en: 'Not JSON; left empty' },
  password: { zh: '密码哈希格式未知，用户需要重设密码', en: 'Unknown form of password hash: the user sets a new password' },
  identity: { zh: '此登录方式不受支持', en: 'This way to sign in is not supported' },
  'user-setting': { zh: '此用户设置没有对应项', en: 'This setting of the user has no counterpart' },
  'channel-type': { zh: '渠道类型编号已换算', en: 'The channel got another type number' },
  'unknown-option': { zh: '此设置没有对应项', en: 'This option has no counterpart' },
  'setting-replaced': {
    zh: '已替换管理员在这里保存的设置（原值）',
    en: 'Replaces a setting that an administrator saved here (its value before)',
  },
  'setting-kept': { zh: '保留这里的设置，未导入', en: 'Left out: the setting here stays' },
  'without-effect': { zh: '此设置已保存，但在这里不起作用', en: 'This option is kept, and has no effect here' },
  'token-state': { zh: '令牌状态不同：这里由到期时间与额度决定', en: 'The state differs: here it follows from time and quota' },
  'unknown-table': { zh: '未知的表', en: 'Unknown table' },
  'unknown-column': { zh: '未知的列', en: 'Unknown column' },
  id: { zh: '没有编号', en: 'No id' },
  name: { zh: '没有名称', en: 'No name' },
  'token-key': { zh: '密钥不是 48 个字母或数字，无法使用', en: 'The key is not 48 letters or digits and could not be used' },
  'no-owner': { zh: '所属用户不存在', en: 'Its user does not exist' },
  'key-taken': { zh: '另一令牌已有此密钥', en: 'Another token has this key' },
  'list-long': { zh: '列表过长', en: 'Its list is too long' },
  'code-key': { zh: '没有兑换码', en: 'No code' },
  'code-quota': { zh: '兑换码额度无效', en: 'The quota of the code is not valid' },
  'order-amount': { zh: '订单金额无效', en: 'The amount of the order is not valid' },
  time: { zh: '时间无效', en: 'The time is not valid' },
  'open-task': { zh: '任务尚未结束，结束后再次导入', en: 'The task has not ended: import again once it has' },
  channel: { zh: '渠道不符合这里的规则', en: 'The channel does not fit the rules of this gateway' },
  option: { zh: '设置值不符合这里的规则', en: 'The value does not fit the rules of this gateway' },
  'second-step': { zh: '两步验证密钥无效', en: 'The secret of the second step is not valid' },
  'not-stored': { zh: '数据库拒绝了此行', en: 'The database refused the row' },
  'left-passkeys': { zh: '通行密钥需要重新登记', en: 'Passkeys are registered again' },
  'left-recovery-codes': { zh: '恢复码需要重新生成', en: 'Recovery codes are made again' },
  'left-check-ins': { zh: '签到记录没有对应项', en: 'Check-ins have no counterpart' },
  'left-model-pages': { zh: '模型页面没有对应项', en: 'Pages of models have no counterpart' },
  'left-form-presets': { zh: '表单预设没有对应项', en: 'Presets of forms have no counterpart' },
  'left-subscription-orders': { zh: '订阅订单未导入，剩余额度已计入余额', en: 'Orders of subscriptions stay; what is left became balance' },
  'left-open-holds': { zh: '旧系统的预扣记录', en: 'Holds of the old gateway' },
  'left-sign-in-providers': { zh: '自定义登录方式需要重新设置', en: 'Own sign-in providers are set up again' },
  'left-organisations': { zh: '上级组织没有对应项', en: 'Organisations above teams have no counterpart' },
  'left-no-counterpart': { zh: '没有对应项', en: 'It has no counterpart' },
  'left-include': {
    zh: '此处无法读取包含的文件：请将其合并为一个文件，或使用命令',
    en: 'Files that it includes are not read here: make one file of them, or use the command',
  },
  'left-sealed': { zh: '已加密，无法读取', en: 'It is encrypted and cannot be read' },
  renamed: { zh: '名称已被占用，已改名；请告知该用户新的名称', en: 'The name was taken: it was changed. Tell the user the new one' },
  joined: { zh: '已并入同名账户', en: 'Joined to the account of the same name' },
  taken: { zh: '此值属于另一账户，未导入', en: 'Another account has this value: left out' },
  addresses: { zh: '部分地址无效，已删除', en: 'Some addresses are not valid: left out' },
  'part-left': {
    zh: '此部分不符合规则，已删除，渠道已停用：请在渠道中检查后启用',
    en: 'This part does not fit the rules: left out, and the channel is off. Check it in its form and turn it on',
  },
  'models-shared': {
    zh: '这里已有渠道提供以下模型，导入后请求会分给两边：如不需要，请调整优先级或停用渠道',
    en: 'Channels here serve these models, too: once imported, requests go to both. Change a priority or turn a channel off if that is not wanted',
  },
  'no-key': { zh: '渠道没有密钥：请在渠道中填写', en: 'The channel has no key: enter it in its form' },
  'key-of-variable': {
    zh: '密钥取自此环境变量：请确认它与旧系统中的相同',
    en: 'The key was taken from this variable: make sure that it has the same value as for the old gateway',
  },
  'variable-not-set': {
    zh: '旧系统从此环境变量读取密钥，这里没有设置',
    en: 'The old gateway reads the key from this variable, which is not set here',
  },
  'open-order': {
    zh: '订单尚未支付，在这里记为已过期；支付后再次导入',
    en: 'The order is not paid and counts as expired here: import again once it is',
  },
  'subscription-as-balance': { zh: '订阅的剩余额度已计入余额', en: 'The rest of the subscription became balance' },
  'price-of-this-gateway': {
    zh: `旧系统未设置价格，使用这里的价格：${CHECK_PRICE.zh}`,
    en: `The old gateway had no entry: the price is that of this gateway. ${CHECK_PRICE.en}`,
  },
  'no-price': {
    zh: '没有价格，无法使用：请在“系统设置 → 运营设置 → 模型价格”中设置',
    en: 'No price: not for sale until one is set in Settings → Operation → Model prices',
  },
  'price-of-log': { zh: `价格取自旧日志：${CHECK_PRICE.zh}`, en: `The price was taken from the old log. ${CHECK_PRICE.en}` },
  'completion-of-log': {
    zh: `补全倍率与旧日志不同，已采用设置中的值：${CHECK_PRICE.zh}`,
    en: `The old log has another completion ratio: that of the settings was taken. ${CHECK_PRICE.en}`,
  },
  'completion-guessed': {
    zh: `旧系统未设置补全倍率，使用这里的值：${CHECK_PRICE.zh}`,
    en: `The old gateway had no completion ratio: that of this gateway was taken. ${CHECK_PRICE.en}`,
  },
  'team-as-account': { zh: '团队成为一个组织，其密钥属于该组织', en: 'The team became an organisation, which has its keys' },
  'no-budget': {
    zh: '没有预算，余额为零，请决定其额度（--unlimited-as，控制台中为“没有预算的账户的余额”）',
    en: 'No budget there: the balance is zero. Decide what it gets (--unlimited-as; in the console “Balance of accounts without a budget”)',
  },
  'balance-as-asked': { zh: '没有预算，余额按要求设置', en: 'No budget there: the balance is the one that was asked for' },
  limits: { zh: '速率限制需要重新设置', en: 'Set this limit again' },
  rotation: { zh: '密钥不再自动轮换，请自行更换', en: 'The key no longer rotates by itself: replace it in time' },
  'budget-carried': { zh: '预算按窗口保留，额度不限', en: 'Its budget is one of a window here; its own quota has no limit' },
  'budget-of-account': {
    zh: '预算按窗口保留；余额不会自动恢复，请决定其额度（--unlimited-as，控制台中为“没有预算的账户的余额”）',
    en: 'Its budget is one of a window here; its balance does not start again. Decide what it gets (--unlimited-as; in the console “Balance of accounts without a budget”)',
  },
  'price-expression': { zh: '此价格表达式无法用这里的价格表示', en: 'No price of this gateway says what this expression does' },
  'bound-with-cached': {
    zh: '阶梯边界在旧系统中不计缓存 token，在这里计入',
    en: 'The old gateway left cached tokens out of this bound; here they count',
  },
  budget: { zh: '预算需要检查', en: 'Check the budget' },
  models: { zh: '模型列表需要检查', en: 'Check the list of models' },
}

export const importCodeText = (code: string, language: 'zh' | 'en'): string => CODES[code]?.[language] ?? code

const TOKEN_STATES: Readonly<Record<string, LocalizedText>> = {
  1: { zh: '已启用', en: 'enabled' },
  2: { zh: '已禁用', en: 'disabled' },
  3: { zh: '已过期', en: 'expired' },
  4: { zh: '已耗尽', en: 'used up' },
}

const FIELDS: Readonly<Record<string, LocalizedText>> = {
  email: { zh: '邮箱', en: 'Email address' },
  github_id: { zh: 'GitHub 账户', en: 'GitHub account' },
  oidc_id: { zh: 'OIDC 账户', en: 'OIDC account' },
  wechat_id: { zh: '微信账户', en: 'WeChat account' },
  telegram_id: { zh: 'Telegram 账户', en: 'Telegram account' },
  linux_do_id: { zh: 'LinuxDO 账户', en: 'LinuxDO account' },
  access_token_hash: { zh: '系统访问令牌', en: 'System access token' },
  param_override: { zh: '参数覆盖', en: 'Parameter override' },
  header_override: { zh: '请求头覆盖', en: 'Header override' },
  status_code_mapping: { zh: '状态码映射', en: 'Status code mapping' },
  model_mapping: { zh: '模型映射', en: 'Model mapping' },
  base_url: { zh: '接口地址', en: 'Base URL' },
}

type Renderer = (detail: string, language: 'zh' | 'en') => string

/** Fills a text with the groups of the first form that the detail has, `$1` and so on. */
const worded =
  (forms: readonly { readonly form: RegExp; readonly text: LocalizedText }[]): Renderer =>
  (detail, language) => {
    const found = forms.find(({ form }) => form.test(detail))
    return found === undefined ? detail : detail.replace(found.form, found.text[language])
  }

const RATIO = worded([{ form: /^(?:ratio )?([\d.e-]+)$/, text: { zh: '倍率 $1', en: 'ratio $1' } }])
const ROWS = worded([
  { form: /^1$/, text: { zh: '1 行', en: '1 row' } },
  { form: /^(\d+)$/, text: { zh: '$1 行', en: '$1 rows' } },
])
const BUDGET = worded([
  {
    form: /^([\d.]+) USD per (\w+), balance ([\d.]+) USD$/,
    text: { zh: '每 $2 有 $1 USD，余额 $3 USD', en: '$1 USD per $2, balance $3 USD' },
  },
  { form: /^([\d.]+) USD per (\w+)$/, text: { zh: '每 $2 有 $1 USD', en: '$1 USD per $2' } },
])
const NAMED: Renderer = (detail, language) => FIELDS[detail]?.[language] ?? detail

const RENDERERS: Readonly<Record<string, Renderer>> = {
  'token-state': (detail, language) => detail.replaceAll(/\d+/g, (state) => TOKEN_STATES[state]?.[language] ?? state),
  taken: NAMED,
  'part-left': NAMED,
  'completion-guessed': RATIO,
  'price-of-log': RATIO,
  'price-of-this-gateway': worded([
    { form: /^ratio (\S+), price (\S+)$/, text: { zh: '倍率 $1，按次价格 $2', en: 'ratio $1, price of a call $2' } },
  ]),
  'completion-of-log': worded([
    { form: /^(\S+), but charged at (\S+)$/, text: { zh: '倍率 $1，日志中为 $2', en: 'ratio $1, in the log $2' } },
  ]),
  budget: BUDGET,
  'budget-carried': BUDGET,
  'budget-of-account': BUDGET,
}

type Detailed = { readonly code: string; readonly detail: string; readonly name?: string | undefined }

/** The text beside the name of a row; empty: the name says it. */
export function importDetailText({ code, detail, name }: Detailed, language: 'zh' | 'en'): string {
  const render = RENDERERS[code] ?? (code.startsWith('left-') ? ROWS : undefined)
  if (render !== undefined) return render(detail, language)
  return detail === name ? '' : detail
}
