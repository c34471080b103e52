/** Both packages are under the MIT licence; their notices are in libs/providers/src/catalogue/NOTICE.md. */
export const LITELLM = 'litellm==1.110.2'
export const GENAI = 'genai-prices==0.2.3'
