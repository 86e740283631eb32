import { setupI18n } from '@lingui/core'
import type { TransProps } from '@lingui/react'
import { TransNoContext } from '@lingui/react/server'
import { language } from './language.ts'

/**
 * What the macros of Lingui call. A page keeps the language that it was loaded in, so texts can be
 * constants of a module. In a build, each text holds its translation: see bundle-texts.ts.
 */
export const i18n = setupI18n({ locale: language, messages: { [language]: {} } })

export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={{ i18n }} />
}
