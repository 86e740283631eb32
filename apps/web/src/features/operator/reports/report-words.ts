import type { ReportKind, ReportReason } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'

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
  /** The label of the field for the reason. */
  readonly reasonLabel: string
  readonly hiding: string
  /** About what is hidden, and can be shown again. Absent where hiding deletes. */
  readonly hidden?: {
    readonly hidingAgain: string
    /** Before the reason. */
    readonly reads: string
    readonly notPublic: string
  }
}

export const kindWords: Readonly<Record<ReportKind, KindWords>> = {
  device: {
    name: t`Device`,
    reasonLabel: t`What its owner will read`,
    hiding: t`If you hide it, it disappears from the globe, the map and all lists at once. Its owner keeps it and reads this. You can show it again.`,
    hidden: {
      hidingAgain: t`It is hidden already. Hiding it again changes what its owner reads.`,
      reads: t`Its owner reads:`,
      notPublic: t`It is no longer for everybody: only its owner sees it.`,
    },
  },
  island: {
    name: t`Island`,
    reasonLabel: t`What its host will read`,
    hiding: t`If you hide it, it disappears for everybody at once, also for its members. Its host keeps it and reads this. You can show it again.`,
    hidden: {
      hidingAgain: t`It is hidden already. Hiding it again changes what its host reads.`,
      reads: t`Its host reads:`,
      notPublic: t`It is no longer for everybody: people whom its host lets in see it.`,
    },
  },
  check: {
    name: t`Check`,
    reasonLabel: t`What its owner will read`,
    hiding: t`If you hide it, its page, its badges and its line on a status page disappear for everybody at once. Its owner keeps it and reads this. You can show it again.`,
    hidden: {
      hidingAgain: t`It is hidden already. Hiding it again changes what its owner reads.`,
      reads: t`Its owner reads:`,
      notPublic: t`It is no longer for everybody: only its owner sees it.`,
    },
  },
  'log-entry': {
    name: t`Line in a log`,
    reasonLabel: t`What its author will read`,
    hiding: t`If you hide it, it disappears from the log at once. Its author and the host of the island still see it and read this. You can show it again.`,
    hidden: {
      hidingAgain: t`It is hidden already. Hiding it again changes what its author reads.`,
      reads: t`Its author reads:`,
      notPublic: t`It is no longer for everybody: people whom the island’s host lets in see it.`,
    },
  },
  'room-message': {
    name: t`Message in a room`,
    reasonLabel: t`Why, for the audit log`,
    hiding: t`If you delete it, it disappears from the room at once, for everybody. It can’t be shown again.`,
  },
}
