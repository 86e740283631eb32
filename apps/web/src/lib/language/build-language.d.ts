import type { Language } from '@astropelago/contract/languages'

declare global {
  const ASTROPELAGO_LANGUAGE: Language
  const ASTROPELAGO_SERVER_SENTENCES: Readonly<Record<string, string>>
}
