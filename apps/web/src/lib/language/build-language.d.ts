import type { Language } from '@astropelago/contract/languages'

declare global {
  const ASTROPELAGO_LANGUAGE: Language
}
