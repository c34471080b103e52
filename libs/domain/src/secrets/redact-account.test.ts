import { describe, expect, it } from 'vitest'
import { redactAccount, redactAccountIn } from './redact-account.ts'

describe('what a customer reads of a vendor’s words', () => {
  it.each([
    [
      'User: arn:aws:iam::123456789012:user/ops is not authorized to perform: bedrock:InvokeModel on resource: arn:aws:bedrock:us-east-1::foundation-model/x because no policy allows it',
      'User: arn:*** is not authorized to perform: bedrock:InvokeModel on resource: arn:*** because no policy allows it',
    ],
    [
      "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/acme-prod-1/locations/global' (or it may not exist).",
      "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/***/locations/global' (or it may not exist).",
    ],
    ['Vertex AI API has not been used in project 123456789 before', 'Vertex AI API has not been used in project *** before'],
    ['runner@acme-prod-1.iam.gserviceaccount.com lacks a role', '*** lacks a role'],
    ['connect ECONNREFUSED 10.0.3.17:8000', 'connect ECONNREFUSED ***'],
    ['dial tcp 172.20.1.4:443: i/o timeout', 'dial tcp ***: i/o timeout'],
    ['Post "http://vllm-0.models.svc.cluster.local:8000/v1/x": EOF', 'Post "***": EOF'],
    ['upstream [fd00::17]:8080 closed', 'upstream *** closed'],
  ])('%s', (said, shown) => {
    expect(redactAccount(said)).toBe(shown)
  })

  it.each([
    'The model `gpt-4o` does not exist or you do not have access to it.',
    'Your project does not have access to this model',
    'temperature: must be between 0 and 1.5',
    'version 110.2.3.4 of the file is too new, see https://platform.openai.com/docs',
    "This model's maximum context length is 128000 tokens.",
  ])('is otherwise unchanged: %s', (said) => {
    expect(redactAccount(said)).toBe(said)
  })

  it('is masked in every string of an error object', () => {
    expect(redactAccountIn({ error: { message: 'on 192.168.0.2', list: ['arn:aws:iam::1:role/x'], code: 403 } })).toEqual({
      error: { message: 'on ***', list: ['arn:***'], code: 403 },
    })
  })
})
