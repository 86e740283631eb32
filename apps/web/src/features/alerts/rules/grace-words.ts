/** The choices that need no typing. */
export const usualGraces: readonly { readonly minutes: string; readonly name: string }[] = [
  { minutes: '0', name: 'Tell me at once' },
  { minutes: '1', name: '1 minute' },
  { minutes: '5', name: '5 minutes' },
  { minutes: '15', name: '15 minutes' },
  { minutes: '60', name: '1 hour' },
  { minutes: '360', name: '6 hours' },
]

/**
 * Rounds to two decimals, which are enough to tell every whole second apart. The API accepts any number of
 * seconds.
 */
export function minutesText(graceS: number): string {
  return String(Number((graceS / 60).toFixed(2)))
}

/** 'at once', '5 minutes', '2.5 min'. */
export function graceText(graceS: number): string {
  if (graceS === 0) return 'at once'
  const minutes = minutesText(graceS)
  return usualGraces.find((choice) => choice.minutes === minutes)?.name ?? `${minutes} min`
}

/** The same inside a sentence: 'at once', 'after 5 minutes'. */
export function afterGraceText(graceS: number): string {
  return graceS === 0 ? graceText(graceS) : `after ${graceText(graceS)}`
}
