import { t } from '@lingui/core/macro'
import { language } from './language.ts'

const whole = new Intl.NumberFormat(language)
const oneDecimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(language, { style: 'percent' })
const finePercent = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 2 })
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

/** '99.31%': a share, rounded down, so that only the whole is 100%. */
export function formatPercent(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-6)
  if (hundredths === 0 && share > 0) {
    const least = finePercent.format(0.0001)
    return t`under ${least}`
  }
  return (hundredths % 100 === 0 ? percent : finePercent).format(hundredths / 10_000)
}
