import { listCheckDoubts } from '@astropelago/contract/check-locations'
import { routeCommand } from '../../../admin/command.ts'
import { list, printTime } from '../../../admin/table.ts'

export const locationsCommands = [
  routeCommand({
    words: 'check doubts',
    summary: 'Lists locations that disagree with all others about a check',
    route: listCheckDoubts,
    request: () => ({}),
    print: (doubts) =>
      list(doubts, {
        'LENT BY': ({ lender }) => lender,
        DEVICE: ({ device }) => device,
        CHECK: ({ check }) => check,
        'OF USER': ({ owner }) => owner,
        'SINCE (UTC)': ({ since }) => printTime(since),
        VOTE: ({ hasVote }) => (hasVote ? 'counts' : 'ended'),
      }),
  }),
]
