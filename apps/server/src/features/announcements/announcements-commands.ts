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
      text: { value: 'text', summary: 'The rest, if the title does not say everything' },
      warning: { summary: 'Announces it as a warning, above all news' },
      from: {
        value: 'time',
        summary: 'When it starts, such as 2030-01-31T12:00:00Z; at once by default',
      },
      until: { value: 'time', summary: 'When it ends; by default it stays until it is deleted' },
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
    summary: 'Lists all announcements: current, future and past ones',
    route: listAllAnnouncements,
    request: () => ({}),
    print: (announcements) => {
      if (announcements.length === 0) return 'There are no announcements.'
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
    summary: 'Deletes an announcement',
    arguments: [{ name: 'id', summary: 'Its id from the list' }],
    route: deleteAnnouncement,
    request: ({ id }) => ({ params: { id } }),
    print: () => 'The announcement is deleted.',
  }),
]
