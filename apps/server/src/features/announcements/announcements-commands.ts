import {
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
} from '@astropelago/contract/announcements'
import { routeCommand } from '../../admin/command.ts'
import { list, printTime } from '../../admin/table.ts'

export const announcementsCommands = [
  routeCommand({
    words: 'announce',
    summary: 'Announces something to everybody, on Discover and on the dashboard',
    arguments: [{ name: 'title', summary: 'What it is about, in quotes' }],
    options: {
      text: { value: 'text', summary: 'More than the title says' },
      warning: { summary: 'Makes it a warning, which is shown above all news' },
      from: {
        value: 'time',
        summary: 'When it starts, such as 2030-01-31T12:00:00Z; now by default',
      },
      until: { value: 'time', summary: 'When it ends; by default it stays until you delete it' },
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
    print: ({ id }) => `It is announced with the ID ${id}.`,
  }),
  routeCommand({
    words: 'announcements list',
    summary: 'Lists all announcements, planned and past ones too',
    route: listAllAnnouncements,
    request: () => ({}),
    print: (announcements) =>
      list(announcements, {
        TITLE: ({ title }) => title,
        LEVEL: ({ level }) => level,
        'FROM (UTC)': ({ startsAt }) => printTime(startsAt),
        'UNTIL (UTC)': ({ endsAt }) => printTime(endsAt),
        ID: ({ id }) => id,
      }),
  }),
  routeCommand({
    words: 'announcements delete',
    summary: 'Deletes an announcement',
    arguments: [{ name: 'id', summary: 'The ID in “announcements list”' }],
    route: deleteAnnouncement,
    request: ({ id }) => ({ params: { id } }),
    print: () => 'The announcement is deleted.',
  }),
]
