import type { ErrorRows } from './row.ts'

export const modelsErrors = {
  'model.missing': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'invalid_text_request',
    zh: 'model is required',
    en: 'model is required',
  },
  'model.unknown': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'model_not_found',
    zh: "The model '{model}' does not exist",
    en: "The model '{model}' does not exist",
  },
  'model.unpriced': {
    status: 404,
    retry: 'never',
    blame: 'operator',
    type: 'new_api_error',
    api_code: 'model_not_found',
    zh: '模型 {model} 倍率或价格未配置，请联系管理员设置或开始自用模式；Model {model} ratio or price not set, please set or start self-use mode',
    en: 'Model {model} ratio or price not set, please set one for {model} or start self-use mode',
  },
  'model.unpriced-tier': {
    status: 400,
    retry: 'never',
    blame: 'operator',
    type: 'new_api_error',
    api_code: 'model_price_error',
    zh: '模型 {model} 的服务等级 {tier} 未配置价格，请联系管理员设置',
    en: 'The tier {tier} of model {model} has no price; ask the administrator to set one',
  },
  'model.mapping-cycle': {
    status: 500,
    retry: 'other-channel',
    blame: 'operator',
    type: 'new_api_error',
    api_code: 'model_mapped_error',
    zh: 'model_mapping_contains_cycle',
    en: 'model_mapping_contains_cycle',
  },
} as const satisfies ErrorRows
