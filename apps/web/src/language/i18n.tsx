import { writeTimesIn } from '@astropelago/contract/time-text'
import { setupI18n } from '@lingui/core'
import type { TransProps } from '@lingui/react'
import { TransNoContext } from '@lingui/react/server'
import { language } from './language.ts'

/**
 * What Lingui's macros call. A page keeps its language, so texts can be constants of a module. In a build,
 * each text holds its own translation: see bundle-texts.ts.
 */
export const i18n = setupI18n({ locale: language, messages: { [language]: {} } })

writeTimesIn(language)

export function Trans({ values, ...props }: TransProps) {
  const safe = Object.entries(values ?? {}).map(([name, value]) => [name, asContent(value)])
  return <TransNoContext {...props} values={Object.fromEntries(safe)} lingui={{ i18n }} />
}

/** Lingui looks for tags in a message with its values, so what people wrote becomes an element. */
function asContent(value: unknown) {
  return typeof value === 'string' && value.includes('<') ? <>{value}</> : value
}
