import type { ErrorRows } from './row.ts'

const refused = { status: 400, retry: 'never', blame: 'caller', type: 'invalid_request_error' } as const

export const organisationsErrors = {
  'organisations.off': {
    status: 403,
    retry: 'never',
    blame: 'operator',
    type: 'invalid_request_error',
    zh: '管理员未允许你创建组织',
    en: 'The administrator does not let you found organisations',
  },
  'organisations.not-chosen': {
    ...refused,
    zh: '请先切换到一个组织（请求头 New-Api-User 为组织的编号）',
    en: 'Switch to an organisation first: header New-Api-User has the id of the organisation',
  },
  'organisations.name': {
    ...refused,
    field: 'name',
    zh: '名称不能为空，最多 {max} 个字符，且不能包含不可见字符',
    en: 'A name is needed, of at most {max} characters and without invisible ones',
  },
  'organisations.owned': { ...refused, zh: '最多拥有 {count} 个组织', en: 'You can own at most {count} organisations' },
  'organisations.confirm': {
    ...refused,
    field: 'name',
    zh: '名称不一致，请输入该组织的完整名称',
    en: 'The name differs: type the whole name of the organisation',
  },
  'organisations.last-owner': {
    ...refused,
    zh: '组织至少需要一位所有者，请先转让所有权',
    en: 'An organisation needs an owner: make another member the owner first',
  },
  'organisations.role': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'invalid_request_error',
    field: 'role',
    zh: '你的角色不能授予或更改该角色',
    en: 'Your role cannot give or change this role',
  },
  'organisations.members': { ...refused, zh: '一个组织最多 {count} 位成员', en: 'An organisation has at most {count} members' },
  'organisations.member': { ...refused, zh: '你已是该组织的成员', en: 'You are a member of this organisation already' },
  'organisations.invited-member': {
    ...refused,
    field: 'email',
    zh: '该邮箱的用户已是成员',
    en: 'The user with this address is a member already',
  },
  'organisations.invitation': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '邀请不存在、已过期或已被撤回',
    en: 'There is no such invitation: it has expired, was used, or was withdrawn',
  },
  'organisations.invitations': {
    ...refused,
    zh: '最多同时有 {count} 个未使用的邀请',
    en: 'At most {count} invitations can be open',
  },
  'organisations.address': { ...refused, field: 'email', zh: '邮箱地址无效', en: 'This is not an e-mail address' },
  'organisations.projects': { ...refused, zh: '一个组织最多 {count} 个项目', en: 'An organisation has at most {count} projects' },
  'organisations.project-name': {
    status: 409,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'name',
    zh: '已有同名项目',
    en: 'There is a project of this name already',
  },
  'organisations.project-used': {
    ...refused,
    zh: '该项目还有 {count} 个令牌，请先移动或删除它们',
    en: 'The project still has {count} tokens: move or delete them first',
  },
  'organisations.project': {
    ...refused,
    field: 'project_id',
    zh: '该项目不存在',
    en: 'There is no such project',
  },
  'organisations.others-token': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'invalid_request_error',
    zh: '该令牌由其他成员创建，只有管理员可以更改',
    en: 'Another member made this token: only an administrator can change it',
  },
  'organisations.convert': {
    ...refused,
    zh: '管理员账户和组织账户不能转换为组织',
    en: 'Accounts of administrators and organisations cannot become an organisation',
  },
  'organisations.earnings': {
    ...refused,
    zh: '请先将邀请收益划转到余额，再转换为组织',
    en: 'Transfer your invite earnings to the wallet first',
  },
  'organisations.account': {
    ...refused,
    zh: '这是组织的账户：没有密码、邮箱和角色，请在组织页面管理',
    en: 'This is the account of an organisation: it has no password, address or role. Manage it on the organisation page',
  },
} as const satisfies ErrorRows
