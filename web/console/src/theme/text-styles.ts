import { defineTextStyles } from '@chakra-ui/react'

/** `sm` (13 px) is the size of tables and forms, `md` (14 px) of running text, `title` of a page's name. */
export const textStyles = defineTextStyles({
  '2xs': { value: { fontSize: '2xs', lineHeight: '1rem' } },
  xs: { value: { fontSize: 'xs', lineHeight: '1rem' } },
  sm: { value: { fontSize: 'sm', lineHeight: '1.25rem' } },
  md: { value: { fontSize: 'md', lineHeight: '1.375rem' } },
  lg: { value: { fontSize: 'lg', lineHeight: '1.5rem' } },
  xl: { value: { fontSize: 'xl', lineHeight: '1.75rem', letterSpacing: '-0.01em' } },
  '2xl': { value: { fontSize: '2xl', lineHeight: '2rem', letterSpacing: '-0.015em' } },
  '4xl': { value: { fontSize: '4xl', lineHeight: '2.75rem', letterSpacing: '-0.025em' } },
  title: { value: { fontSize: 'xl', lineHeight: '1.75rem', fontWeight: 'semibold', letterSpacing: '-0.01em' } },
  section: { value: { fontSize: 'md', lineHeight: '1.375rem', fontWeight: 'semibold' } },
  label: { value: { fontSize: 'sm', lineHeight: '1.25rem', fontWeight: 'medium' } },
  mono: { value: { fontFamily: 'mono', fontSize: 'xs', lineHeight: '1.25rem' } },
})
