import type { ReportKind, ReportReason } from '@astropelago/contract/reports'

export const reasonNames: Readonly<Record<ReportReason, string>> = {
  privacy: 'Gives somebody’s privacy away',
  abuse: 'Hateful, or harasses somebody',
  illegal: 'Breaks the law',
  misleading: 'Pretends to be something it isn’t',
  spam: 'Spam or advertising',
  other: 'Something else',
}

export const hiddenTexts: Readonly<Record<ReportReason, string>> = {
  privacy: 'It gives somebody’s privacy away.',
  abuse: 'It is hateful, or harasses somebody.',
  illegal: 'It breaks the law.',
  misleading: 'It pretends to be something it isn’t.',
  spam: 'It is spam or advertising.',
  other: 'It breaks the rules of this network.',
}

interface KindWords {
  readonly name: string
  /** The reader of the reason, inside a sentence and at its start. */
  readonly reader: string
  readonly author: string
  readonly hiding: string
  /** Who sees a subject that is not public. */
  readonly sees: string
}

export const kindWords: Readonly<Record<ReportKind, KindWords>> = {
  device: {
    name: 'Device',
    reader: 'its owner',
    author: 'Its owner',
    hiding:
      'If you hide it, it disappears from the globe, the map and all lists at once. Its owner keeps it and reads this. You can show it again.',
    sees: 'only its owner sees it',
  },
  island: {
    name: 'Island',
    reader: 'its host',
    author: 'Its host',
    hiding:
      'If you hide it, it disappears for everybody at once, also for its members. Its host keeps it and reads this. You can show it again.',
    sees: 'people whom its host lets in see it',
  },
  'log-entry': {
    name: 'Line in a log',
    reader: 'its author',
    author: 'Its author',
    hiding:
      'If you hide it, it disappears from the log at once. Its author and the host of the island still see it and read this. You can show it again.',
    sees: 'people whom the island’s host lets in see it',
  },
}
