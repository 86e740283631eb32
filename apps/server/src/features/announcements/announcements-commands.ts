import {
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
} from '@astropelago/contract/announcements'
import { routeCommand } from '../../admin/command.ts'
import { printTime, table } from '../../admin/table.ts'

export const announcementsCommands = [
  routeCommand({
    words: 'announce',
    summary: 'Announces something to everybody, on Discover and on the dashboard',
    arguments: [{ name: 'title', summary: 'What it is about, in quotes' }],
    options: {
      text: { value: 'text', summary: 'The rest, where the title does not say it all' },
      warning: { summary: 'As a warning, which stands before all news' },
      from: {
        value: 'time',
        summary: 'When it starts, such as 2030-01-31T12:00:00Z; else at once',
      },
      until: { value: 'time', summary: 'When it ends; else it stays until it is taken back' },
    },
    route: createAnnouncement,
    request: ({ title, text, warning, from, until }) => ({
      body: {
        title,
        text,
        level: warning ? ('warning' as const) : ('news' as const),
        ...(from !== undefined && { startsAt: from }),
        endsAt: until ?? null,
      },
    }),
    print: ({ id }) => `It is announced, with the id ${id}.`,
  }),
  routeCommand({
    words: 'announcements list',
    summary: 'Lists announcements, those to come and those that are over too',
    route: listAllAnnouncements,
    request: () => ({}),
    print: (announcements) => {
      if (announcements.length === 0) return 'There are none.'
      const headings = ['TITLE', 'LEVEL', 'FROM (UTC)', 'UNTIL (UTC)', 'ID']
      const rows = announcements.map(({ id, level, startsAt, endsAt, title }) => [
        title,
        level,
        printTime(startsAt),
        printTime(endsAt),
        id,
      ])
      return table(headings, rows)
    },
  }),
  routeCommand({
    words: 'announcements delete',
    summary: 'Takes an announcement back',
    arguments: [{ name: 'id', summary: 'As the list has it' }],
    route: deleteAnnouncement,
    request: ({ id }) => ({ params: { id } }),
    print: () => 'The announcement is taken back.',
  }),
]
