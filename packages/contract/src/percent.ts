interface PercentOptions {
  /** A BCP 47 tag. */
  readonly language?: string
  /** Words a share that is smaller than the least that is shown. */
  readonly under?: (least: string) => string
}

/** A share as a percentage with up to two decimals. It is rounded down, so only the whole is 100%. */
export function percent(share: number, options: PercentOptions = {}): string {
  const { language = 'en', under = (least: string) => `under ${least}` } = options
  const hundredths = Math.floor(share * 10_000 + 1e-6)
  if (hundredths === 0 && share > 0) return under(write(1, language))
  return write(hundredths, language)
}

/** Making one takes longer than using it a hundred times. */
const made = new Map<string, Intl.NumberFormat>()

function write(hundredths: number, language: string): string {
  const decimals = hundredths % 100 === 0 ? 0 : 2
  const key = `${decimals} ${language}`
  let format = made.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: decimals })
    made.set(key, format)
  }
  return format.format(hundredths / 10_000)
}
