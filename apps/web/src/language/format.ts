import { percent } from '@astropelago/contract/percent'
import { t } from '@lingui/core/macro'
import { language } from './language.ts'

const whole = new Intl.NumberFormat(language)
const oneDecimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const conjunction = new Intl.ListFormat(language, { type: 'conjunction' })

/** '1,200', or '1.200' in German */
export function formatNumber(value: number): string {
  return whole.format(value)
}

/** '12.3' */
export function formatDecimal(value: number): string {
  return oneDecimal.format(value)
}

/** '3.2 MB' */
export function formatSize(bytes: number): string {
  const isSmall = bytes < 1e6
  // Nothing that is there has 0 kB.
  const size = formatDecimal(isSmall ? Math.ceil(bytes / 100) / 10 : bytes / 1e6)
  return isSmall ? t`${size} kB` : t`${size} MB`
}

/** 'a, b, and c' */
export function formatList(items: readonly string[]): string {
  return conjunction.format(items)
}

/** '99.31%', or '99,31 %' in German */
export function formatPercent(share: number): string {
  return percent(share, { language, under: (least) => t`under ${least}` })
}
