import type { ReportReason } from '@astropelago/contract/reports'

/** For the operator: what reporters say of a thing. */
export const reasonNames: Readonly<Record<ReportReason, string>> = {
  privacy: 'Gives somebody’s privacy away',
  abuse: 'Hateful, or harasses somebody',
  illegal: 'Breaks the law',
  misleading: 'Pretends to be something it isn’t',
  spam: 'Spam or advertising',
  other: 'Something else',
}

/** For the author of what is hidden: a first draft of why. */
export const hiddenTexts: Readonly<Record<ReportReason, string>> = {
  privacy: 'It gives somebody’s privacy away.',
  abuse: 'It is hateful, or harasses somebody.',
  illegal: 'It breaks the law.',
  misleading: 'It pretends to be something it isn’t.',
  spam: 'It is spam or advertising.',
  other: 'It breaks the rules of this network.',
}
