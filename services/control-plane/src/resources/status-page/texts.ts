import type { IncidentState } from '@tollgate/contracts/resources/status-page'
import type { Language } from '@tollgate/http/language'
import type { GroupState } from './view.ts'

export type StatusTexts = {
  readonly title: (name: string) => string
  readonly lead: string
  readonly overall: Readonly<Record<GroupState, string>>
  readonly state: Readonly<Record<GroupState, string>>
  readonly incident: Readonly<Record<IncidentState, string>>
  readonly other: string
  readonly models: string
  readonly availability: string
  readonly firstToken: string
  readonly noData: string
  readonly noGroups: string
  readonly oldest: string
  readonly newest: string
  readonly barsLabel: (name: string, availability: string) => string
  readonly faultyDays: (count: number) => string
  readonly day: string
  readonly incidents: string
  readonly noIncidents: string
  readonly affected: string
  readonly since: (from: string, until: string | null) => string
  readonly counted: string
  readonly otherLanguage: { readonly label: string; readonly code: Language }
  readonly feeds: string
}

const en: StatusTexts = {
  title: (name) => `${name} status`,
  lead: 'Availability and time to first token, measured on real requests. Days are UTC.',
  overall: {
    operational: 'All systems operational',
    degraded: 'Some models are degraded',
    outage: 'Some models are out of service',
    unknown: 'Too few requests at the moment',
  },
  state: { operational: 'Operational', degraded: 'Degraded', outage: 'Outage', unknown: 'Too few requests' },
  incident: { investigating: 'Investigating', identified: 'Identified', monitoring: 'Monitoring', resolved: 'Resolved' },
  other: 'Other models',
  models: 'Models',
  availability: 'Availability',
  firstToken: 'First token (median)',
  noData: 'no data',
  noGroups: 'No model has answered yet.',
  oldest: '90 days ago',
  newest: 'Today',
  barsLabel: (name, availability) => `Availability of ${name} by day, 90 days: ${availability}`,
  faultyDays: (count) => `Days below 99.9 %: ${count}`,
  day: 'Day',
  incidents: 'Incidents of the last 90 days',
  noIncidents: 'No incidents.',
  affected: 'Affected',
  since: (from, until) => (until === null ? `Since ${from}` : `${from} – ${until}`),
  counted:
    'Availability is the share of requests that did not fail on our side or at the model’s vendor. Requests that were wrong, had no quota or were ended by the client are not counted. A day with fewer than 10 requests has no figure.',
  otherLanguage: { label: '中文', code: 'zh' },
  feeds: 'Subscribe',
}

const zh: StatusTexts = {
  title: (name) => `${name} 服务状态`,
  lead: '可用性和首字时间按真实请求统计，日期为 UTC。',
  overall: {
    operational: '所有服务正常',
    degraded: '部分模型性能下降',
    outage: '部分模型不可用',
    unknown: '目前请求过少',
  },
  state: { operational: '正常', degraded: '性能下降', outage: '不可用', unknown: '请求过少' },
  incident: { investigating: '调查中', identified: '已定位', monitoring: '观察中', resolved: '已解决' },
  other: '其他模型',
  models: '模型',
  availability: '可用性',
  firstToken: '首字时间（中位数）',
  noData: '无数据',
  noGroups: '还没有模型应答过请求。',
  oldest: '90 天前',
  newest: '今天',
  barsLabel: (name, availability) => `${name} 近 90 天每日可用性：${availability}`,
  faultyDays: (count) => `低于 99.9% 的日期：${count} 天`,
  day: '日期',
  incidents: '近 90 天的事件',
  noIncidents: '没有事件。',
  affected: '受影响',
  since: (from, until) => (until === null ? `始于 ${from}` : `${from} – ${until}`),
  counted:
    '可用性是没有因本站或模型供应商而失败的请求所占的比例。参数错误、额度不足和客户端自行中断的请求不计入。一天少于 10 个请求时不显示数据。',
  otherLanguage: { label: 'English', code: 'en' },
  feeds: '订阅',
}

export const statusTexts: Readonly<Record<Language, StatusTexts>> = { en, zh }
