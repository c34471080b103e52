import { describe, expect, it } from 'vitest'
import { texts as channels } from './zh/channels.ts'
import { texts as common } from './zh/common.ts'
import { texts as display } from './zh/display.ts'
import { texts as errors } from './zh/errors.ts'
import { texts as personal } from './zh/personal.ts'
import { texts as redemptions } from './zh/redemptions.ts'
import { texts as prices } from './zh/prices.ts'
import { texts as settings } from './zh/settings.ts'
import { texts as setup } from './zh/setup.ts'
import { texts as signIn } from './zh/sign-in.ts'
import { texts as statement } from './zh/statement.ts'
import { texts as tokens } from './zh/tokens.ts'
import { texts as users } from './zh/users.ts'
import { texts as errorsEn } from './en/errors.ts'
import { texts as setupEn } from './en/setup.ts'
import { LANGUAGE_NAMES } from './language.ts'

/** Texts that the specification gives word for word, punctuation included. A friendlier wording would be a different product. */
describe('texts to the letter', () => {
  it.each([
    ['SHELL-14', `${LANGUAGE_NAMES.zh} ${LANGUAGE_NAMES.en}`, '中文 English'],
    ['SHELL-31', errorsEn['status-unreachable'], 'Unable to connect to server'],
    ['SHELL-31', errorsEn['status-failed'], 'Failed to load status'],
    ['SHELL-40', errors['too-many-requests'], '错误：请求次数过多，请稍后再试！'],
    ['SHELL-41', errors['server-fault'], '错误：服务器内部错误，请联系管理员！'],
    ['SHELL-42', errors['demo-only'], '本站仅作演示之用，无服务端！'],
    ['SHELL-43', errors.other, '错误：{{message}}'],
    ['SHELL-45', display.copy.failed, '无法复制到剪贴板，请手动复制'],
    ['SHELL-46', display.copy.done, '已复制到剪贴板！'],
    ['SHELL-47', common['submit-twice'], '提交失败，请勿重复提交！'],
    ['SHELL-47', display.form['submit-twice'], '提交失败，请勿重复提交！'],
    ['SETUP-13', setup['username-required'], '请输入管理员用户名'],
    ['SETUP-14', setup['password-short'], '密码长度至少为8个字符'],
    ['SETUP-15', setup['passwords-differ'], '两次输入的密码不一致'],
    ['SETUP-17', setup['read-failed'], '获取初始化状态失败'],
    ['SETUP-18', setupEn.refused, 'Initialisation failed, please retry'],
    ['SETUP-19', setupEn.failed, 'System initialisation failed, please retry'],
    ['SETUP-20', setupEn['form-missing'], 'Form reference error'],
    ['SIGN-03', signIn.expired, '未登录或登录已过期，请重新登录'],
    ['Q-26', signIn['human-check'], '请稍后几秒重试，Turnstile 正在检查用户环境！'],
    ['SIGN-12', signIn['both-required'], '请输入用户名和密码！'],
    ['SIGN-14', signIn['signed-in'], '登录成功！'],
    ['SYS-02', Object.values(settings.tab).join(' '), '运营设置 速率限制设置 模型相关设置 系统设置 其他设置'],
    ['SYS-05', settings['refresh-failed'], '刷新失败'],
    ['SYS-19', settings['server-address-first'], '请先填写服务器地址'],
    ['SYS-21', settings.domain.invalid, '邮箱域名格式不正确，请输入有效的域名，如 gmail.com'],
    ['SYS-22', settings.domain.repeated, '该域名已存在于白名单中'],
    ['SYS-24', settings.oidc.failed, '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确'],
    ['SYS-27', settings.result.updated, '更新成功'],
    ['SYS-27', settings.result['update-failed'], '更新失败'],
    ['OTHER-10', settings.version.current, '已是最新版本'],
    ['OTHER-11', settings.version.failed, '检查更新失败，请稍后再试'],
    ['OPER-16', settings.result.unchanged, '你似乎并没有修改什么'],
    ['OPER-18', settings.result.invalid, '请检查输入'],
    ['OPER-19', settings.result.saved, '保存成功'],
    ['OPER-19', settings.result.silent, '保存失败'],
    ['OPER-19', settings.result.failed, '保存失败，请重试'],
    ['OPER-19', settings.result.partly, '部分保存失败，请重试'],
    ['RATIO-08', prices.problem.number, '请输入数字'],
    ['RATIO-09', prices.problem.zero, '模型价格不能为0'],
    ['RATIO-10', prices.problem.taken, '模型名称已存在'],
    ['RATIO-15', prices['models-failed'], '获取启用模型失败'],
    ['RATIO-19', prices.fill.select, '请先选择需要批量设置的模型'],
    ['RATIO-20', prices.fill.empty, '请输入填充值'],
    ['RATIO-21', prices.fill.number, '请输入有效的数字'],
    ['RATIO-22', prices.fill.both, '请输入模型倍率和补全倍率'],
    ['CHAN-01', channels.title, '管理渠道'],
    ['CHAN-17', channels['not-found'], '渠道未找到，请刷新页面后重试。'],
    ['CHAN-22', channels['select-first'], '请先选择要删除的通道！'],
    ['CHAN-23', channels['tag-empty'], '标签不能为空！'],
    ['CHAN-25', channels['copy-failed'], '渠道复制失败: {{reason}}'],
    ['CHAN-26', channels.done, '操作成功完成！'],
    ['CHAN-29', channels.error['name-and-key'], '请填写渠道名称和渠道密钥！'],
    ['CHAN-35', channels.error.models, '请至少选择一个模型！'],
    ['CHAN-38', channels.error['model-exists'], '某些模型已存在！'],
    ['CHAN-40', channels.error['fetch-key'], '请填写密钥'],
    ['CHAN-40', channels.error.fetch, '获取模型列表失败'],
    ['CHAN-41', channels.error.mapping, '模型映射必须是合法的 JSON 格式！'],
    ['CHAN-51', channels['created-toast'], '渠道创建成功！'],
    ['CHAN-52', channels['updated-toast'], '渠道更新成功！'],
    ['CHAN-54', channels['tag-drawer'].unchanged, '没有任何修改！'],
    ['TOKEN-07', tokens['select-first'], '请至少选择一个令牌！'],
    ['TOKEN-08', tokens.done, '操作成功完成！'],
    ['TOKEN-15', tokens.error.expiry, '过期时间格式错误！'],
    ['TOKEN-18', tokens.field['group-none'], '管理员未设置用户可选分组'],
    ['TOKEN-21', tokens['created-toast'], '令牌创建成功，请在列表页面点击复制获取令牌！'],
    ['TOKEN-21', tokens['updated-toast'], '令牌更新成功！'],
    ['USER-16', users.done, '操作成功完成！'],
    ['USER-19', users.error.blank, '用户名和密码不能为空！'],
    ['USER-20', users['created-toast'], '用户账户创建成功！'],
    ['USER-28', users['updated-toast'], '用户信息更新成功！'],
    ['PERS-07', personal.invite.copied, '邀请链接已复制到剪切板'],
    ['PERS-09', personal.invite['transfer-least'], '划转金额最低为'],
    ['PERS-16', personal.token.created, '令牌已重置并已复制到剪贴板'],
    ['PERS-17', personal.password['error-differ'], '两次输入的密码不一致！'],
    ['PERS-17', personal.password.changed, '密码修改成功！'],
    ['PERS-18', personal.delete['error-name'], '请输入你的账户名以确认删除！'],
    ['PERS-19', personal.delete.done, '账户已删除！'],
    ['PERS-30', personal.preferences.saved, '通知设置已更新'],
    ['PERS-30', personal.preferences.failed, '更新通知设置失败'],
    ['REDEEM-01', redemptions.title, '管理兑换码'],
    ['REDEEM-08', redemptions['select-first'], '请至少选择一个兑换码！'],
    ['REDEEM-09', redemptions.done, '操作成功完成！'],
    ['WALLET-02', statement.redeem.done, '兑换成功！'],
    ['WALLET-03', statement.redeem.blank, '请输入兑换码！'],
    ['REDEEM-14', redemptions['created-toast'], '兑换码创建成功！'],
  ])('%s: %s', (_line, text, given) => {
    expect(text).toBe(given)
  })
})
