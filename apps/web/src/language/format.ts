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

/** 'a, b, and c' */
export function formatList(items: readonly string[]): string {
  return conjunction.format(items)
}

/** '99.31%', or '99,31 %' in German */
export function formatPercent(share: number): string {
  return percent(share, { language, under: (least) => t`under ${least}` })
}
