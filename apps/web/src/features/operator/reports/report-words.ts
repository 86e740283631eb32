import { t } from '@lingui/core/macro'
import type { ReportKind, ReportReason } from '@astropelago/contract/reports'

export const reasonNames: Readonly<Record<ReportReason, string>> = {
  privacy: t`Gives somebody’s privacy away`,
  abuse: t`Hateful, or harasses somebody`,
  illegal: t`Breaks the law`,
  misleading: t`Pretends to be something it isn’t`,
  spam: t`Spam or advertising`,
  other: t`Something else`,
}

export const hiddenTexts: Readonly<Record<ReportReason, string>> = {
  privacy: t`It gives somebody’s privacy away.`,
  abuse: t`It is hateful, or harasses somebody.`,
  illegal: t`It breaks the law.`,
  misleading: t`It pretends to be something it isn’t.`,
  spam: t`It is spam or advertising.`,
  other: t`It breaks the rules of this network.`,
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
    name: t`Device`,
    reader: 'its owner',
    author: t`Its owner`,
    hiding: t`If you hide it, it disappears from the globe, the map and all lists at once. Its owner keeps it and reads this. You can show it again.`,
    sees: 'only its owner sees it',
  },
  island: {
    name: t`Island`,
    reader: 'its host',
    author: t`Its host`,
    hiding: t`If you hide it, it disappears for everybody at once, also for its members. Its host keeps it and reads this. You can show it again.`,
    sees: 'people whom its host lets in see it',
  },
  'log-entry': {
    name: t`Line in a log`,
    reader: 'its author',
    author: t`Its author`,
    hiding: t`If you hide it, it disappears from the log at once. Its author and the host of the island still see it and read this. You can show it again.`,
    sees: 'people whom the island’s host lets in see it',
  },
}
